"""`fewer_trials`: the cells of dear players play fewer games, in the same experiment and on the same trials."""

from __future__ import annotations

import numpy as np
import pytest

import analysis
from analysis import planning, runner
from analysis.errors import InputErrors
from analysis.experiment import parse
from analysis.report import facts, files

TEXT = """\
name: dear
question: Does it matter who plays?
game: forbidden_island
seed: 4
trials: 300
fewer_trials: {random: 40}
grid:
  policy: [idle, random]
  players: [2, 3]
"""


def test_cells_of_a_named_policy_play_fewer(tmp_path):
    """40 of 300; the plan says so, a second run has nothing to do, fewer trials for all cut all, and the page holds
    both with the difference on the common trials."""
    experiment = parse(TEXT)
    counts = [cell.games for cell in planning.plan(experiment, tmp_path)]
    assert counts == [300, 300, 40, 40]
    done = runner.run(experiment, tmp_path)
    assert (done.games, done.played) == (680, 680)
    assert runner.run(experiment, tmp_path).played == 0
    results = analysis.load(tmp_path)
    assert results.cells["games"].to_list() == counts
    found = facts.of(tmp_path)
    assert [cell.n for cell in found.cells] == counts
    assert found.together.n == 40
    assert files.write(found, tmp_path).exists()
    assert runner.run(experiment, tmp_path, trials=20).games == 80


def test_shares_cover_every_chunk_once(tmp_path):
    """Two machines' parts together are the whole run, whatever the cells' numbers."""
    experiment = parse(TEXT.replace("300", "3000"))
    parts = [runner.run(experiment, tmp_path / str(k), share=(k, 2)).played for k in (1, 2)]
    assert sum(parts) == runner.run(experiment, tmp_path / "whole").games
    assert np.prod(parts) > 0


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{randm: 40}", 'fewer_trials.randm: unknown policy of this experiment "randm"; did you mean random?'),
        ("{random: 0}", "fewer_trials.random: 0 is not a whole number in 1..1000000000"),
        ("{random: many}", 'fewer_trials.random: "many" is not a whole number in 1..1000000000'),
        ("40", "fewer_trials: 40 is not a mapping of policies' names to the trials that they play at most"),
    ],
)
def test_what_it_takes(line, expected):
    """Names of the experiment's own policies, and whole numbers."""
    with pytest.raises(InputErrors) as refused:
        parse(TEXT.replace("{random: 40}", line), "x.yaml")
    assert len(refused.value.errors) == 1
    assert expected in str(refused.value)
    assert str(refused.value).startswith("x.yaml:6:")


def test_it_does_not_go_with_a_rule():
    with pytest.raises(InputErrors, match="fewer_trials does not go with precision or race"):
        parse(TEXT.replace("trials: 300\n", "precision: {win_rate: 0.05}\n"))
