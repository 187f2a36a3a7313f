"""The report as Markdown: the same findings and tables, the figures as links."""

from __future__ import annotations

import textwrap

from analysis.report.model import Block, Figure, Report, Table
from analysis.report.numbers import cell_text
from analysis.report.settings import Settings
from analysis.report.text import markdown as escaped
from analysis.report.text import tidy


def to_markdown(report: Report, settings: Settings) -> str:
    """The text of `report.md`."""
    lines = [f"# {escaped(report.question)}", "", f"{escaped(report.game)} · {escaped(tidy(report.name))}", ""]
    for sentence in report.answer:
        lines += [escaped(sentence), ""]
    lines += [*_figure(report.lead), escaped(report.size), ""]
    if report.numbered:
        lines += ["The charts number the cells:", ""]
        lines += [f"{i}. {escaped(tidy(n))}" for i, n in enumerate(report.numbered, 1)]
        lines.append("")
    for section in report.sections:
        lines += [f"## {escaped(section.heading)}", ""]
        for sentence in section.text:
            lines += [escaped(sentence), ""]
        for block in section.blocks:
            lines += _block(block)
        if section.how:
            lines += [f"*How to read this:* {escaped(section.how)}", ""]
    lines += ["## What was played, and with what", ""]
    if settings.table:
        lines += _table(settings.table)
    if settings.common:
        lines += ["The same in every cell:", ""]
        lines += [f"- {escaped(key)}: {escaped(value)}" for key, value in settings.common] + [""]
    if settings.source:
        # Indented, so that no fence in the text can end it.
        lines += ["The experiment, as written:", "", textwrap.indent(settings.source.rstrip(), "    "), ""]
    lines += ["Provenance:", ""]
    lines += [f"- {escaped(key)}: {escaped(value)}" for key, value in settings.provenance]
    lines += ["", escaped(settings.methods)]
    return "\n".join(lines).rstrip() + "\n"


def _block(block: Block) -> list[str]:
    lines: list[str] = []
    if block.figure is not None:
        lines += _figure(block.figure)
    if block.table is not None:
        lines += _table(block.table)
    return lines


def _figure(figure: Figure) -> list[str]:
    lines = [f"![{escaped(figure.alt)}](figures/{figure.name}.svg)", ""]
    return [*lines, escaped(figure.caption), ""] if figure.caption else lines


def _table(table: Table) -> list[str]:
    header, right, rows = shown(table)
    lines = [f"{escaped(table.caption)} ([CSV](tables/{table.name}.csv))", ""]
    lines.append(f"| {' | '.join(escaped(h) or ' ' for h in header)} |")
    lines.append(f"|{'|'.join('---:' if r else '---' for r in right)}|")
    lines += [f"| {' | '.join(escaped(tidy(v)) for v in row)} |" for row in rows]
    return [*lines, "", escaped(table.note), ""] if table.note else [*lines, ""]


def shown(table: Table) -> tuple[list[str], list[bool], list[list[str]]]:
    """Header, whether a column is right-aligned, and rows, as text and turned where the table asks for it."""
    rows = [[cell_text(v, c) for v, c in zip(row, table.columns, strict=True)] for row in table.rows]
    titles = [c.title for c in table.columns]
    if table.turned:
        turned = [[title, *(row[i] for row in rows)] for i, title in enumerate(titles) if i > 0]
        return ["", *(row[0] for row in rows)], [False] + [True] * len(rows), turned
    return titles, [c.kind not in ("text", "label") for c in table.columns], rows
