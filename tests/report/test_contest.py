"""A competitive game fills the same page: seats, points and fates in place of a team's winning; no game is named."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import analysis
from analysis import runner
from analysis.cells import Cell
from analysis.experiment import Experiment
from analysis.report import contest, facts, files, short
from analysis.standing import Standing
from sim import registry
from tests import competitive, madeup
from tests.browser import CONTRASTS, MARKS, browser, opened, violations

__all__ = ["browser"]
TRIALS = 6000


def _run(folder: Path, *knobs: dict[str, int]) -> facts.Facts:
    game = competitive.Rivals()
    cells = tuple(
        Cell(f"cell {i}", wanted, game.resolve(wanted), {"name": "plain"}, f"{i:02d}" * 32)
        for i, wanted in enumerate(knobs)
    )
    asked = Experiment(
        name="seats",
        question="Does it matter where one sits?",
        game="rivals",
        seed=11,
        trials=TRIALS,
        cells=cells,
        compare=(("cell 0", "cell 1"),) if len(cells) > 1 else (),
        grid=(),
        source="name: seats\n",
        path=folder / "seats.yaml",
    )
    with pytest.MonkeyPatch.context() as patch:
        real = registry.get
        patch.setattr(registry, "get", lambda name: game if name == "rivals" else real(name))
        runner.run(asked, folder, workers=1)
        return facts.gather(analysis.load(folder))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> facts.Facts:
    """Two cells: even seats, and a first seat that wins every third game outright."""
    return _run(tmp_path_factory.mktemp("rivals"), {}, {"favour": 33})


@pytest.fixture(scope="module")
def page(found: facts.Facts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return files.write(found, tmp_path_factory.mktemp("page"))


def test_counts_are_those_of_the_games(found):
    """Winners, shared wins, points and fates against the same numbers taken from the game's own rows."""
    games = competitive.Rivals().play({"favour": 33, "players": 4}, {}, 11, 0, TRIALS).games
    one = found.cells[1].standing
    won = games["winners"].astype(int)
    for i, seat in enumerate(competitive.SEATS):
        assert one.wins(seat) == int((won >> i & 1).sum())
        assert one.alone(seat) == int((won == 1 << i).sum())
        assert one.points[seat] @ np.arange(len(one.points[seat])) == games[f"points_{seat}"].sum()
    assert one.nobody == int((won == 0).sum()) == int((games["result"] == 1).sum())
    assert one.shared == TRIALS - one.nobody - sum(one.alone(seat) for seat in competitive.SEATS)
    assert one.fates["saved"].x == games["saved"].sum()
    assert one.fates["saved"].y == 40 * TRIALS
    pair = one.pair("red", "blue")
    assert (pair.both, pair.n) == (int(((won & 5) == 5).sum()), TRIALS)


def test_findings_say_what_is_true(found):
    """The favoured first seat is named, the even seats are not; the fate that is most frequent is."""
    even, uneven = found.cells
    assert contest.outer_seats(uneven).second == "red"
    assert contest.outer_seats(uneven).clear
    assert not contest.outer_seats(even).clear
    assert "no seat stands out" in contest.seats_finding(even)
    heading = contest.seats_heading(found)
    assert heading.startswith("Red wins ")
    assert heading.endswith(" in cell 1")
    assert contest.fates_heading(found).startswith("Of the explorers, most are drowned: ")
    share = contest.win_share(uneven, "red")
    assert share.low < (0.33 + 0.67 * share_even(even)) < share.high


def share_even(cell: facts.CellFacts) -> float:
    """The share that makes 0.33 + 0.67 · share the first seat's true share of the uneven cell."""
    played = 1 - cell.standing.nobody / cell.n
    won = np.mean([cell.standing.wins(seat) for seat in competitive.SEATS]) / cell.n
    # The favoured first seat wins 33 % of the games that are not stopped (none of the others), and a seat's even
    # share of the rest.
    return won - 0.33 * (1 - played) / 0.67


def test_comparisons_are_those_of_the_games(found):
    """Red wins more where it is favoured and makes more points, the others win less; what was not changed (turns,
    fates: the same in every trial) is not called different. The numbers are those of the two cells' own rows."""
    game = competitive.Rivals()
    one, other = (game.play({"favour": f, "players": 4}, {}, 11, 0, TRIALS).games for f in (0, 33))
    measures = {m.key: m for m in contest.differences(found)}
    assert set(measures) == {*competitive.SEATS, "turns", "points_red", *(name for name, _ in competitive.FATES)} | {
        f"points_{seat}" for seat in competitive.SEATS
    }
    assert {key: m.clear for key, m in measures.items() if m.clear} == dict.fromkeys(
        (*competitive.SEATS, "points_red"), True
    )
    red = measures["red"]
    assert red.difference.value == pytest.approx(((other["winners"] & 1).sum() - (one["winners"] & 1).sum()) / TRIALS)
    points = measures["points_red"]
    difference = other["points_red"].astype(int) - one["points_red"].astype(int)
    assert points.difference.value == pytest.approx(difference.mean())
    half = 1.96 * difference.std(ddof=1) / TRIALS**0.5
    assert points.difference.low == pytest.approx(difference.mean() - half, rel=1e-2)
    assert points.means == pytest.approx((one["points_red"].mean(), other["points_red"].mean()))
    assert measures["green"].difference.value < 0


