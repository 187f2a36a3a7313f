"""`make bench`: speeds, start-up times and memory beside their goals (goals.json).

Nothing is asserted: times belong to a machine, and a reader judges them. A benchmark's name holds its size.
`python tests/bench warm` runs only those whose name holds a word; several words mean any of them.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
GOALS: dict[str, dict[str, Any]] = json.loads((HERE / "goals.json").read_text(encoding="utf-8"))
SEED = 2024
CHUNK = 10_000
PLAYERS, START = 4, "novice"
MILLION = """\
name: a-million
question: How much harder is legendary than novice?
game: forbidden_island
seed: 2024
trials: 500000
policy: cooperative
rules:
  players: 4
grid:
  difficulty: [novice, legendary]
"""
ONE_GAME = """
import time
began = time.perf_counter()
from sim import registry
game = registry.get("forbidden_island")
knobs = game.resolve({"players": 4, "difficulty": "novice"})
game.play(knobs, game.resolve_policy("cooperative"), 1, 0, 1)
print(time.perf_counter() - began)
"""


def line(name: str, value: float, shown: str, more: str = "") -> None:
    """One result: name, value, ratio to the goal (above 1 is better than asked), what else there is to say."""
    goal = GOALS.get(name)
    ratio = ""
    if goal is not None:
        better = value / goal["goal"] if goal["better"] == "more" else goal["goal"] / value
        ratio = f"{better:5.2f} × goal ({goal['goal']:,} {goal['unit']})"
    print(f"{name:<62}{shown:>16}  {ratio:<32}  {more}".rstrip(), flush=True)


def _play(policy: str, games: int, threads: int = 1) -> tuple[float, int]:
    """Seconds for so many games, compilation apart, and how many of them were won."""
    from sim import registry

    game = registry.get("forbidden_island")
    knobs = game.resolve({"players": PLAYERS, "difficulty": START})
    player = game.resolve_policy(policy)
    labels = next(column.labels for column in game.columns if column.name == "result") or ()
    won = labels.index("won")

    def chunk(first: int) -> int:
        return int((game.play(knobs, player, SEED, first, CHUNK).games["result"] == won).sum())

    chunk(0)
    began = time.perf_counter()
    if threads == 1:
        wins = sum(map(chunk, range(0, games, CHUNK)))
    else:
        with ThreadPoolExecutor(threads) as pool:
            wins = sum(pool.map(chunk, range(0, games, CHUNK)))
    return time.perf_counter() - began, wins


def _win_rate(wins: int, games: int) -> str:
    from analysis.stats import rate

    e = rate(wins, games)
    return f"win rate {100 * e.value:.1f} % [{100 * e.low:.1f}, {100 * e.high:.1f}]"


def _rates(policy: str, games: int) -> None:
    seconds, wins = _play(policy, games)
    name = f"bench_forbidden_island_{PLAYERS}p_{START}_{policy}_{games // 1000}k"
    line(name, games / seconds, f"{games / seconds:,.0f} games/s", _win_rate(wins, games))


def _two_threads(games: int) -> None:
    one, wins = _play("cooperative", games)
    two, same = _play("cooperative", games, threads=2)
    agreed = "same results" if wins == same else "RESULTS DIFFER"
    more = f"{games / two:,.0f} games/s, {agreed}"
    line(
        f"bench_forbidden_island_4p_novice_cooperative_{games // 1000}k_2_threads",
        one / two,
        f"{one / two:.2f} ×",
        more,
    )


def _measured(command: list[str], folder: str, **environment: str) -> tuple[float, float, str]:
    """Seconds, peak memory in MiB and output of one process."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    output, problems = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)  # or Popen would wait once more
    if status:
        raise SystemExit(f"{' '.join(command[:4])} failed:\n{problems}")
    peak = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return time.perf_counter() - began, peak, output


