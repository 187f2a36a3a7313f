"""Values and names in messages: short, safe to print, with the nearest name that exists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

LONGEST = 60
"""Characters that a shown value takes at most."""


def shown(value: Any, longest: int = LONGEST) -> str:
    """A value as it would be written in YAML, on one line of at most `longest` characters.

    Text stands in double quotes, so `"3"` and `3` differ; what cannot be printed is escaped; long values are cut
    short with `…`.  Works for anything, however deep, long or self-containing.
    """
    return _cut(_shown(value, 3, longest), longest)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _shown(value: Any, depth: int, longest: int) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return _quoted(value, longest)
        case int():
            # Python refuses to write out very long integers, and nobody would read them.
            digits = int(value.bit_length() * 0.30103) + 1
            return int.__repr__(value) if digits <= 40 else f"a whole number of about {digits} digits"
        case float():
            return float.__repr__(value)
        case Mapping():
            return "{" + _members((_pair(item, depth, longest) for item in value.items()), value, depth) + "}"
        case list() | tuple() | set() | frozenset():
            return "[" + _members((_shown(item, depth - 1, longest) for item in value), value, depth) + "]"
        case _:
            return f"a {type(value).__name__}"


def _pair(item: tuple[Any, Any], depth: int, longest: int) -> str:
    key = item[0] if isinstance(item[0], str) and item[0].isidentifier() else _shown(item[0], depth - 1, longest)
    return f"{key}: {_shown(item[1], depth - 1, longest)}"


def _members(texts: Iterable[str], value: Any, depth: int) -> str:
    if not len(value):
        return ""
    if depth == 0:
        return "…"
    first = [text for text, _ in zip(texts, range(8), strict=False)]
    return ", ".join([*first, "…"] if len(value) > 8 else first)


def _quoted(text: str, longest: int) -> str:
    cut = len(text) > longest - 2
    out = ["\\" + c if c in '"\\' else c if c.isprintable() else _escape(c) for c in text[:longest]]
    return '"' + _cut("".join(out) + ("…" if cut else ""), longest - 2) + '"'


def _escape(character: str) -> str:
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
    code = ord(character)
    return short.get(character) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def nearest(name: Any, options: Iterable[str]) -> str | None:
    """The option most like `name` (letter case aside), or None when nothing is close or `name` is no text."""
    if not isinstance(name, str) or len(name) > 100:
        return None
    folded = {option.casefold().replace("-", "_"): option for option in options}
    match = get_close_matches(name.strip().casefold().replace("-", "_"), folded, n=1, cutoff=0.6)
    return folded[match[0]] if match else None


def listed(options: Iterable[Any]) -> str:
    """Options in a row: `novice, normal, elite, legendary`."""
    return ", ".join(option if isinstance(option, str) else shown(option) for option in options)


def not_one_of(value: Any, options: Iterable[str]) -> str:
    """`"novise" is not one of novice, normal, elite, legendary; did you mean novice?`"""
    options = tuple(options)
    guess = nearest(value, options)
    return f"{shown(value)} is not one of {listed(options)}" + (f"; did you mean {guess}?" if guess else "")


def unknown(what: str, name: Any, options: Iterable[str]) -> str:
    """`unknown knob "player"; did you mean players?`, or every option when none is close."""
    options = tuple(options)
    guess = nearest(name, options)
    allowed = f"allowed: {listed(options)}" if options else "there are none"
    return f"unknown {what} {shown(name)}; " + (f"did you mean {guess}?" if guess else allowed)
