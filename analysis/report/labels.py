"""The cells' names in figures: as they are, or numbers where a figure cannot write them."""

from __future__ import annotations

from analysis.plots import style
from analysis.report.facts import Facts
from analysis.report.text import brief, tidy
from sim.core.words import shown


def names(facts: Facts) -> style.Names:
    """The name of each cell as figures write it."""
    return style.names(tuple(brief(label) for label in facts.labels))


def legend(facts: Facts) -> tuple[str, ...]:
    """The cells' labels in the order of their numbers; empty where figures write the names themselves."""
    return tuple(tidy(label) for label in facts.labels) if names(facts).numbered else ()


def warning(facts: Facts) -> str:
    """Why figures number the cells, in one line; empty where they do not."""
    for label in facts.labels:
        name = brief(label)
        if not style.has_glyphs(name):
            why = "needs letters that their font lacks"
        elif len(name) > style.LONGEST:
            why = f"is longer than {style.LONGEST} characters"
        else:
            continue
        return f"charts number the cells, because the label {shown(tidy(label))} {why}; the page lists the numbers"
    return ""
