"""What a report shows, one module a question.

A section's module has `section(facts)`: its finding as a heading, pictures with tables, and how to read them; or None
where the game declares or the results hold nothing to show.  SECTIONS is their order on the page.  What is shown is
declared by the game (its causes, milestones, curves, layout); nothing here knows a game's name.
"""

from __future__ import annotations

from collections.abc import Callable

from analysis.report.facts import Facts
from analysis.report.model import Section
from analysis.report.sections import (
    compared,
    contest,
    curves,
    difficulty,
    effort,
    length,
    loss_causes,
    loss_turns,
    losses,
    luck,
    milestones,
    places,
    skill,
    stopping,
    teams,
    win_rates,
)

Maker = Callable[[Facts], Section | None]

SECTIONS: tuple[Maker, ...] = (
    contest.seats,
    contest.points,
    contest.fates,
    contest.differences,
    win_rates.section,
    compared.section,
    skill.section,
    difficulty.section,
    loss_causes.section,
    loss_turns.section,
    losses.section,
    milestones.section,
    curves.section,
    places.section,
    length.section,
    teams.section,
    luck.section,
    effort.section,
    stopping.section,
)
# Sections that speak of a team that wins or loses as one; a game whose seats play against each other has none of them.
TEAM: frozenset[Maker] = frozenset(
    {
        win_rates.section,
        compared.section,
        skill.section,
        difficulty.section,
        loss_causes.section,
        loss_turns.section,
        losses.section,
    }
)


def sections(facts: Facts) -> tuple[Section, ...]:
    """The sections that there are of these facts, in page order."""
    makers = (make for make in SECTIONS if facts.aspects.contest is None or make not in TEAM)
    return tuple(section for make in makers if (section := make(facts)) is not None)
