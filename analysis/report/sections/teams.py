"""What each role and each pair of roles adds, the best and the worst teams, and whether teams differ at all."""

from __future__ import annotations

import numpy as np

from analysis import stats
from analysis.openings import Teams
from analysis.plots import dots
from analysis.plots.drawing import Drawing
from analysis.report import numbers
from analysis.report.effects import Model, model
from analysis.report.facts import ALPHA, LEVEL, CellFacts, Facts
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.outer import Outer, outer
from analysis.report.sections.common import Shown, some
from analysis.report.text import name, sentence, tidy
from analysis.stats import Effects, Estimate

PANELS = 4


def section(facts: Facts) -> Section | None:
    """Roles and teams; None where every game had the same team."""
    if not any(c.teams is not None for c in facts.cells):
        return None
    cells, note = some(facts)
    made = tables(facts, cells, note)
    blocks = [Block(_figure(facts) if i == 0 else None, table) for i, table in enumerate(made)]
    found = model(facts)
    text = []
    for c in _focus(facts):
        told = (spread_text(c), roles_text(c), units_text(facts, c, found), pairs_text(c), teams_text(c))
        text += [t for t in told if t]
    return Section(
        "teams",
        "Roles and teams",
        heading(facts),
        text=tuple(text),
        blocks=tuple(blocks),
        how=(
            "A role's effect is how much more often teams win that have it in the place of an average role, over all "
            "teams alike; the effects of all roles add up to nothing. A pair's effect is what the two add together "
            "beyond their own effects. The spread of the teams is what is left of their differences once chance is "
            "taken out. Best and worst were picked out of all teams: they are named only where the two surely differ."
        ),
    )


def _focus(facts: Facts) -> tuple[CellFacts, ...]:
    found = tuple(c for c in facts.focus() if c.teams is not None)
    return found or tuple(c for c in facts.cells if c.teams is not None)[:2]


def _effects(teams: Teams, level: float = LEVEL) -> Effects | None:
    return stats.team_effects(teams.members, teams.won, teams.games, level)


def in_units(facts: Facts, cell: CellFacts, found: Model | None) -> dict[str, Estimate]:
    """Role -> what it is worth in the game's unit of difficulty (plus is harder); empty where that has no value.

    The role's effect on the log odds in the cell, over that of one unit in the model of all cells, by Fieller.  The two
    are taken as unrelated: one is a contrast of teams inside the cell, the other an average over teams.
    """
    teams = cell.teams
    if teams is None or found is None or found.unit is None:
        return {}
    slope = found.fit.effect(found.unit)
    k = len(teams.roles)
    # Effects that add to zero: each role but the last has a term, the last is minus their sum.
    design = np.column_stack([np.ones(len(teams.games)), teams.members[:, :-1] * 1.0 - teams.members[:, -1:]])
    if slope.low <= 0.0 <= slope.high or np.linalg.matrix_rank(design) < k:
        return {}
    fit = stats.fit_binomial(teams.won, teams.games, design, ("", *teams.roles[:-1]), None, LEVEL)
    worth = {}
    for i, role in enumerate(teams.roles):
        weights = np.zeros(k)
        weights[1:] = -1.0 if i == k - 1 else np.eye(k - 1)[i]
        variance = np.diag([float(weights @ fit.covariance @ weights), found.fit.covariance[found.unit, found.unit]])
        quantile = max(fit.quantile, found.fit.quantile)
        ratio = stats.fieller(float(weights @ fit.beta), slope.value, variance, quantile, cell.n, LEVEL)
        if ratio is not None:
            worth[role] = ratio
    return worth


def units_text(facts: Facts, cell: CellFacts, found: Model | None) -> str:
    """What the roles are worth in the game's unit, those that are surely worth something."""
    unit, worth = facts.aspects.unit, in_units(facts, cell, found)
    sure = {role: e for role, e in worth.items() if not e.low <= 0.0 <= e.high}
    if unit is None or not sure:
        return ""
    order = sorted(sure, key=lambda role: sure[role].value)
    parts = [f"{sentence(role)} {numbers.signed_number_with(sure[role])}" for role in order]
    return f"In {unit[2]} (plus is harder), against an average role in {name(cell.label)}: {numbers.join(parts)}."


