"""The words of a report on counts whose truth is known: never more than the numbers say."""

from __future__ import annotations

import pytest

from analysis.report import findings, numbers, short
from analysis.report.facts import compare, comparisons
from analysis.report.text import brief, name, sentence
from analysis.stats import Estimate, Pairs
from tests.report import made


def _text(parts: tuple[str, ...] | str) -> str:
    return (parts if isinstance(parts, str) else " ".join(parts)).replace(numbers.GAP, " ")


def _two(a: int, b: int, n: int = 2000, **options: float) -> tuple[str, ...]:
    one = made.cell("calm", a, ((n - a) // 2, n - a - (n - a) // 2, 0))
    other = made.cell("storm", b, ((n - b) // 2, n - b - (n - b) // 2, 0))
    return findings.answer(made.facts([one, other], [made.pair(one, other, **options)]))


def test_clear_difference_has_direction_size_and_interval():
    """1,200 of 2,000 against 600 of 2,000: 30 points less, with the interval and the common trials."""
    first, _ = _two(1200, 600)
    assert _text(first).startswith(
        "Storm wins 30.0 % of its games, calm 60.0 %: 30.0 percentage points less (95 % interval"
    )
    assert "from 2,000 common trials" in first


def test_direction_follows_the_second_cell():
    """The other way round it is more."""
    assert "30.0 percentage points more" in _text(_two(600, 1200))


@pytest.mark.parametrize(("a", "b"), [(1000, 1000), (1000, 1010), (0, 0), (2000, 2000), (0, 1), (1999, 2000)])
def test_no_difference_is_never_given_a_direction(a: int, b: int):
    """Equal and nearly equal arms "cannot be told apart": no "more", no "less"."""
    first, _ = _two(a, b)
    assert "cannot be told apart" in first
    assert " more" not in first
    assert " less" not in first


def test_same_trials_on_both_sides():
    """Without a single differing trial no interval is quoted as if there were noise."""
    first, _ = _two(1000, 1000, overlap=1.0)
    assert "the same trials on both sides" in first


def test_neither_wins():
    """Nobody wins: said so."""
    assert "neither wins one of 2,000 common trials" in _two(0, 0)[0]


def test_test_and_interval_must_agree():
    """Where the exact test does not reject, the words stay careful whatever the interval does."""
    judged = compare([("a", "b", Pairs(0, 0, 5, 95))])[0]
    assert judged.p_value > 0.05
    assert not judged.clear


def test_holm_over_the_family():
    """A difference with p = 0.03 alone is not clear among five comparisons."""
    alone = ("a", "b", Pairs(50, 30, 50, 870))
    assert compare([alone])[0].clear
    same = [("a", f"c{i}", Pairs(50, 40, 40, 870)) for i in range(4)]
    assert not compare([alone, *same])[0].clear


def test_extremes_pay_for_being_picked():
    """Lowest and highest of ten equal cells are not called different; of ten really different cells they are."""
    equal = [made.cell(f"c{i}", 480 + 4 * i, (520 - 4 * i, 0, 0)) for i in range(10)]
    facts = made.facts(equal, extremes=made.pair(equal[0], equal[-1], overlap=0.52))
    assert "cannot be told apart" in findings.answer(facts)[0]
    assert findings.rates_heading(facts) == "The ten cells cannot be told apart"
    assert "percentage points more" in findings.answer(made.many(10))[0]


def test_hardest_only_when_alone():
    """Three steps far apart: the ends are named; with two equal cells at the bottom nobody is "the hardest"."""
    cells = [made.cell(label, won, (1000 - won, 0, 0)) for label, won in (("a", 100), ("b", 500), ("c", 900))]
    assert "a is the hardest to win" in findings.answer(made.facts(cells, extremes=made.pair(cells[0], cells[2])))[0]
    cells.append(made.cell("d", 101, (899, 0, 0)))
    assert "hardest" not in findings.answer(made.facts(cells, extremes=made.pair(cells[0], cells[2])))[0]


def test_causes_about_as_often():
    """500 against 490 is "about as often"; 700 against 290 is "most often"."""
    even = made.cell("calm", 10, (500, 490, 0))
    assert "about as often as" in findings.why_cell(even, made.facts([even]))
    uneven = made.cell("calm", 10, (700, 290, 0))
    assert "most often the camp burned, 70.0 % of all games" in _text(findings.why_cell(uneven, made.facts([uneven])))


def test_nothing_lost_and_one_way_only():
    """All won; and one cause alone."""
    assert findings.why_cell(made.cell("calm", 20), made.facts([made.cell("calm", 20)])).startswith(
        "Not one of its games"
    )
    one = made.cell("calm", 5, (20, 0, 0))
    assert "ended the same way: the camp burned" in findings.why_cell(one, made.facts([one]))


def test_lost_differently_though_not_more_often():
    """Equal win rates, causes swapped: the answer says both."""
    one, other = made.cell("calm", 500, (400, 100, 0)), made.cell("storm", 500, (100, 400, 0))
    facts = made.facts([one, other], [made.pair(one, other)])
    first, second = findings.answer(facts)
    assert "cannot be told apart" in first
    assert second.startswith("Yet they are lost differently")
    assert "cannot be told apart" in findings.rates_heading(facts)


def test_many_comparisons_counted():
    """Two of three comparisons clear, one not; none of two."""
    cells = [
        made.cell(label, won, (1000 - won, 0, 0)) for label, won in (("a", 800), ("b", 500), ("c", 200), ("d", 200))
    ]
    pairs = [made.pair(cells[0], cells[1]), made.pair(cells[1], cells[2]), made.pair(cells[2], cells[3])]
    facts = made.facts(cells, pairs)
    assert findings.answer(facts)[0] == "Two of the three comparisons show a clear difference."
    assert [c.clear for c in comparisons(facts)] == [True, True, False]
    none = made.facts(cells[2:], [made.pair(cells[2], cells[3]), made.pair(cells[3], cells[2])])
    assert findings.answer(none)[0].startswith("None of the two comparisons")
    assert findings.rates_heading(none) == "None of the two comparisons shows a clear difference"


def test_no_place_stands_out():
    """Counts of pure noise are not read as geography; a place lost twice as often is."""
    noise = made.cell("calm", 500, (500, 0, 0), places=(500, 510, 490, 505, 495))
    assert findings.places_finding(noise).startswith("No place of the board stands out")
    real = made.cell("calm", 500, (500, 0, 0), places=(300, 600, 450, 450, 450), tiles={"Camp": 200, "Lake": 700})
    assert "Depending on where it lies" in findings.places_finding(real)
    assert "Lake is lost most often" in findings.tiles_finding(real)


@pytest.mark.parametrize("won", [0, 1])
def test_one_game(won: int):
    """A single game makes a report, with an interval as wide as that deserves."""
    cell = made.cell("calm", won, (1 - won, 0, 0), places=(1, 0, 0, 0, 0), tiles={"Camp": 1, "Lake": 0})
    facts = made.facts([cell])
    assert "1 game)" in _text(findings.answer(facts))
    assert findings.places_finding(cell).startswith("No place")
    assert len(short.lines(facts)) == 6


def test_summary_has_six_lines_and_no_hidden_characters():
    """Question first, then the answer; nothing that a terminal would not show."""
    one, other = made.cell("calm", 1200, (800, 0, 0)), made.cell("جزیره", 600, (1400, 0, 0))
    lines = short.lines(made.facts([one, other], [made.pair(one, other)]))
    assert len(lines) == 6
    assert lines[0].startswith("Question")
    assert lines[1].startswith("Answer")
    assert not set("".join(lines)) & {numbers.GAP, "\u2068", "\u2069"}


def test_summary_as_json_carries_intervals():
    """Every estimate of the JSON form has value, low, high, n and method."""
    one, other = made.cell("calm", 1200, (800, 0, 0)), made.cell("storm", 600, (1400, 0, 0))
    plain = short.plain(made.facts([one, other], [made.pair(one, other)]))
    assert plain["compare"][0]["told_apart"] is True
    assert set(plain["cells"][0]["win_rate"]) == {"value", "low", "high", "n", "method", "level"}
    assert plain["compare"][0]["difference"]["value"] == pytest.approx(-0.3)


def test_numbers_as_written():
    """Percent, intervals, signs: none with a false zero or a hyphen for a minus."""
    e = Estimate(0.558, 0.551, 0.565, 20000, "Wilson")
    assert _text(numbers.percent_with(e)) == "55.8 % (55.1 to 56.5)"
    assert numbers.points_with(Estimate(-0.473, -0.48, -0.466, 9, "x")) == "−47.3 (−48.0 to −46.6)"
    assert numbers.signed(-0.0001) == "0.0"
    assert _text(numbers.percent(Estimate(0.0, 0.0, 0.01, 300, "x"))) == "0 %"
    assert numbers.chance(1e-30) == "< 0.0001"
    assert numbers.distance(Estimate(-0.473, -0.48, -0.466, 9, "x")) == ("47.3", "46.6 to 48.0")


def test_names():
    """Grid labels lose what goes without saying; long ones are cut; right-to-left ones are isolated."""
    assert brief("difficulty=novice players=2") == "novice players=2"
    assert brief("swim=true players=2") == "swim=true players=2"
    assert brief("players = 2") == "players = 2"
    assert len(name("x" * 100)) == 60
    assert name("جزیره").startswith("\u2068")
    assert sentence("players=2 wins") == "players=2 wins"
    assert sentence("novice wins") == "Novice wins"
