"""Numbers as a reader sees them.  Every estimate is written with its interval or stands beside it."""

from __future__ import annotations

from math import isinf

from analysis.report.model import Column, Value
from analysis.report.text import brief
from analysis.stats import Estimate

# A number and its unit stay on one line.
GAP = "\u00a0"
MINUS = "−"


def count(n: int) -> str:
    """20000 as "20,000"."""
    return f"{n:,}"


def games(n: int) -> str:
    """1 as "1 game"."""
    return f"{count(n)} game{'' if n == 1 else 's'}"


def _digits(half_width: float, scaled: float) -> int:
    """Decimals of a percentage: more only where the interval, or a rare event, gives them a meaning."""
    return 2 if half_width < 0.05 or (0 < abs(scaled) < 0.1) else 1


def _fixed(value: float, digits: int) -> str:
    if isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    text = f"{abs(value):.{digits}f}"
    zero = not text.strip("0.")
    return text if value >= 0 or zero else MINUS + text


def share(value: float, digits: int = 1) -> str:
    """0.558 as "55.8 %"."""
    return f"{_fixed(100 * value, digits)}{GAP}%"


def percent(e: Estimate) -> str:
    """The estimate alone: "55.8 %"; all and none without decimals."""
    if e.value in (0.0, 1.0):
        return share(e.value, 0)
    return share(e.value, _digits(100 * e.half_width, 100 * e.value))


def percent_interval(e: Estimate) -> str:
    """The interval alone: "55.1 to 56.5 %"."""
    digits = _digits(100 * e.half_width, 100 * e.value)
    return f"{_fixed(100 * e.low, digits)} to {_fixed(100 * e.high, digits)}{GAP}%"


def percent_with(e: Estimate) -> str:
    """Both: "55.8 % (55.1 to 56.5)"."""
    digits = _digits(100 * e.half_width, 100 * e.value)
    return f"{percent(e)} ({_fixed(100 * e.low, digits)} to {_fixed(100 * e.high, digits)})"


def signed(value: float, digits: int = 1) -> str:
    """A difference in percentage points with its sign: "+3.2"."""
    text = _fixed(100 * value, digits)
    return text if text.startswith(MINUS) or not text.strip("0.") else f"+{text}"


def points_with(e: Estimate) -> str:
    """A difference of shares with its interval: "−47.3 (−48.0 to −46.6)"."""
    digits = _digits(100 * e.half_width, 100.0)
    return f"{signed(e.value, digits)} ({signed(e.low, digits)} to {signed(e.high, digits)})"


def distance(e: Estimate) -> tuple[str, str]:
    """Size and interval of a difference without signs, for "… points more often": ("47.3", "46.6 to 48.0")."""
    digits = _digits(100 * e.half_width, 100.0)
    low, high = (e.low, e.high) if e.value >= 0 else (-e.high, -e.low)
    return _fixed(100 * abs(e.value), digits), f"{_fixed(100 * low, digits)} to {_fixed(100 * high, digits)}"


def number(value: float) -> str:
    """Turns, ticks: whole where whole, else one decimal (two below 1)."""
    if float(value).is_integer():
        return _fixed(value, 0)
    return _fixed(value, 1 if abs(value) >= 1 else 2)


def number_with(e: Estimate) -> str:
    """A number with its interval: "14.2 (14.1 to 14.3)"."""
    whole = all(float(v).is_integer() for v in (e.value, e.low, e.high))
    digits = 0 if whole else (1 if e.half_width >= 0.05 else 2)
    return f"{_fixed(e.value, digits)} ({_fixed(e.low, digits)} to {_fixed(e.high, digits)})"


def signed_number_with(e: Estimate) -> str:
    """A difference of numbers with its interval: "−3.20 (−3.41 to −2.99)"."""
    digits = 1 if e.half_width >= 0.5 else 2
    parts = [_fixed(v, digits) for v in (e.value, e.low, e.high)]
    value, low, high = (p if p.startswith(MINUS) or not p.strip("0.") else f"+{p}" for p in parts)
    return f"{value} ({low} to {high})"


def chance(p: float) -> str:
    """A p-value: never "0"."""
    return "< 0.0001" if p < 0.0001 else (f"{p:.4f}" if p < 0.01 else f"{p:.2f}")


def cell_text(value: Value, column: Column) -> str:
    """A table's value as text."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return brief(value) if column.kind == "label" else value
    if isinstance(value, Estimate):
        if column.kind == "share":
            return percent_with(value)
        kinds = {"points": points_with, "change": signed_number_with}
        return kinds.get(column.kind, number_with)(value)
    if column.kind == "share":
        return share(value)
    if column.kind == "points":
        return signed(value)
    if column.kind == "chance":
        return chance(value)
    return count(value) if isinstance(value, int) else number(value)


def join(parts: list[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""