def _matters(facts: Facts) -> list[tuple[CellFacts, bool]]:
    """The cells that headings speak of, and whether their teams differ by more than chance (Holm over these cells)."""
    cells = _focus(facts)
    tests = [stats.homogeneity(c.teams.won, c.teams.games).p_value for c in cells if c.teams is not None]
    return [(c, bool(p < ALPHA)) for c, p in zip(cells, stats.holm(tests), strict=True)]


def heading(facts: Facts) -> str:
    """Whether it matters who plays."""
    told = []
    for cell, matters in _matters(facts):
        assert cell.teams is not None
        wide = stats.spread(cell.teams.won, cell.teams.games, LEVEL)
        if matters and wide is not None and wide.low > 0:
            told.append(f"±{_points(wide)} percentage points in {name(cell.label)}")
        elif matters:
            told.append(f"more than chance in {name(cell.label)}")
    if not told:
        where = numbers.join([name(cell.label) for cell in _focus(facts)])
        return f"Which team plays makes no difference that can be told from chance in {where}"
    return f"Which team plays matters: the teams' win rates spread by {numbers.join(told)}"


def _points(e: Estimate) -> str:
    return f"{100 * e.value:.1f}"


def spread_text(cell: CellFacts) -> str:
    """The spread of the teams' true win rates with its interval."""
    if cell.teams is None:
        return ""
    wide = stats.spread(cell.teams.won, cell.teams.games, LEVEL)
    if wide is None:
        return ""
    span = f"{100 * wide.low:.1f} to {100 * wide.high:.1f}"
    test = stats.homogeneity(cell.teams.won, cell.teams.games)
    many = f"The win rates of the {len(cell.teams.games)} teams in {name(cell.label)}"
    if test.p_value >= ALPHA:
        return (
            f"{many} differ by no more than chance explains (p {numbers.chance(test.p_value)}; standard deviation "
            f"{_points(wide)} points once chance is taken out, interval {span})."
        )
    return (
        f"{many} have a standard deviation of {_points(wide)} percentage points once chance is taken out "
        f"({span}; p {numbers.chance(test.p_value)} for no difference)."
    )


def _sure(found: dict[str, Estimate], wide: dict[str, Estimate]) -> tuple[list[str], list[str]]:
    """What surely helps and what surely hurts, each with its estimate, strongest first."""
    order = sorted(found, key=lambda label: -abs(found[label].value))
    told = {label: f"{label} {numbers.points_with(found[label])}" for label in order}
    helps = [told[label] for label in order if wide[label].low > 0]
    hurts = [told[label] for label in order if wide[label].high < 0]
    return helps, hurts


def roles_text(cell: CellFacts) -> str:
    """The roles that surely help and hurt."""
    teams = cell.teams
    if teams is None:
        return ""
    plain, wide = _effects(teams), _effects(teams, 1 - ALPHA / len(teams.roles))
    if plain is None or wide is None:
        return ""
    names = [sentence(role) for role in teams.roles]
    helps, hurts = _sure(dict(zip(names, plain.members, strict=True)), dict(zip(names, wide.members, strict=True)))
    where = f"in {name(cell.label)}"
    if not helps and not hurts:
        return f"No role is clearly better or worse than the others {where}."
    parts = [f"clearly better: {numbers.join(helps)}"] if helps else []
    parts += [f"clearly worse: {numbers.join(hurts)}"] if hurts else []
    return f"Against an average role {where}, in percentage points, {'; '.join(parts)}."


def pairs_text(cell: CellFacts) -> str:
    """The pairs that are surely more, or less, than their two roles."""
    teams = cell.teams
    plain = _effects(teams) if teams is not None else None
    if teams is None or plain is None or not plain.pairs:
        return ""
    wide = _effects(teams, 1 - ALPHA / len(plain.pairs))
    assert wide is not None
    both = {pair: _pair(teams, pair) for pair in plain.pairs}
    helps, hurts = _sure(
        {both[pair]: e for pair, e in plain.pairs.items()}, {both[pair]: e for pair, e in wide.pairs.items()}
    )
    where = f"in {name(cell.label)}"
    if not helps and not hurts:
        return f"No pair of roles is clearly more or less than its two roles {where}."
    parts = [f"clearly more than their two roles: {numbers.join(helps[:4])}"] if helps else []
    parts += [f"clearly less: {numbers.join(hurts[:4])}"] if hurts else []
    return f"Pairs {where}, {'; '.join(parts)}."