def _starts() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", ONE_GAME]
        for name in ("bench_cold_compile_cooperative_1_game", "bench_warm_start_cooperative_1_game"):
            seconds, _, inside = _measured(command, folder, ISLANDLAB_CACHE_DIR=str(Path(folder) / "cache"))
            line(name, seconds, f"{seconds:.2f} s", f"of it {float(inside):.2f} s after Python started")


def _commands() -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "million.yaml").write_text(MILLION, encoding="utf-8")
        islandlab = [sys.executable, "-m", "analysis.cli"]
        for name, arguments in (
            ("bench_command_help", ["--help"]),
            ("bench_command_validate_2_cells", ["validate", "million.yaml"]),
        ):
            seconds, _, _ = _measured([*islandlab, *arguments], folder)
            line(name, seconds, f"{seconds:.2f} s")


def _million() -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "million.yaml").write_text(MILLION, encoding="utf-8")
        islandlab = [sys.executable, "-m", "analysis.cli", "run", "million.yaml", "--quiet"]
        small = 0.0
        for trials, size in (("50000", "100k"), ("500000", "1m")):
            command = [*islandlab, "--trials", trials, "--out", size]
            seconds, peak, _ = _measured(command, folder)
            name = f"bench_yaml_to_report_cooperative_{size}"
            line(name, seconds, f"{seconds:.1f} s")
            growth = f"{peak / small:.2f} × the memory of a tenth of the games" if small else ""
            line(f"{name}_memory", peak, f"{peak:,.0f} MiB", growth)
            small = peak


def _reports() -> None:
    """The report from stored results alone, of a million games and of ten times as many."""
    with tempfile.TemporaryDirectory() as folder:
        small = 0.0
        for trials, size in ((500_000, "1m"), (5_000_000, "10m")):
            # The project's own folder, so that its packages are found.
            made = str(Path(folder) / size)
            _measured([sys.executable, str(HERE / "copies.py"), made, str(trials)], str(HERE.parents[1]))
            command = [sys.executable, "-m", "analysis.cli", "report", made, "--quiet"]
            seconds, peak, _ = _measured(command, str(HERE.parents[1]))
            page = (Path(made) / "report.html").stat().st_size
            name = f"bench_store_to_report_{size}"
            line(name, seconds, f"{seconds:.1f} s", f"a page of {page / 1000:,.0f} kB")
            growth = f"{peak / small:.2f} × the memory of a tenth of the games" if small else ""
            line(f"{name}_memory", peak, f"{peak:,.0f} MiB", growth)
            small = peak


def _cluster() -> None:
    from cluster import measure

    found = measure()
    (wall, used), (wall_there, used_there) = found.threads, found.workers
    agreed = "same bytes" if found.same else "BYTES DIFFER"
    more = f"{wall_there:.1f} s against {wall:.1f} s; processor time {used_there:.1f} s against {used:.1f} s; {agreed}"
    line("bench_dask_2_workers_cooperative_1m", wall_there / wall, f"{wall_there / wall:.2f} × threads", more)
    line("bench_dask_2_workers_cooperative_1m_cpu", used_there / used, f"{used_there / used:.2f} × threads")


def _benchmarks() -> Iterator[tuple[str, Callable[[], None]]]:
    yield "idle", lambda: _rates("idle", 500_000)
    yield "random", lambda: _rates("random", 500_000)
    yield "novice", lambda: _rates("novice", 100_000)
    yield "casual", lambda: _rates("casual", 100_000)
    yield "cooperative", lambda: _rates("cooperative", 100_000)
    yield "threads", lambda: _two_threads(200_000)
    yield "cold warm start", _starts
    yield "command", _commands
    yield "million", _million
    yield "report", _reports
    yield "cluster dask", _cluster


def main(words: list[str]) -> None:
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}")
    for name, benchmark in _benchmarks():
        if not words or any(word in name for word in words):
            benchmark()


if __name__ == "__main__":
    main(sys.argv[1:])
