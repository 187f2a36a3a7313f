"""The page, its Markdown and its tables: whole, escaped, self-contained, reproducible."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from analysis.report import content, csvs, files
from tests.report import made
from tests.report.whole import whole

VOID = {"meta", "link", "br", "hr", "img", "input"}


class _Checker(HTMLParser):
    """Collects tags, ids and references; notes tags that are not closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def _parsed(page: str) -> _Checker:
    checker = _Checker()
    checker.feed(page)
    checker.close()
    return checker


def _nasty():
    cells = [
        made.cell(
            label, 100 + 50 * i, (900 - 50 * i, 0, 0), places=(1, 2, 3, 4, 5), tiles={"<b>Camp</b>": 3, "Lake": 900}
        )
        for i, label in enumerate(made.NASTY)
    ]
    pairs = [made.pair(cells[0], cells[1]), made.pair(cells[2], cells[3])]
    return made.facts(
        cells, pairs, name="<i>name</i>", question="Is </h1> & <script> `safe` | here?", source="a: </pre><b>\n"
    )


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return files.write(made.many(2), tmp_path_factory.mktemp("plain"))


def test_everything_is_written(page: Path):
    """Page, Markdown, each figure as SVG and PNG, tables; nothing else is left over."""
    folder = page.parent
    assert sorted(p.name for p in folder.iterdir()) == ["figures", "report.html", "report.md", "tables"]
    names = {f.name for f in content.report(made.many(2)).figures()}
    assert {p.name for p in (folder / "figures").iterdir()} == {f"{n}.{e}" for n in names for e in ("svg", "png")}
    assert "win-rates.csv" in {p.name for p in (folder / "tables").iterdir()}


def test_same_bytes(tmp_path: Path):
    """Written twice: the same files with the same bytes."""
    for name in ("one", "two"):
        files.write(made.many(3), tmp_path / name)
    one = {p.relative_to(tmp_path / "one"): p.read_bytes() for p in (tmp_path / "one").rglob("*") if p.is_file()}
    two = {p.relative_to(tmp_path / "two"): p.read_bytes() for p in (tmp_path / "two").rglob("*") if p.is_file()}
    assert one == two


def test_old_figures_go(tmp_path: Path):
    """A figure or table of an earlier report does not stay beside the new ones; foreign files do."""
    files.write(made.many(2), tmp_path)
    for name in ("figures/old.svg", "tables/old.csv", "figures/notes.txt"):
        (tmp_path / name).write_text("x")
    files.write(made.many(2), tmp_path)
    assert not (tmp_path / "figures/old.svg").exists()
    assert not (tmp_path / "tables/old.csv").exists()
    assert (tmp_path / "figures/notes.txt").exists()


def test_well_formed_and_self_contained(page: Path):
    """Tags nest, ids are unique, every reference inside has its target, nothing is loaded from outside."""
    text = page.read_text("utf-8")
    found = _parsed(text)
    assert not found.wrong
    assert not found.open
    ids = [a["id"] for _, a in found.tags if "id" in a]
    assert len(ids) == len(set(ids))
    references = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', text))
    assert references <= set(ids)
    assert not [t for t, _ in found.tags if t in ("iframe", "object", "embed", "img")]
    assert not re.findall(r'(?:src|href)="(?!#|data:|http://www\.w3\.org)', text)


def test_pictures_have_alternatives_and_tables_have_names(page: Path):
    """Each inline picture is an image with a text; each table has a name and scoped headers."""
    found = _parsed(page.read_text("utf-8"))
    pictures = [a for t, a in found.tags if t == "svg"]
    assert len(pictures) >= 14
    assert all(a["role"] == "img" and a["aria-label"] for a in pictures)
    assert all(a.get("aria-label") for t, a in found.tags if t == "table")
    assert all(a.get("scope") in ("row", "col") for t, a in found.tags if t == "th")


def test_question_and_answer_come_first(page: Path):
    """The first screen: question, answer, one picture, before any section."""
    text = page.read_text("utf-8")
    head = text[: text.index("<section")]
    assert "<h1>Is it harder?</h1>" in head
    assert "percentage points more" in head
    assert head.count('class="wide"') == 1


def test_nasty_labels(tmp_path: Path):
    """Markup in names, questions, sources and tile names is text in the page and in the Markdown."""
    page = files.write(_nasty(), tmp_path)
    text = page.read_text("utf-8")
    found = _parsed(text)
    assert not found.wrong
    assert not found.open
    assert not [t for t, _ in found.tags if t in ("b", "i")]
    assert [a for t, a in found.tags if t == "script"] == [{"type": "text/plain", "id": "data"}, {}]
    assert "&lt;script&gt;alert" in text
    assert "初心者の島" in text
    assert "{{ 7*7 }}" in text
    plain = (tmp_path / "report.md").read_text("utf-8")
    assert "<script" not in plain
    assert "\\|" in plain
    assert "\x07" not in text + plain
    for line in plain.splitlines():
        if line.startswith("| "):
            assert len(re.findall(r"(?<!\\)\|", line)) >= 3


def test_markdown_tables_are_rectangular(page: Path):
    """Header, rule and rows of each Markdown table have the same number of columns, and its figures exist."""
    text = (page.parent / "report.md").read_text("utf-8")
    widths: list[int] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            widths.append(len(re.findall(r"(?<!\\)\|", line)))
        elif widths:
            assert len(set(widths)) == 1
            assert len(widths) >= 3
            widths = []
    for target in re.findall(r"\]\(((?:figures|tables)/[^)]+)\)", text):
        assert (page.parent / target).is_file()


def test_csv_is_exact():
    """An estimate takes five columns, shares stay between 0 and 1, quotes survive."""
    report = content.report(_nasty())
    table = next(t for t in report.tables() if t.name == "win-rates")
    rows = list(csv.DictReader(io.StringIO(csvs.to_csv(table))))
    assert len(rows) == len(made.NASTY)
    assert rows[0]["win_rate"] == "0.1"
    assert float(rows[0]["win_rate_low"]) < 0.1 < float(rows[0]["win_rate_high"])
    assert rows[0]["win_rate_method"] == "Wilson"
    assert rows[0]["cell"] == made.NASTY[0]


def test_every_table_agrees_with_its_columns():
    """Rows are as long as the header, names of tables are unique file names."""
    for facts in (made.many(1), made.many(48), whole(1), whole(2), whole(48), _nasty()):
        tables = content.report(facts).tables()
        assert len({t.name for t in tables}) == len(tables)
        for table in tables:
            assert re.fullmatch(r"[a-z0-9-]+", table.name)
            assert all(len(row) == len(table.columns) for row in table.rows), table.name


@pytest.mark.parametrize("count", [1, 7, 48])
def test_size(count: int, tmp_path: Path):
    """From one to 48 cells the page stays under 2 MB."""
    assert files.write(whole(count, 20_000), tmp_path).stat().st_size < 2_000_000


@pytest.mark.parametrize("won", [0, 1])
def test_one_game(won: int, tmp_path: Path):
    """A report of a single game."""
    one = made.cell("calm", won, (1 - won, 0, 0), places=(1, 0, 0, 0, 0), tiles={"Camp": 1, "Lake": 0})
    assert files.write(made.facts([one]), tmp_path).is_file()
