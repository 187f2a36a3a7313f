"""Every experiment that ships is played for a few trials, from its YAML to its finished report."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis import experiment, report, runner
from sim import registry

CONFIGS = sorted((Path(__file__).parent.parent / "configs").rglob("*.yaml"))


@pytest.mark.parametrize("config", CONFIGS, ids=[path.stem for path in CONFIGS])
def test_every_config_gives_a_report(config, tmp_path):
    """A config that ships loads, plays and is reported; its question opens the page."""
    loaded = experiment.load(config)
    game = registry.get(loaded.game)
    slowest = min(game.describe(cell.policy).games_per_second for cell in loaded.cells)
    runner.run(loaded, tmp_path, trials=20 if slowest >= 1000 else 2, workers=2)
    page = report.build(tmp_path)
    assert loaded.question.split()[0] in page.read_text("utf-8")
    assert len(report.summary(tmp_path)) >= 5
