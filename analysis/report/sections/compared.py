"""The declared comparisons in every respect, what the pairing was worth, and trials to replay."""

from __future__ import annotations

import shlex

from analysis.plots import dots, style
from analysis.plots.drawing import Drawing
from analysis.report import numbers
from analysis.report.compared import Measure, behind, wins
from analysis.report.facts import Facts, PairFacts
from analysis.report.findings import number_word
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.text import brief, name, sentence, tidy
from analysis.stats import Estimate

# A chart with more rows than this is no picture any more.
ROWS = 24


def section(facts: Facts) -> Section | None:
    """Every measure of every declared pair; None where none was declared."""
    measures = behind(facts)
    if not measures:
        return None
    blocks = [_shares(facts, [m for m in measures if m.unit == "share"])]
    others = [m for m in measures if m.unit == "number"]
    if others:
        blocks.append(Block(None, table("compared-numbers", "Turns and counts on common trials", others, "change")))
    flipped = _flips(facts)
    if flipped:
        blocks.append(Block(None, flipped))
    return Section(
        "compared",
        "What differs",
        heading(measures),
        text=tuple(text for text in (_numbers_text(others), gain_text(facts)) if text),
        blocks=tuple(blocks),
        how=(
            "Both cells of a row met the same islands and shuffles; the difference is the second minus the first. "
            "Clear needs both: an interval that leaves zero out and a test that rejects “no difference”, every row of "
            "this section taken into account. “Pairing” says how many times as many separate games the same "
            "certainty would have taken. A flipped trial was won in one cell and not in the other: replay both and see "
            "where they part."
        ),
    )


def _shares(facts: Facts, measures: list[Measure]) -> Block:
    shown = table("compared-shares", "Share of games ended by each cause, on common trials", measures, "points")
    if len(measures) > ROWS:
        return Block(None, shown)
    names = style.names(tuple(brief(label) for label in facts.labels))
    one = len(facts.pairs) == 1
    rows = []
    for m in measures:
        first, second = (names[facts.labels.index(label)] for label in (m.first, m.second))
        label = sentence(m.label) if one else f"{first} → {second}: {m.label}"
        d = m.difference
        rows.append(dots.Dot(label, d.value, d.low, d.high, numbers.points_with(d), m.clear))
    told = "; ".join(f"{m.label} {numbers.points_with(m.difference)}" for m in measures[:6])

    def draw(width: int) -> Drawing:
        return dots.differences("compared", width, rows, "Difference in percentage points of all games")

    caption = "Filled dots: clear differences. Open dots: cannot be told apart."
    return Block(Figure("compared", f"Differences in how games end: {told}.", draw, caption), shown)


def table(key: str, caption: str, measures: list[Measure], kind: str) -> Table:
    """Measures as rows; kind: "points" for shares, "change" for numbers."""
    unit = "share" if kind == "points" else "number"
    columns = (
        Column("first", "From", "label"),
        Column("second", "To", "label"),
        Column("what", "What"),
        Column("in_first", "In the first", unit),
        Column("in_second", "In the second", unit),
        Column("difference", "Difference (points)" if kind == "points" else "Difference", kind),
        Column("p_adjusted", "Adjusted p", "chance"),
        Column("pairing", "Pairing", "number"),
        Column("verdict", "Verdict"),
    )
    rows: list[tuple[Value, ...]] = []
    for m in measures:
        verdict = ("more" if m.difference.value > 0 else "less") if m.clear else "cannot be told apart"
        means = m.means if unit == "share" else tuple(round(v, 2) for v in m.means)
        what = sentence(m.label)
        rows.append((tidy(m.first), tidy(m.second), what, *means, m.difference, m.p_value, m.gain, verdict))
    return Table(key, caption, columns, tuple(rows))


