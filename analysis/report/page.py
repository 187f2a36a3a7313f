"""The report as one HTML page that needs nothing else: styles, pictures, a small script and its data are in it.

The page is complete without the script.  With it, charts show their values, tables sort, and each can be copied as CSV.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.plots import style
from analysis.plots.drawing import Spot
from analysis.report import csvs
from analysis.report.inline import Inliner, packed
from analysis.report.model import Block, Column, Figure, Report, Table, Value
from analysis.report.numbers import (
    cell_text,
    percent,
    percent_interval,
)
from analysis.report.settings import Settings
from analysis.stats import Estimate

# A table beside its picture must be small; otherwise it stands under it.
_BESIDE_COLUMNS, _BESIDE_ROWS = 4, 30
_TALL_ROWS = 16
_SHORT_ROWS = 3


@dataclass(frozen=True)
class Picture:
    """One figure at one width: its SVG and the places in it that tell a value."""

    svg: bytes
    spots: Sequence[Spot] = ()


Pictures = Mapping[tuple[str, int], Picture]


def to_html(report: Report, settings: Settings, pictures: Pictures) -> str:
    """The text of `report.html`; `pictures` holds each figure in both widths."""
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
    from markupsafe import Markup, escape

    environment = Environment(
        loader=PackageLoader("analysis.report"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    inliner = Inliner()

    def drawn(figure: Figure) -> Markup:
        parts = [f'<figure data-chart="{figure.name}">', '<div class="chart">']
        for width, kind in ((style.WIDE, "wide"), (style.NARROW, "narrow")):
            parts.append(inliner.picture(pictures[figure.name, width].svg, kind, str(escape(figure.alt))))
        parts.append("</div>")
        if figure.caption:
            parts.append(f"<figcaption>{escape(figure.caption)}</figcaption>")
        return Markup("\n".join([*parts, "</figure>\n"]))

    def grid(table: Table) -> Markup:
        return Markup(_table(table, escape))

    figures = {figure.name: drawn(figure) for figure in report.figures()}
    shown = [*report.tables(), *([settings.table] if settings.table else [])]
    css, script = (
        environment.loader.get_source(environment, name)[0]  # type: ignore[union-attr]
        for name in ("report.css", "report.js")
    )
    data = packed(
        {
            "charts": {f.name: _spots(f.name, pictures) for f in report.figures()},
            "tables": {table.name: csvs.to_csv(table) for table in shown},
        }
    )
    return environment.get_template("report.html.j2").render(
        report=report,
        settings=settings,
        picture=lambda figure: figures[figure.name],
        grid=grid,
        beside=_beside,
        folds=_folds,
        css=Markup(css + inliner.css()),
        script=Markup(script),
        data=Markup(data),
        policy=content_policy(f"\n{script}"),
    )


def content_policy(script: str) -> str:
    """The Content-Security-Policy of a page with this one inline script: nothing is loaded, nothing else runs."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"


def _spots(name: str, pictures: Pictures) -> dict[str, Any]:
    """Texts, and the boxes (x, y, width, height) in which they are told, one after another for both widths."""
    wide, narrow = pictures[name, style.WIDE].spots, pictures[name, style.NARROW].spots
    texts = [spot.text for spot in wide]
    if texts != [spot.text for spot in narrow]:
        raise ValueError(f"figure {name}: its two widths tell different values")
    return {
        "t": texts,
        "w": [number for spot in wide for number in spot.box],
        "n": [number for spot in narrow for number in spot.box],
    }


def _folds(block: Block) -> bool:
    """Whether a table stands alone and is long: it is folded on the screen."""
    if block.figure is not None or block.table is None:
        return False
    return (len(block.table.columns) - 1 if block.table.turned else len(block.table.rows)) > _SHORT_ROWS


def _beside(block: Block) -> bool:
    if block.figure is None or block.table is None:
        return False
    table = block.table
    columns, rows = len(table.columns), len(table.rows)
    if table.turned:
        columns, rows = rows + 1, columns - 1
    return columns <= _BESIDE_COLUMNS and rows <= _BESIDE_ROWS


def _table(table: Table, escape: Any) -> str:
    tall = len(table.rows) > _TALL_ROWS and not table.turned
    caption = escape(table.caption)
    lines = [
        # The caption stands outside of what scrolls, so that it is never cut.
        f'<div><div class="top"><p class="caption" aria-hidden="true" data-table="{table.name}">{caption}</p></div>',
        f'<div class="scroll{" tall" if tall else ""}" tabindex="0" role="region" aria-label="{caption}">',
        f'<table class="{"long" if tall else "short"}" aria-label="{caption}"{" data-sort" if _sorts(table) else ""}>',
    ]
    first, *others = table.columns
    if table.turned:
        lines.append('<thead><tr><td class="t"></td>')
        turned = [escape(cell_text(row[0], first)) for row in table.rows]
        lines += [f'<th scope="col"><bdi>{head}</bdi></th>' for head in turned]
        lines.append("</tr></thead><tbody>")
        for index, column in enumerate(others, 1):
            cells = "".join(_cell(row[index], column, escape) for row in table.rows)
            lines.append(f'<tr><th scope="row">{escape(column.title)}</th>{cells}</tr>')
    else:
        heads = "".join(f'<th scope="col"{_side(c)}>{escape(c.title)}</th>' for c in table.columns)
        lines.append(f"<thead><tr>{heads}</tr></thead><tbody>")
        for row in table.rows:
            cells = "".join(_cell(v, c, escape) for v, c in zip(row[1:], others, strict=True))
            lines.append(f'<tr><th scope="row"><bdi>{escape(cell_text(row[0], first))}</bdi></th>{cells}</tr>')
    lines.append("</tbody></table></div>")
    if table.note:
        lines.append(f'<p class="note">{escape(table.note)}</p>')
    return "\n".join([*lines, "</div>\n"])


def _sorts(table: Table) -> bool:
    """Whether the rows may be put in another order: two or more, and a column holds one kind of value."""
    if not table.turned:
        return len(table.rows) > 1
    return len(table.columns) > 2 and len({c.kind for c in table.columns[1:]}) == 1


def _side(column: Column) -> str:
    return ' class="t"' if column.kind in ("text", "label") else ""


def _cell(value: Value, column: Column, escape: Any) -> str:
    if isinstance(value, Estimate):
        estimate, interval = _parts(value, column)
        return f'<td data-v="{value.value:.6g}">{escape(estimate)} <small>{escape(interval)}</small></td>'
    text = escape(cell_text(value, column))
    number = "" if value is None or isinstance(value, str) else f' data-v="{value:.6g}"'
    return f"<td{_side(column)}{number}>{f'<bdi>{text}</bdi>' if column.kind == 'label' else text}</td>"


def _parts(value: Estimate, column: Column) -> tuple[str, str]:
    if column.kind == "share":
        return percent(value), percent_interval(value)
    both = cell_text(value, column)
    estimate, interval = both.split(" (")
    return estimate, interval.rstrip(")")
