"""Tables as CSV: full precision, an estimate in five columns, one header line."""

from __future__ import annotations

import csv
import io

from analysis.report.model import Table
from analysis.stats import Estimate

_PARTS = ("low", "high", "n", "method")


def to_csv(table: Table) -> str:
    """The table as CSV text (RFC 4180 quoting, LF line ends); shares are between 0 and 1."""
    wide = [any(isinstance(row[i], Estimate) for row in table.rows) for i in range(len(table.columns))]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    header: list[str] = []
    for column, estimates in zip(table.columns, wide, strict=True):
        header.append(column.key)
        if estimates:
            header.extend(f"{column.key}_{part}" for part in _PARTS)
    writer.writerow(header)
    for row in table.rows:
        line: list[str] = []
        for value, estimates in zip(row, wide, strict=True):
            line.extend(_fields(value, estimates))
        writer.writerow(line)
    return stream.getvalue()


def _fields(value: object, estimates: bool) -> list[str]:
    if isinstance(value, Estimate):
        return [_plain(value.value), _plain(value.low), _plain(value.high), str(value.n), value.method]
    return [_plain(value)] + [""] * (len(_PARTS) if estimates else 0)


def _plain(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)