def heading(measures: list[Measure]) -> str:
    """How many of the measures differ clearly."""
    clear = [m for m in measures if m.clear]
    total = number_word(len(measures))
    if not clear:
        return "Nothing that was measured tells them apart" if len(measures) > 1 else "The measure does not differ"
    if len({(m.first, m.second) for m in measures}) == 1:
        where = f"between {name(measures[0].first)} and {name(measures[0].second)}"
        if len(clear) == len(measures):
            return f"All {total} other measures differ clearly {where}"
        verb = "differs" if len(clear) == 1 else "differ"
        return f"{sentence(number_word(len(clear)))} of {total} other measures {verb} clearly {where}"
    verb = "is" if len(clear) == 1 else "are"
    return f"{sentence(number_word(len(clear)))} of {total} differences behind the win rates {verb} clear"


def _numbers_text(measures: list[Measure]) -> str:
    if not measures or len({(m.first, m.second) for m in measures}) > 1:
        return ""
    parts = []
    for m in measures:
        if m.clear:
            word = "more" if m.difference.value > 0 else "fewer"
            low, high = sorted((abs(m.difference.low), abs(m.difference.high)))
            size = numbers.number_with(Estimate(abs(m.difference.value), low, high, m.difference.n, ""))
            parts.append(f"{size} {word} {m.label} a game")
        else:
            parts.append(f"{m.label} that cannot be told apart")
    return f"{sentence(name(measures[0].second))} has {numbers.join(parts)}."


def gain_text(facts: Facts) -> str:
    """What playing the same trials was worth for the win rates."""
    found = [(m, m.gain) for m in wins(facts) if m.gain is not None]
    if not found:
        return ""
    if len(found) == 1:
        gain = found[0][1]
        if gain.low <= 1.0 <= gain.high:
            return (
                "Playing the same trials did not measurably sharpen the difference of the win rates: it is as sure as "
                f"from {numbers.number_with(gain)} times as many separate games."
            )
        word = "sharpened" if gain.value > 1 else "blurred"
        return (
            f"Playing the same trials {word} the difference of the win rates as if {numbers.number_with(gain)} times "
            "as many separate games had been played."
        )
    low = min(found, key=lambda f: f[1].value)[1]
    high = max(found, key=lambda f: f[1].value)[1]
    return (
        "Playing the same trials made the differences of the win rates as sure as "
        f"{numbers.number_with(low)} to {numbers.number_with(high)} times as many separate games would."
    )


def _flips(facts: Facts) -> Table | None:
    pairs = [p for p in facts.pairs if p.counts is not None and (p.counts.lost or p.counts.gained)]
    if not pairs:
        return None
    each = 3 if len(pairs) <= 4 else 1
    columns = (
        Column("trial", "Trial"),
        Column("won_in", "Won in", "label"),
        Column("not_won_in", "Not won in", "label"),
        Column("replay_not_won", "Replay of the game not won"),
        Column("replay_won", "Replay of the game won"),
    )
    rows = tuple(row for pair in pairs for row in _flips_of(facts, pair, each))
    note = "reports/… is the folder of this report; the first flipped trials are listed, not the most telling ones."
    return Table("flipped-trials", "Trials won in one cell and not in the other", columns, rows, note)


def _flips_of(facts: Facts, pair: PairFacts, each: int) -> list[tuple[Value, ...]]:
    assert pair.counts is not None
    rows: list[tuple[Value, ...]] = []
    both = ((pair.counts.lost, pair.first, pair.second), (pair.counts.gained, pair.second, pair.first))
    for trials, won, lost in both:
        for trial in trials[:each]:
            rows.append((str(trial), tidy(won), tidy(lost), replay(facts, lost, trial), replay(facts, won, trial)))
    return rows


def replay(facts: Facts, label: str, trial: int) -> str:
    """The command that tells one game."""
    folder = shlex.quote(f"reports/{tidy(facts.name)}")
    return f"islandlab replay {folder} --cell {shlex.quote(tidy(label))} --trials {trial}"
