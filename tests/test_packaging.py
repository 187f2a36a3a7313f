"""The wheel holds the two packages and what they load at run time, and runs where nothing else is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOADED = (".py", ".json", ".npz", ".typed", ".j2", ".html", ".css", ".js", ".svg")
CONFIG = """\
name: smoke
question: Does it run?
game: forbidden_island
seed: 1
trials: 20
policy: idle
grid:
  difficulty: [novice, legendary]
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy of the sources, so that nothing is left behind in the tree."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in ("sim", "analysis", "tests", "configs"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    (source / "sim" / "forbidden_island" / "NOTES.txt").write_text("not loaded at run time")
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = out.glob("*.whl")
    return found


def test_the_wheel_holds_the_two_packages_and_nothing_else(wheel):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    expected = {
        path.relative_to(ROOT).as_posix()
        for package in ("sim", "analysis")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix in LOADED and "__pycache__" not in path.parts
    }
    assert names == expected


def test_the_wheel_names_its_licence_and_command(wheel):
    archive = zipfile.ZipFile(wheel)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    info = f"islandlab-{version}.dist-info"
    assert f"Name: islandlab\nVersion: {version}" in archive.read(f"{info}/METADATA").decode()
    assert "islandlab = analysis.cli:main" in archive.read(f"{info}/entry_points.txt").decode()
    assert "MIT License" in archive.read(f"{info}/licenses/LICENSE").decode()


def test_installed_alone_it_runs(wheel, tmp_path):
    """An empty environment, the wheel and its declared dependencies: nothing of the source tree is in reach."""
    home = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    folder = home / ("Scripts" if os.name == "nt" else "bin")
    install = [folder / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    installed = subprocess.run([*install, str(wheel)], capture_output=True, text=True, check=False)
    if any(word in installed.stderr for word in ("ConnectionError", "ConnectTimeout", "name resolution")):
        # No package index in reach: lend the dependencies of this environment (not islandlab, which is a .pth there).
        installed = subprocess.run([*install, "--no-deps", str(wheel)], capture_output=True, text=True, check=False)
        (site,) = home.glob("[Ll]ib/**/site-packages")
        (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    assert installed.returncode == 0, installed.stderr

    config = tmp_path / "smoke.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}

    def islandlab(*arguments):
        command = [folder / "islandlab", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert islandlab("--version").startswith("islandlab 0.")
    assert "smoke.yaml" in islandlab("validate", str(config))
    islandlab("run", str(config), "--quiet")
    assert (tmp_path / "reports" / "smoke" / "report.html").exists()
