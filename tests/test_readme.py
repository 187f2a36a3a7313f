"""What the README tells a reader to type works: every fenced command is run, in order, in an empty folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)
# `make test` is what is running now; `make install` and activating it are how its environment came to be.
NOT_RUN = {"make test", "make install", ". .venv/bin/activate"}
DEMO = "make demo"


def blocks(kind: str) -> list[str]:
    return [text for name, text in BLOCKS if name == kind]


def commands() -> list[str]:
    return [line for text in blocks("sh") for line in text.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An empty folder with the README's own configuration, saved under the name that the README gives it."""
    home = tmp_path_factory.mktemp("reader")
    (config,) = blocks("yaml")
    (saved,) = re.findall(r"Save this as `(.+?)`", TEXT)
    (home / saved).write_text(config, encoding="utf-8")
    return home


def shell(command: str, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # What a `make test` around us leaves behind would make a `make` in here talk of folders.
    inherited = {key: value for key, value in os.environ.items() if key not in ("MAKELEVEL", "MAKEFLAGS", "MFLAGS")}
    environment = {**inherited, "PATH": path}
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_every_fence_is_of_a_kind_that_is_tested():
    assert {name for name, _ in BLOCKS} <= {"sh", "yaml", "python"}
    assert NOT_RUN | {DEMO} <= set(commands())


def test_the_commands_and_the_python_run_in_order(folder):
    """One test, because each step needs the files of the one before."""
    for command in commands():
        if command not in NOT_RUN | {DEMO}:
            shell(command, folder)
    assert (folder / "reports/sandbags/report.html").exists()
    assert (folder / "games.jsonl").read_text(encoding="utf-8").count('"event": "setup"') == 5
    for program in blocks("python"):
        done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "as printed" in done.stdout


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_demo_writes_a_report_and_six_lines(tmp_path):
    """The same target with fewer games and another folder; only ARGS differs from what a reader types."""
    if not (ROOT / ".venv/.installed").exists():
        pytest.skip("the tests run outside .venv; make demo would set one up")
    lines = shell(f'{DEMO} ARGS="--trials 200 --out {tmp_path / "demo"}"', ROOT).splitlines()
    assert [line.split("  ")[0] for line in (lines[-7], lines[-1])] == ["Question", "Report"]
    assert lines[-1].split()[-1] == str(tmp_path / "demo" / "report.html")
    assert (tmp_path / "demo" / "report.html").exists()


def test_links_and_pictures_exist():
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_all_pages_of_the_documentation_are_in_its_index():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    missing = [
        page.name for page in (ROOT / "docs").glob("*.md") if page.name != "README.md" and page.name not in index
    ]
    assert missing == []