def _pair(teams: Teams, pair: tuple[int, int]) -> str:
    return " and ".join(sentence(teams.roles[i]) for i in pair)


def best_and_worst(teams: Teams) -> Outer | None:
    """The teams with the highest and the lowest win rate."""
    return outer({teams.name(i): (int(teams.won[i]), int(teams.games[i])) for i in range(len(teams.games))})


def teams_text(cell: CellFacts) -> str:
    """The best and the worst team, where they surely differ."""
    found = best_and_worst(cell.teams) if cell.teams is not None else None
    if found is None:
        return ""
    where = f"in {name(cell.label)}"
    if not found.apart:
        span = f"{numbers.percent(found.low)} to {numbers.percent(found.high)}"
        return f"No team is surely better than another {where}: {span}."
    return (
        f"{sentence(found.most)} won most often {where}, {numbers.percent_with(found.high)} of its games; "
        f"{found.least} least often, {numbers.percent_with(found.low)}."
    )


def _figure(facts: Facts) -> Figure:
    shown = Shown(facts, PANELS)
    rows, told = [], []
    many = sum(c.teams is not None for c in shown.cells) > 1
    for label, cell in zip(shown.names, shown.cells, strict=True):
        effects = _effects(cell.teams) if cell.teams is not None else None
        if effects is None or cell.teams is None:
            continue
        for role, e in zip(cell.teams.roles, effects.members, strict=True):
            clear = not e.low <= 0.0 <= e.high
            words = f"{sentence(role)} ({label})" if many else sentence(role)
            rows.append(dots.Dot(words, e.value, e.low, e.high, numbers.points_with(e), clear))
            told.append(f"{words} {numbers.points_with(e)}")
    if not rows:
        rows.append(dots.Dot("no role can be told apart", 0.0, 0.0, 0.0, "–", False))

    def draw(width: int) -> Drawing:
        return dots.differences("roles", width, rows, "Effect on the win rate in percentage points")

    return Figure("roles", f"Effect of each role on the win rate: {'; '.join(told[:12])}.", draw, shown.caption)


def tables(facts: Facts, cells: tuple[CellFacts, ...], note: str = "") -> list[Table]:
    """Roles, pairs and teams of these cells."""
    unit, found = facts.aspects.unit, model(facts)
    role_rows: list[tuple[Value, ...]] = []
    pair_rows: list[tuple[Value, ...]] = []
    team_rows: list[tuple[Value, ...]] = []
    for cell in cells:
        teams = cell.teams
        if teams is None:
            continue
        effects = _effects(teams)
        label = tidy(cell.label)
        worth = in_units(facts, cell, found)
        for i, role in enumerate(teams.roles):
            here = teams.members[:, i]
            games = int(teams.games[here].sum())
            with_it = stats.rate(int(teams.won[here].sum()), games, LEVEL) if games else None
            row: tuple[Value, ...] = (label, sentence(role), games, with_it, effects.members[i] if effects else None)
            role_rows.append((*row, worth.get(role)) if unit else row)
        for pair, e in (effects.pairs if effects else {}).items():
            pair_rows.append((label, _pair(teams, pair), e))
        order = sorted(range(len(teams.games)), key=lambda i: -teams.won[i] / teams.games[i])
        for i in order:
            rate = stats.rate(int(teams.won[i]), int(teams.games[i]), LEVEL)
            team_rows.append((label, sentence(teams.name(i)), int(teams.games[i]), rate))
    first = Column("cell", "Cell", "label")
    counted, won = Column("games", "Games", "count"), Column("win_rate", "Win rate", "share")
    effect = Column("effect", "Effect (points)", "points")
    by_role = [first, Column("role", "Role"), counted, won, effect]
    by_role += [Column("worth", f"Worth in {unit[2]}", "change")] if unit else []
    by_team = (first, Column("team", "Team"), counted, won)
    made = [
        Table("roles", "What each role adds", tuple(by_role), tuple(role_rows), note),
        Table("teams", "Win rate of each team, best first", by_team, tuple(team_rows), note),
    ]
    if pair_rows:
        caption = "What two roles add beyond their own effects"
        made.insert(1, Table("role-pairs", caption, (first, Column("pair", "Pair"), effect), tuple(pair_rows), note))
    return made
