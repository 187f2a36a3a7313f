"""The command as a user meets it: real processes, their exit codes, and what is on which stream."""

from __future__ import annotations

import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from analysis.execute import CAPS

SMALL = """\
name: small
question: How much harder is legendary than novice?
game: forbidden_island
seed: 7
trials: 300
policy: random
rules:
  players: 4
cells:
  - label: novice
    difficulty: novice
  - label: legendary
    difficulty: legendary
compare:
  - [novice, legendary]
"""
LONG = SMALL.replace("name: small", "name: long").replace("trials: 300", "trials: 2_000_000").replace("random", "idle")
BROKEN = SMALL.replace("players: 4", "players: 9").replace("difficulty: novice", "dificulty: novice")


@pytest.fixture
def folder(tmp_path):
    for name, text in (("small", SMALL), ("long", LONG), ("broken", BROKEN)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


COMMAND = [sys.executable, "-m", "analysis.cli"]


def islandlab(folder, *arguments, **options):
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        **options,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def fine(folder, *arguments, **options):
    done = islandlab(folder, *arguments, **options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(folder, *arguments, code=2):
    """The one line on stderr; stdout stays empty."""
    done = islandlab(folder, *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


# What there is


def test_alone_it_lists_the_commands(folder):
    text = fine(folder)
    commands = "validate plan run report status merge chart replay train games policies rules"
    for command in commands.split():
        assert f"\n  {command} " in text
    assert fine(folder, "--help") == text
    assert "╭" not in text


def test_version(folder):
    assert re.fullmatch(r"islandlab \d+\.\d+\.\d+\n", fine(folder, "--version"))


def test_help_starts_without_the_heavy_packages(folder):
    """--help must come at once: nothing that takes a noticeable time is imported for it."""
    program = (
        "import sys, analysis.cli as cli\n"
        "try:\n    cli.main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'numba', 'polars', 'pandas', 'scipy', 'matplotlib', 'pydantic', 'pyarrow', 'joblib'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_validating_loads_nothing_that_only_results_need(folder):
    program = (
        "import sys, analysis.cli as cli\n"
        "try:\n    cli.main(['validate', 'small.yaml'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'polars', 'pandas', 'scipy.stats', 'statsmodels', 'matplotlib', 'pyarrow', 'joblib'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_games_policies_and_rules_are_described(folder):
    assert "forbidden_island  Forbidden Island" in fine(folder, "games")
    players = fine(folder, "policies")
    assert {line.split(":")[0] for line in players.splitlines() if re.match(r"\w+: ", line)} >= {"idle", "random"}
    knobs = fine(folder, "rules", "forbidden_island")
    for words in (
        "\nwaters_rise: 3\n",
        "allowed: a whole number in 2..4",
        "why: FI-6.3",
        "Presets",
        "\nhex-tutorial\n",
    ):
        assert words.split(": FI")[0] in knobs


def test_rules_fit_a_narrow_page(folder):
    text = fine(folder, "rules", env={**os.environ, "COLUMNS": "60"})
    long = [line for line in text.splitlines() if len(line) > 60 and line.startswith("  ")]
    assert long == []


# What is refused


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ran", "small.yaml"], "islandlab: No such command 'ran'"),
        (["run"], "islandlab: Missing argument 'CONFIG'; see islandlab run --help"),
        (["run", "small.yaml", "--treils", "5"], "--treils"),
        (["run", "small.yaml", "--trials", "many"], "--trials"),
        (["run", "small.yaml", "--trials", "0"], "--trials"),
        (["run", "small.yaml", "--workers", "-1"], "--workers"),
        (["run", "missing.yaml"], "missing.yaml: there is no such file"),
        (["validate", "missing.yaml"], "missing.yaml: there is no such file"),
        (["replay", "small.yaml"], "islandlab: Missing option '--trials'"),
        (["replay", "small.yaml", "--trials", "3"], "--cell is needed: small.yaml has the cells 'novice', 'legendary'"),
        (["replay", "small.yaml", "--cell", "novise", "--trials", "3"], "did you mean novice?"),
        (
            ["replay", "small.yaml", "--cell", "novice", "--trials", "x"],
            "'x' is neither a trial (17) nor first:end (0:200)",
        ),
        (["replay", "small.yaml", "--cell", "novice", "--trials", "5:5"], "5:5 holds no trial"),
        (
            ["replay", "small.yaml", "--cell", "novice", "--trials", "1", "--format", "xml"],
            "'xml' is none of text, jsonl and html",
        ),
        (["rules", "chess"], 'unknown game "chess"'),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_done_is_one_line_and_code_2(folder, arguments, words):
    line = refused(folder, *arguments)
    assert words in line
    assert "│" not in line


def test_all_mistakes_of_a_configuration_are_told_at_once(folder):
    done = islandlab(folder, "run", "broken.yaml")
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert [line.split(": ")[0] for line in lines] == ["broken.yaml:8:12", "broken.yaml:11:5"]
    assert not (folder / "reports").exists()


def test_validate_goes_through_all_files_and_remembers_a_mistake(folder):
    done = islandlab(folder, "validate", "broken.yaml", "small.yaml")
    assert done.returncode == 2
    assert done.stdout == "small.yaml: 2 cells of 300 games\n"
    assert done.stderr.count("broken.yaml:") == 2


def test_a_folder_without_results_is_refused(folder):
    assert "holds no results" in refused(folder, "report", "nowhere", code=1)


def test_a_folder_that_cannot_be_written_is_one_line(folder):
    (folder / "taken").write_text("a file")
    assert "taken" in refused(folder, "run", "small.yaml", "--out", "taken/results", code=1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_under_stdout_is_one_line(folder):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [*COMMAND, "rules"], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr == "islandlab: No space left on device\n"


# Plan, run, report


def test_plan_tells_cells_games_time_precision_disk_and_files(folder):
    """Measured on a first chunk before anything runs, and nothing is written."""
    text = fine(folder, "plan", "small.yaml", "--trials", "10000", "--workers", "2")
    assert re.search(r"^novice +random +10,000 +0 +\d+ s +± [\d.]+ +first chunk$", text, re.MULTILINE)
    assert "Games      20,000 in 2 cells; " in text
    assert re.search(r"Time       about \d+ s and some seconds for the report, with 2 threads\n", text)
    assert re.search(r"Precision  win rates within [\d.]+( to [\d.]+)? percentage points", text)
    assert re.search(r"Disk       about [\d.]+ [kM]B of games", text)
    assert "reports/small/" in text
    assert not (folder / "reports").exists()


def test_plan_of_a_rule_and_of_what_is_stored(folder):
    """Expected and most games, the rule in words; after a run its own speeds, and only what is missing."""
    text = SMALL.replace("trials: 300", "precision: {win_rate: 0.02}").replace("random", "cooperative")
    (folder / "precise.yaml").write_text(text, encoding="utf-8")
    assert fine(folder, "validate", "precise.yaml") == "precise.yaml: 2 cells of 1,000 to 2,398 games\n"
    planned = fine(folder, "plan", "precise.yaml")
    assert re.search(r"Games      [\d,]+ in 2 cells, at most 4,796; ", planned)
    assert "Rule       Every cell plays until the 95 % interval of its win rate is at most ± 2 percentage" in planned
    fine(folder, "run", "precise.yaml", "--quiet")
    planned = fine(folder, "plan", "precise.yaml")
    assert re.search(r"^legendary +cooperative +([\d,]+) +\1 +– +± [\d.]+ +last run$", planned, re.MULTILINE)
    refusal = refused(folder, "run", "precise.yaml", "--trials", "5")
    assert "precision or race" in refusal


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"OMP_NUM_THREADS": "1"}, "1 thread, limited by OMP_NUM_THREADS"),
        ({"ISLANDLAB_MAX_THREADS": "1", "OMP_NUM_THREADS": "64"}, "1 thread, limited by ISLANDLAB_MAX_THREADS"),
        ({"LOKY_MAX_CPU_COUNT": "1"}, "1 thread"),
        ({"NUMBA_NUM_THREADS": "1"}, "1 thread, limited by NUMBA_NUM_THREADS"),
        ({"OMP_NUM_THREADS": "many"}, None),
    ],
)
def test_all_cores_unless_the_environment_limits_threads(folder, environment, words):
    """--workers 0 asks the machine and the environment; a number that was written down counts as it is."""
    import joblib

    clean = {name: text for name, text in os.environ.items() if name not in CAPS}
    cores = joblib.cpu_count()
    text = fine(folder, "plan", "small.yaml", env={**clean, **environment})
    assert f"with {words or f'{cores} thread'}" in text
    assert "with 3 threads\n" in fine(folder, "plan", "small.yaml", "--workers", "3", env={**clean, **environment})


def test_a_run_prints_six_lines_and_the_path_and_nothing_on_stderr(folder):
    lines = fine(folder, "run", "small.yaml").splitlines()
    assert len(lines) == 7
    titles = [line.split("  ")[0] for line in lines]
    assert titles == ["Question", "Answer", "Games won", "Not won", "Timing", "How sure", "Report"]
    assert lines[0].endswith("  How much harder is legendary than novice?")
    assert len({re.match(r".+?  +", line).end() for line in lines}) == 1, "the texts stand in one column"
    assert lines[-1].split() == ["Report", "reports/small/report.html"]
    made = {path.name for path in (folder / "reports/small").iterdir()}
    assert made >= {"report.html", "report.md", "figures", "tables", "results", "manifest.json"}


def test_json_is_all_there_is_on_stdout(folder):
    summary = json.loads(fine(folder, "run", "small.yaml", "--json", "--out", "elsewhere", "--workers", "1"))
    assert [cell["cell"] for cell in summary["cells"]] == ["novice", "legendary"]
    for cell in summary["cells"]:
        assert cell["games"] == 300
        assert cell["win_rate"]["low"] <= cell["win_rate"]["value"] <= cell["win_rate"]["high"]
        assert sum(cause["value"] for cause in cell["causes"].values()) + cell["win_rate"]["value"] == pytest.approx(1)
    assert summary["compare"][0]["first"] == "novice"
    assert Path(summary["report"]) == Path("elsewhere/report.html")
    assert json.loads(fine(folder, "report", "elsewhere", "--json")) == summary


def test_quiet_prints_nothing_and_more_trials_are_added(folder):
    assert fine(folder, "run", "small.yaml", "--quiet") == ""
    summary = json.loads(fine(folder, "run", "small.yaml", "--trials", "500", "--json"))
    assert {cell["games"] for cell in summary["cells"]} == {500}


def test_another_experiment_in_the_folder_says_how_to_go_on(folder):
    fine(folder, "run", "small.yaml", "--quiet", "--out", "here")
    (folder / "other.yaml").write_text(SMALL.replace("seed: 7", "seed: 8"), encoding="utf-8")
    line = refused(folder, "run", "other.yaml", "--out", "here", code=1)
    assert "--out" in line


def stored(folder):
    return list(folder.glob("reports/long/results/*/*.parquet"))


def test_ctrl_c_keeps_what_was_played_and_the_same_command_goes_on(folder):
    command = [*COMMAND, "run", "long.yaml", "--workers", "1"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    waited = time.monotonic() + 120
    while not stored(folder) and process.poll() is None and time.monotonic() < waited:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, problems = process.communicate(timeout=120)
    assert (process.returncode, output) == (130, "")
    assert "the same command goes on" in problems
    assert problems.splitlines()[-1] == "  islandlab run long.yaml --workers 1"
    kept = {path: path.stat().st_mtime_ns for path in stored(folder)}
    assert kept
    lines = fine(folder, "run", "long.yaml", "--workers", "1", "--trials", "200000").splitlines()
    assert "400,000 games, 200,000 a cell" in lines[-2]
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items()), "a stored chunk was written again"


def test_status_repair_shares_and_merge(folder):
    """Two machines play a half each, one file is damaged and mended, and all of it becomes one report."""
    for part in ("1", "2"):
        done = islandlab(folder, "run", "small.yaml", "--share", f"{part}/2", "--out", f"part{part}")
        assert (done.returncode, done.stdout) == (0, "")
        assert re.search(rf"part {part}/2 is played: \d+ of 600 games are in part{part}; islandlab merge", done.stderr)
    text = fine(folder, "status", "part1")
    assert re.search(r"^novice +\d+ +300 ", text, re.MULTILINE)
    damaged = next((folder / "part1" / "results").glob("*/*.parquet"))
    damaged.write_bytes(damaged.read_bytes()[:-7])
    done = islandlab(folder, "status", "part1")
    assert done.returncode == 1
    assert f"Damaged    {damaged.relative_to(folder)}: is damaged" in done.stdout
    assert damaged.name in refused(folder, "merge", "part1", "part2", "--out", "all", code=1)
    assert damaged.name in refused(folder, "run", "small.yaml", "--share", "1/2", "--out", "part1", code=1)
    done = islandlab(folder, "run", "small.yaml", "--share", "1/2", "--out", "part1", "--repair")
    assert done.returncode == 0
    assert f"put aside: part1/damaged/{damaged.parent.name}/{damaged.name}" in done.stderr
    summary = json.loads(fine(folder, "merge", "part1", "part2", "--out", "all", "--json"))
    once = json.loads(fine(folder, "run", "small.yaml", "--json"))
    assert {**summary, "report": ""} == {**once, "report": ""}
    for name in ("report.html", "report.md", "manifest.json"):
        assert (folder / "all" / name).read_bytes() == (folder / "reports/small" / name).read_bytes()
    assert json.loads(fine(folder, "status", "all", "--json"))["whole"] is True


@pytest.mark.parametrize(("share", "words"), [("3/2", "3 is not in 1..2"), ("half", "'half' is not K/N")])
def test_shares_that_are_none(folder, share, words):
    assert words in refused(folder, "run", "small.yaml", "--share", share)


LABELS = [
    "../x",
    "CON",
    "a/b",
    "<script>alert(1)</script>",
    "島が沈む",
    "جزیره غرق می‌شود",
    "🏝️ 🌊",
    "long " * 19 + "long",
]


def test_labels_in_any_script_and_nasty_ones(folder):
    """Safe file names, every label itself in page, CSV, JSON and results, numbers in the charts and a warning."""
    import csv

    import analysis

    cells = "".join(f"  - {{label: {json.dumps(label)}, start_tick: {i + 1}}}\n" for i, label in enumerate(LABELS))
    text = SMALL.split("cells:")[0].replace("trials: 300", "trials: 50") + "cells:\n" + cells
    (folder / "labels.yaml").write_text(text, encoding="utf-8")
    done = islandlab(folder, "run", "labels.yaml", "--json")
    assert done.returncode == 0
    assert "charts number the cells" in done.stderr
    assert [cell["cell"] for cell in json.loads(done.stdout)["cells"]] == LABELS
    out = folder / "reports" / "small"
    names = [str(path.relative_to(out)) for path in out.rglob("*")]
    assert all(re.fullmatch(r"[A-Za-z0-9./_-]+", name) for name in names)
    assert {path.name for path in folder.iterdir()} == {
        *(f"{n}.yaml" for n in ("small", "long", "broken", "labels")),
        "reports",
    }
    assert analysis.load(out).cells["cell"].to_list() == LABELS
    with open(out / "tables" / "win-rates.csv", encoding="utf-8", newline="") as file:
        assert [row["cell"] for row in csv.DictReader(file)] == LABELS
    page = (out / "report.html").read_text(encoding="utf-8")
    assert page.count("<script") == 2  # its own data and its own script
    for label in LABELS:
        assert label.replace("<", "&lt;").replace(">", "&gt;") in page
    drawn = (out / "figures" / "win-rates.svg").read_text(encoding="utf-8")
    assert "島" not in drawn
    assert all(f">{i + 1}<" in drawn for i in range(len(LABELS)))
    assert [row.split("  ")[0] for row in fine(folder, "status", str(out)).splitlines()[3:]] == LABELS


def test_a_policy_that_breaks_the_rules_is_code_3_with_the_replay_command(folder):
    """No player that ships does, so the game's `play` is made to say so."""
    program = (
        "import analysis.cli as cli\n"
        "from sim import registry\n"
        "from sim.core.game import PolicyFault\n"
        "def play(knobs, policy, seed, first, count):\n"
        "    raise PolicyFault('random', seed, 12, 'move to a sunk tile')\n"
        "object.__setattr__(registry.get('forbidden_island'), 'play', play)\n"
        "cli.main(['run', 'small.yaml'])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines() == [
        "islandlab: policy random: illegal choice in seed 7, trial 12: move to a sunk tile",
        "  islandlab replay small.yaml --trials 12",
    ]


# Replay, pipes, terminals


def test_replay_from_the_folder_of_a_run(folder):
    """The command that the report gives: the folder in place of the file tells the same game, and asks for the cell."""
    assert islandlab(folder, "run", "small.yaml", "--trials", "50", "--quiet").returncode == 0
    wanted = ["--cell", "legendary", "--trials", "17"]
    assert (
        islandlab(folder, "replay", "reports/small", *wanted).stdout
        == islandlab(folder, "replay", "small.yaml", *wanted).stdout
        != ""
    )
    bare = islandlab(folder, "replay", "reports/small", "--trials", "17")
    assert (bare.returncode, "has the cells 'novice', 'legendary'" in bare.stderr) == (2, True)
    empty = islandlab(folder, "replay", ".", "--trials", "17")
    assert (empty.returncode, empty.stderr) == (1, "islandlab: .: holds no results (no manifest.json)\n")


def test_replay_as_json_lines(folder):
    text = fine(folder, "replay", "small.yaml", "--cell", "legendary", "--trials", "0:3", "--format", "jsonl")
    events = [json.loads(line) for line in text.splitlines()]
    assert [event["trial"] for event in events if event["event"] == "setup"] == [0, 1, 2]
    assert events[-1]["event"] == "end"
    assert "Fools' Landing" in text


def test_replay_for_people(folder):
    text = fine(folder, "replay", "small.yaml", "--cell", "novice", "--trials", "17")
    assert text.startswith("== Forbidden Island, seed 7, trial 17, policy random ==")
    assert "-- Turn 1: " in text
    assert text.rstrip().splitlines()[-1].startswith(("==", "   "))
    assert max(map(len, text.splitlines())) <= 100


def test_a_reader_that_stops_early_is_no_error(folder):
    command = " ".join([*COMMAND, "replay", "small.yaml", "--cell", "novice", "--trials", "0:200"])
    done = subprocess.run(f"{command} | head -n 1", shell=True, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("== Forbidden Island")
    assert done.stderr == ""


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("no_color", [False, True])
def test_progress_is_drawn_on_a_terminal_and_respects_no_color(folder, no_color):
    import pty

    master, terminal = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    environment |= {"TERM": "xterm-256color", "COLUMNS": "80"} | ({"NO_COLOR": "1"} if no_color else {})
    process = subprocess.Popen(
        [*COMMAND, "run", "small.yaml"], cwd=folder, stdout=subprocess.PIPE, stderr=terminal, env=environment, text=True
    )
    os.close(terminal)
    drawn = b""
    try:
        while piece := os.read(master, 65536):
            drawn += piece
    except OSError:
        pass  # the other end is closed: the process has ended
    finally:
        os.close(master)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert "\x1b" not in output
    assert b"Writing the report" in drawn
    colours = re.findall(rb"\x1b\[[0-9;]*3[0-9;]*m", drawn)
    assert bool(colours) is not no_color


@pytest.mark.parametrize("interrupted", [True, False])
def test_an_interrupt_that_a_callback_swallows_is_still_one(capsys, interrupted):
    """Ctrl-C in a callback from compiled code: one line and exit 130; a failure without one stays a failure."""
    from analysis import cli

    def callback():
        if interrupted:
            raise KeyboardInterrupt

    @cli._guarded
    def command():
        ctypes.CFUNCTYPE(None)(callback)()
        raise RuntimeError("no compiled object yet")

    if interrupted:
        with pytest.raises(typer.Exit) as ended:
            command()
        assert ended.value.exit_code == 130
        assert capsys.readouterr() == ("", "islandlab: interrupted\n")
    else:
        with pytest.raises(RuntimeError, match="no compiled object yet"):
            command()


def test_weights_to_set_out_from_that_cannot_be_read_are_bad_input(folder):
    """No such file, a folder, no weights: one line, exit code 2, and no training begins."""
    pytest.importorskip("sklearn")
    for name, words in (("none.npz", "cannot be read"), (".", "cannot be read"), ("small.yaml", "no file of weights")):
        assert words in refused(folder, "train", "small.yaml", "--start", name, "--out", "t")
    assert not (folder / "t").exists()