def test_even_seats_are_seldom_told_apart():
    """Equal seats, 200 tables of 400 games: at most a few are called uneven (level 5 %; more than 20 has odds of 1e-3
    at most). Control: a seat with ten points in a hundred more is found in more than half of them."""
    rng = np.random.default_rng(5)

    def told(chances: list[float]) -> int:
        clear = 0
        for _ in range(200):
            sets = np.zeros(16, dtype=np.int64)
            sets[[1, 2, 4, 8]] = rng.multinomial(400, chances)
            one = Standing(400, competitive.SEATS, sets, {seat: np.array([400]) for seat in competitive.SEATS})
            clear += contest.outer_seats(SimpleNamespace(standing=one)).clear
        return clear

    assert told([0.25] * 4) <= 20
    assert told([0.35, 0.25, 0.2, 0.2]) > 100


def test_fewer_players(tmp_path):
    """Cells with other numbers of seats stand on one page; an empty seat has no numbers."""
    found = _run(tmp_path, {"players": 2}, {"players": 4})
    assert found.cells[0].standing.seats == ("red", "green")
    page = files.write(found, tmp_path).read_text("utf-8")
    row = (tmp_path / "tables/seat-wins.csv").read_text("utf-8").splitlines()[1]
    assert row.startswith("cell 0,6000,0.")
    assert ",,,,,,,,,," in row
    assert "Made-up Rivals" in page


def test_the_page_is_filled(page):
    """Seats, points and fates, and what every game has; nothing of a team; the same in Markdown and in short."""
    text = page.read_text("utf-8")
    for key in ("seats", "points", "fates", "compared", "milestones", "curves", "places", "length", "settings"):
        assert f'<section id="{key}"' in text, key
    for key in ("win-rates", "difficulty", "loss-causes", "causes-over-turns", "losses"):
        assert f'<section id="{key}"' not in text, key
    head = text[: text.index("<section")]
    assert "<h1>Does it matter where one sits?</h1>" in head
    assert "percentage points more" in head
    words = re.sub(r"<(script|style|svg).*?</\1>", "", text, flags=re.DOTALL)
    assert not re.search(r"not won|win rate|lost by|team", words.split('id="settings"')[0])
    assert (page.parent / "figures/who-wins.svg").is_file()
    assert "red wins" in (page.parent / "report.md").read_text("utf-8")


def test_the_summary(found):
    """Six lines, and JSON with each seat."""
    lines = short.lines(found)
    assert [line.split("  ")[0] for line in lines] == [
        "Question",
        "Answer",
        "Points",
        "Explorers",
        "Timing",
        "How sure",
    ]
    plain = json.loads(json.dumps(short.plain(found)))
    assert set(plain["cells"][0]["seats"]) == set(competitive.SEATS)
    assert plain["answer"] == [s.replace("\u00a0", " ") for s in contest.answer(found)]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@MARKS[0]
@MARKS[1]
def test_in_the_browser(browser, page: Path, width: int, scheme: str):
    """No overflow, no noise, no violation, readable numbers."""
    shown, noise = opened(browser, page, width, scheme)
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(shown) == []
    assert shown.evaluate(CONTRASTS) == []
    assert noise == []
    shown.context.close()


def test_no_game_is_named_in_the_analysis():
    """Nothing under analysis/ names a game, its title, or what only one game has, but for the command's default."""
    root = Path(analysis.__file__).parent
    own = [game.name for game in map(registry.get, registry.names())]
    own += [registry.get(name).title for name in registry.names()]
    words = re.compile(
        "|".join([*map(re.escape, own), "Survive", "Fools' Landing", "Waters Rise", "shark", "treasure_"])
    )
    found = []
    for path in sorted([*root.rglob("*.py"), *root.rglob("templates/*")]):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if words.search(line) and not line.startswith("DEFAULT_GAME = "):
                found.append(f"{path.relative_to(root)}:{number}: {line.strip()}")
    assert found == []
    assert words.search('if game.name == "forbidden_island":')  # it would be noticed
    assert madeup.MadeUp().aspects.contest is None
