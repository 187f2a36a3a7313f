"""Plain text in columns, for terminals and files."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def columns(head: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Lines of columns as wide as what they hold; the columns `right` are numbers, set to the right."""
    widths = [max(width(row[at]) for row in (head, *rows)) for at in range(len(head))]
    lines = []
    for row in (head, *rows):
        cells = []
        for at, (text, wide) in enumerate(zip(row, widths, strict=True)):
            blank = " " * (wide - width(text))
            cells.append(blank + text if at in right else text + blank)
        lines.append("  ".join(cells).rstrip())
    return lines


def width(text: str) -> int:
    """Places that a terminal gives the text: two for East Asian wide characters and emoji, none for what combines."""
    from rich.cells import cell_len

    return len(text) if text.isascii() else cell_len(text)
