"""What the counts say, in words.

Every sentence is computed.  "More" and "less" are said only of a difference that the paired test (adjusted for the
family) and the interval both support; otherwise the words are "cannot be told apart".
"""

from __future__ import annotations

from analysis import stats
from analysis.report import numbers
from analysis.report.compared import Measure, causes_of
from analysis.report.facts import (
    ALPHA,
    LEVEL,
    CellFacts,
    Compared,
    Facts,
    PairFacts,
    compare,
    comparisons,
)
from analysis.report.text import name, sentence
from analysis.stats import Estimate, Pairs

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number_word(n: int) -> str:
    """3 as "three", 13 as "13"."""
    return _WORDS[n] if 0 <= n < len(_WORDS) else numbers.count(n)


def ordinal(n: int) -> str:
    """1 as "1st"."""
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def extremes_compared(facts: Facts) -> Compared | None:
    """The hardest cell against the easiest, with a test that counts every pair among which it was picked."""
    if facts.extremes is None or not facts.extremes.won.n:
        return None
    k = len(facts.cells)
    pair = facts.extremes
    return compare([(pair.first, pair.second, pair.won)], tests=k * (k - 1) // 2, looks=facts.looks)[0]


# The answer


def answer(facts: Facts) -> tuple[str, str]:
    """Two sentences: how the win rates compare, and what lies behind it."""
    judged = comparisons(facts)
    if len(judged) == 1:
        return _one_pair(facts, judged[0]), why_pair(facts, judged[0])
    if judged:
        return _many_pairs(facts, judged)
    if len(facts.cells) == 1:
        cell = facts.cells[0]
        return f"{sentence(name(cell.label))} wins {_won(cell.won)}.", why_cell(cell, facts)
    return _spread(facts)


def _won(won: Estimate) -> str:
    return (
        f"{numbers.percent(won)} of its games "
        f"(95{numbers.GAP}% interval {numbers.percent_interval(won)}, {numbers.games(won.n)})"
    )


def _one_pair(facts: Facts, c: Compared) -> str:
    first, second = facts.cell(c.first), facts.cell(c.second)
    if not c.clear:
        if c.pairs.first + c.pairs.second == 0:
            return f"{sentence(_alike(c))}: neither wins one of {numbers.count(c.pairs.n)} common trials."
        both = f"{numbers.percent(first.won)} and {numbers.percent(second.won)}"
        return f"{sentence(_alike(c))}: they win {both} of their games{_because(c)}."
    return (
        f"{sentence(name(c.second))} wins {numbers.percent(second.won)} of its games, {name(c.first)} "
        f"{numbers.percent(first.won)}: {difference(c)}."
    )


def difference(c: Compared) -> str:
    """ "47.3 percentage points less (95 % interval 46.6 to 48.0, from 20,000 common trials)"; only for a clear one."""
    size, interval = numbers.distance(c.difference)
    word = "more" if c.difference.value > 0 else "less"
    return (
        f"{size} percentage points {word} (95{numbers.GAP}% interval {interval}, "
        f"from {numbers.count(c.pairs.n)} common trials)"
    )


def _alike(c: Compared) -> str:
    return f"{name(c.first)} and {name(c.second)} cannot be told apart"


def _because(c: Compared) -> str:
    d = c.difference
    if c.pairs.first_only + c.pairs.second_only == 0:
        return f", the same trials on both sides ({numbers.count(d.n)} common trials)"
    tail = "which includes none at all" if d.low <= 0.0 <= d.high else "but the exact test does not rule out chance"
    interval = numbers.points_with(d).split(" (")[1].rstrip(")")
    return (
        f", a difference of {numbers.signed(d.value)} percentage points with a 95{numbers.GAP}% interval of "
        f"{interval}, {tail} ({numbers.count(d.n)} common trials)"
    )


def _many_pairs(facts: Facts, judged: list[Compared]) -> tuple[str, str]:
    clear = [c for c in judged if c.clear]
    total = number_word(len(judged))
    if not clear:
        widest = max(judged, key=lambda c: max(abs(c.difference.low), abs(c.difference.high)))
        reach = 100 * max(abs(widest.difference.low), abs(widest.difference.high))
        return (
            f"None of the {total} comparisons shows a difference that can be told from chance.",
            f"Differences of more than {reach:.1f} percentage points are unlikely in any of them "
            f"(the farthest end of the intervals, {name(widest.first)} against {name(widest.second)}).",
        )
    most = max(clear, key=lambda c: abs(c.difference.value))
    first, second = facts.cell(most.first), facts.cell(most.second)
    if len(clear) == len(judged):
        opening = f"All {total} comparisons show a clear difference"
    else:
        verb = "shows" if len(clear) == 1 else "show"
        opening = f"{sentence(number_word(len(clear)))} of the {total} comparisons {verb} a clear difference"
    largest = (
        f"{name(most.second)} wins {numbers.percent(second.won)} of its games, {name(most.first)} "
        f"{numbers.percent(first.won)}: {difference(most)}"
    )
    if len(clear) == 1:
        rest = "the others cannot be told apart" if len(judged) > 2 else "the other cannot be told apart"
        return f"{opening}; {rest}.", f"{sentence(largest)}."
    return f"{opening}.", f"The largest: {largest}."


def _spread(facts: Facts) -> tuple[str, str]:
    c = extremes_compared(facts)
    low = min(facts.cells, key=lambda cell: cell.won.value)
    high = max(facts.cells, key=lambda cell: cell.won.value)
    cells = number_word(len(facts.cells))
    if c is None or not c.clear:
        return (
            f"The win rates of the {cells} cells cannot be told apart: they lie between "
            f"{numbers.percent_with(low.won)} and {numbers.percent_with(high.won)}.",
            why_all(facts),
        )
    return (
        f"Of the {cells} cells {name(low.label)} is the hardest to win, with {numbers.percent(low.won)} of its games, "
        f"and {name(high.label)} the easiest, with {numbers.percent(high.won)}: {difference(c)}."
        if _alone(facts, low, high)
        else f"Win rates run from {numbers.percent_with(low.won)} in {name(low.label)} to "
        f"{numbers.percent_with(high.won)} in {name(high.label)}: {difference(c)}.",
        why_all(facts),
    )


def _alone(facts: Facts, low: CellFacts, high: CellFacts) -> bool:
    """Whether no other cell's interval reaches the hardest's or the easiest's: only then are they called so."""
    # Picked out of many, so each interval takes its part of the error.
    level = 1 - ALPHA / len(facts.cells)
    wide = {c.label: stats.rate(c.outcomes.won, c.n, level) for c in facts.cells}
    others = [wide[c.label] for c in facts.cells if c is not low and c is not high]
    return all(o.low > wide[low.label].high and o.high < wide[high.label].low for o in others)


# Why games are lost


def ranked(cell: CellFacts, facts: Facts) -> list[tuple[str, Estimate]]:
    """Labels of the causes that occurred, with their shares of all games, most frequent first."""
    found = [(c.label, cell.cause(c.name), cell.outcomes.causes[c.name]) for c in facts.causes]
    return [(label, e) for label, e, n in sorted(found, key=lambda f: -f[2]) if n]


def _apart(n: int, a: int, b: int, causes: int) -> bool:
    """Whether the two most frequent of so many causes of the same games differ: if not, each is a fair coin."""
    return stats.mcnemar(Pairs(0, a, b, n - a - b)).p_value < ALPHA / (causes * (causes - 1) / 2)


def leading(cell: CellFacts, facts: Facts) -> str:
    """ "most often the water reached the skull (12.2 % of all games), then …" without saying more than is sure."""
    order = ranked(cell, facts)
    label, e = order[0]
    if len(order) == 1:
        return f"always {label}, {_part(e)}"
    other, f = order[1]
    counts = sorted(cell.outcomes.causes.values(), reverse=True)
    if _apart(cell.n, counts[0], counts[1], len(counts)):
        return f"most often {label}, {_part(e)}; then {other}, {_part(f)}"
    return f"{label}, {_part(e)}, about as often as {other}, {_part(f)}"


def _part(e: Estimate) -> str:
    return f"{numbers.percent(e)} of all games (interval {numbers.percent_interval(e)})"


def why_cell(cell: CellFacts, facts: Facts) -> str:
    """Why one cell's games are not won."""
    if not ranked(cell, facts):
        return f"Not one of its games was lost ({numbers.games(cell.n)})."
    if len(ranked(cell, facts)) == 1:
        label, e = ranked(cell, facts)[0]
        return f"Every game that was not won ended the same way: {label}, {_part(e)}."
    return f"Where a game is not won, {leading(cell, facts)}."


def largest_shift(facts: Facts, pair: PairFacts) -> tuple[str, Measure] | None:
    """The cause whose share changed most between two cells, among those whose change is clear."""
    clear = [(c.label, c) for c in causes_of(facts, pair).values() if c.clear]
    return max(clear, key=lambda found: abs(found[1].difference.value), default=None)


def why_pair(facts: Facts, c: Compared) -> str:
    """What lies behind a pair: the largest clear shift among the causes, or what both have in common."""
    pair = next((p for p in facts.pairs if (p.first, p.second) == (c.first, c.second)), None)
    shift = largest_shift(facts, pair) if pair else None
    if shift is None:
        second = facts.cell(c.second)
        if not ranked(second, facts):
            return f"Not one of the games in {name(c.second)} was lost."
        where = f"where {name(c.second)} does not win, {leading(second, facts)}"
        return f"No way of losing differs clearly between them; {where}."
    label, change = shift
    most = (
        "The largest change in how games are lost" if c.clear else "Yet they are lost differently; the largest change"
    )
    return f"{most}: {label}, {_shares(change)}."


def _shares(c: Measure) -> str:
    first, second = c.means
    size, interval = numbers.distance(c.difference)
    word = "more" if c.difference.value > 0 else "fewer"
    return (
        f"{numbers.share(second)} of the games in {name(c.second)} against {numbers.share(first)} in {name(c.first)} "
        f"({size} points {word}, {interval})"
    )


def why_all(facts: Facts) -> str:
    """The leading cause of each cell, counted."""
    tops: dict[str, int] = {}
    for cell in facts.cells:
        order = ranked(cell, facts)
        if order:
            tops[order[0][0]] = tops.get(order[0][0], 0) + 1
    if not tops:
        return "No game was lost."
    if len(tops) == 1:
        return f"The most frequent reason not to win is the same in every cell: {next(iter(tops))}."
    parts = [f"{label} ({n} cell{'s' if n > 1 else ''})" for label, n in sorted(tops.items(), key=lambda t: -t[1])]
    return f"The most frequent reason not to win: {numbers.join(parts)}."


# Headings of the sections


def rates_heading(facts: Facts) -> str:
    """Win rates in one line."""
    judged = comparisons(facts)
    if len(judged) == 1:
        c = judged[0]
        if not c.clear:
            return f"By win rate, {_alike(c)}"
        word = "more" if c.difference.value > 0 else "less"
        points = f"{numbers.distance(c.difference)[0]} percentage points {word}"
        return f"{sentence(name(c.second))} wins {points} than {name(c.first)}"
    if len(facts.cells) == 1:
        return f"{sentence(name(facts.cells[0].label))} wins {numbers.percent(facts.cells[0].won)} of its games"
    if judged:
        clear = sum(c.clear for c in judged)
        if not clear:
            return f"None of the {number_word(len(judged))} comparisons shows a clear difference"
        verb = "differs" if clear == 1 else "differ"
        return f"{sentence(number_word(clear))} of {number_word(len(judged))} comparisons {verb} clearly"
    low = min(facts.cells, key=lambda cell: cell.won.value)
    high = max(facts.cells, key=lambda cell: cell.won.value)
    c_extremes = extremes_compared(facts)
    if c_extremes is None or not c_extremes.clear:
        return f"The {number_word(len(facts.cells))} cells cannot be told apart"
    return f"From {numbers.percent(low.won)} of games won to {numbers.percent(high.won)}"


def causes_heading(facts: Facts) -> str:
    """Why games are lost in one line."""
    if len(facts.pairs) == 1:
        shift = largest_shift(facts, facts.pairs[0])
        if shift is None:
            return "The ways of losing cannot be told apart"
        label, c = shift
        first, second = c.means
        return (
            f"{sentence(label)}: {numbers.share(second)} of the games in {name(c.second)}, "
            f"{numbers.share(first)} in {name(c.first)}"
        )
    if len(facts.cells) == 1:
        cell = facts.cells[0]
        order = ranked(cell, facts)
        return f"{sentence(order[0][0])}: {numbers.percent(order[0][1])} of all games" if order else "No game was lost"
    return why_all(facts).rstrip(".")


def incidence_heading(facts: Facts) -> str:
    """When games are lost: the turn by which half of those lost were lost."""
    parts = []
    for cell in facts.focus():
        lost = cell.endings.total - cell.endings.counts["won"]
        if lost.sum():
            middle = stats.quantile(lost, cell.endings.turns, 0.5, LEVEL)
            parts.append(f"turn {middle.value:.0f} in {name(cell.label)}")
    return f"Half of the games not won are over by {numbers.join(parts)}" if parts else "No game was lost"


def milestones_heading(facts: Facts) -> str:
    """How often all milestones are reached."""
    k = len(facts.milestones)
    parts = []
    for cell in facts.focus():
        if cell.timing is not None:
            every = stats.rate(int(cell.timing.by_order[k - 1].sum()), cell.n, LEVEL)
            parts.append(f"{numbers.percent(every)} of the games in {name(cell.label)}")
    if k == 1:
        return f"{facts.milestones[0].label}: in {numbers.join(parts)}"
    return f"All {number_word(k)} {facts.words[1]} come in {numbers.join(parts)}"


def curve_finding(label: str, facts: Facts, curve: str) -> str:
    """The curve's value at a turn that most games reach, compared by the bands when there are two cells."""
    cells = [c for c in facts.focus() if curve in c.bands]
    if not cells:
        return f"{label}: no turn was begun."
    turn = min(_late(c) for c in cells)
    found = [(c, c.bands[curve].at(turn - 1)) for c in cells if len(c.bands[curve]) >= turn]
    parts = [f"{numbers.number_with(e)} in {name(c.label)}" for c, e in found]
    text = f"{label} at the start of turn {turn}: {numbers.join(parts)}"
    if len(found) == 2 and found[0][1].low <= found[1][1].high and found[1][1].low <= found[0][1].high:
        text += "; the bands overlap there"
    return f"{text}."


def _late(cell: CellFacts) -> int:
    """The last turn that at least half of the games began."""
    over = cell.endings.total.cumsum()
    begun = cell.n - over + cell.endings.total
    return int(max(1, (begun >= cell.n / 2).sum()))


def length_heading(facts: Facts) -> str:
    """The middle length of games."""
    parts = []
    for cell in facts.focus():
        middle = stats.quantile(cell.endings.total, cell.endings.turns, 0.5, LEVEL)
        parts.append(f"turn {middle.value:.0f} in {name(cell.label)}")
    return f"Half of all games are over by {numbers.join(parts)}"


def _outer(counts: list[int], n: int) -> tuple[Estimate, Estimate, bool]:
    """The least and the most frequent of many events, and whether the two surely differ (they were picked)."""
    low, high = min(counts), max(counts)
    level = 1 - ALPHA / len(counts)
    apart = stats.rate(low, n, level).high < stats.rate(high, n, level).low
    return stats.rate(low, n, LEVEL), stats.rate(high, n, LEVEL), apart


def places_finding(cell: CellFacts) -> str:
    """Whether some places are lost more often than others."""
    if cell.places is None:
        return ""
    low, high, apart = _outer([int(n) for n in cell.places], cell.n)
    where = f"in {name(cell.label)}"
    if not apart:
        return f"No place of the board stands out {where}: {numbers.percent(low)} to {numbers.percent(high)} of games."
    return (
        f"Depending on where it lies, a tile is lost in {numbers.percent_with(low)} to {numbers.percent_with(high)} "
        f"of the games {where}."
    )


def tiles_finding(cell: CellFacts) -> str:
    """The tiles lost most and least often."""
    order = sorted(cell.tiles.items(), key=lambda t: (-t[1], t[0]))
    most, least = order[0][0], order[-1][0]
    low, high, apart = _outer([n for _, n in order], cell.n)
    where = f"in {name(cell.label)}"
    if not apart:
        return f"By name, no tile stands out {where}: {numbers.percent(low)} to {numbers.percent(high)} of games."
    return (
        f"By name, {most} is lost most often {where}, in {numbers.percent_with(high)} of games, and {least} least "
        f"often, in {numbers.percent_with(low)}."
    )


def places_heading(cells: tuple[CellFacts, ...]) -> str:
    """Whether it matters where a tile lies."""
    for cell in cells:
        if cell.places is not None:
            low, high, apart = _outer([int(n) for n in cell.places], cell.n)
            if apart:
                span = f"{numbers.percent(low)} to {numbers.percent(high)}"
                return f"Where a tile lies matters: lost in {span} of the games in {name(cell.label)}"
    return "No place of the board stands out"


def untrained(facts: Facts) -> str:
    """Which cells were played by somebody who was not trained for their rules; empty when there is none."""
    cells = [cell for cell in facts.cells if cell.untrained]
    if not cells:
        return ""
    rules = list(dict.fromkeys(rule for cell in cells for rule in cell.untrained))
    where = "These cells were" if len(cells) == len(facts.cells) > 1 else "This cell was"
    if len(cells) < len(facts.cells):
        named = ", ".join(name(cell.label) for cell in cells[:3]) + (f" and {len(cells) - 3} more" if cells[3:] else "")
        where = f"{named} {'was' if len(cells) == 1 else 'were'}"
    return (
        f"{where} played by a model that was not trained for the rules ({', '.join(rules)}): it may play below itself."
    )
