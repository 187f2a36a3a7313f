"""`islandlab chart` and replays as pages; and what is said of labels that figures cannot write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_cli import COMMAND, SMALL, fine, islandlab, refused

assert COMMAND


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two finished runs: plain labels, and one in Japanese."""
    made = tmp_path_factory.mktemp("charts")
    japanese = SMALL.replace("label: legendary", "label: 伝説の島").replace("[novice, legendary]", "[novice, 伝説の島]")
    for name, text in (("small", SMALL), ("japanese", japanese)):
        (made / f"{name}.yaml").write_text(text, encoding="utf-8")
        islandlab(made, "run", f"{name}.yaml", "--quiet", "--out", name)
    return made


def test_the_charts_are_listed(folder):
    """Without a name: every figure of the report, one a line, with what it shows."""
    lines = fine(folder, "chart", "small").splitlines()
    names = {line.split()[0] for line in lines[1:]}
    assert names == {path.stem for path in (folder / "small/figures").glob("*.svg")}
    assert all(len(line.split()) > 2 for line in lines[1:])


@pytest.mark.parametrize(("suffix", "head"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_one_chart_in_each_format(folder, suffix, head):
    """The suffix decides; the same bytes each time, and the same as in the report's own folder."""
    for out in (f"one.{suffix}", f"other.{suffix.upper()}"):
        assert fine(folder, "chart", "small", "loss-causes", "--out", out) == ""
    one = (folder / f"one.{suffix}").read_bytes()
    assert one.startswith(head)
    assert one == (folder / f"other.{suffix.upper()}").read_bytes()
    kept = folder / "small/figures" / f"loss-causes.{suffix}"
    assert suffix == "pdf" or one == kept.read_bytes()
    assert not re.search(rb"CreationDate|Matplotlib", one)


def test_without_a_file_it_is_called_like_the_chart(folder):
    assert fine(folder, "chart", "small", "win-rates") == ""
    assert (folder / "win-rates.svg").is_file()


def test_what_is_refused(folder):
    """An unknown name lists the charts; a suffix that is none; a file without a chart; a folder without a run."""
    line = refused(folder, "chart", "small", "loss-cuases", "--out", "x.png")
    assert line.startswith('islandlab: chart: "loss-cuases" is not one of how-games-end, win-rates, ')
    assert line.endswith("did you mean loss-causes?")
    assert not (folder / "x.png").exists()
    assert ".svg, .png, .pdf" in refused(folder, "chart", "small", "loss-causes", "--out", "x.jpeg")
    assert "needs the name of a chart" in refused(folder, "chart", "small", "--out", "x.png")
    assert "holds no results" in refused(folder, "chart", "nowhere", code=1)
    line = refused(folder, "chart", "small", "loss-causes", "--out", "no/x.png", code=1)
    assert line == "islandlab: no/x.png: No such file or directory"


def test_labels_that_figures_cannot_write_are_numbered_with_a_warning(folder):
    """The figure holds numbers, the warning names the first such label, and the page says which number is which."""
    done = islandlab(folder, "report", "japanese", "--quiet")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        'islandlab: charts number the cells, because the label "伝説の島" needs letters that their font lacks; the '
        "page lists the numbers"
    ]
    assert "伝説の島" not in (folder / "japanese/figures/win-rates.svg").read_text("utf-8")
    page = (folder / "japanese/report.html").read_text("utf-8")
    assert "<li><bdi>novice</bdi></li>\n<li><bdi>伝説の島</bdi></li>" in page
    assert islandlab(folder, "chart", "japanese", "win-rates").stderr == done.stderr
    assert islandlab(folder, "report", "small", "--quiet").stderr == ""


def test_a_replay_as_a_page(folder):
    """One page on stdout or in a file, of one game or several; an unknown form names what there is."""
    page = fine(folder, "replay", "small.yaml", "--cell", "novice", "--trials", "3", "--format", "html")
    assert page.startswith("<!DOCTYPE html>")
    assert fine(folder, "replay", "small", "--cell", "novice", "--trials", "3", "--format", "html") == page
    assert (
        fine(folder, "replay", "small", "--cell", "novice", "--trials", "3:5", "--format", "html", "--out", "x.html")
        == ""
    )
    assert (folder / "x.html").read_text("utf-8").count('class="board"') == 2
    line = refused(folder, "replay", "small.yaml", "--cell", "novice", "--trials", "3", "--format", "xml")
    assert line.endswith("'xml' is none of text, jsonl and html")
    told = fine(folder, "replay", "small.yaml", "--cell", "novice", "--trials", "3", "--out", "x.txt")
    assert told == ""
    assert (folder / "x.txt").read_text("utf-8").startswith("== Forbidden Island")
