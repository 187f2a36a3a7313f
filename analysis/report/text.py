"""Names from a configuration, made safe for sentences and for the notations of the outputs."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 60
# First strong isolate and its end: a right-to-left name must not turn the sentence around it.
_ISOLATE, _END = "\u2068", "\u2069"


# What joins letters and what keeps them apart: Persian words and many emoji are other words without them.
_JOINERS = "\u200c\u200d"


def tidy(label: str) -> str:
    """One line without control characters."""
    kept = "".join(
        " " if c.isspace() else c for c in label if c.isspace() or unicodedata.category(c)[0] != "C" or c in _JOINERS
    )
    return " ".join(kept.split())


_SETTINGS = re.compile(r"\w+=\S+(?: \w+=\S+)*")


def brief(label: str) -> str:
    """A label without the knobs whose values speak for themselves.

    The cells of a grid are called like `difficulty=novice players=2`: "novice players=2" says it as well.  All cells of
    a grid vary the same knobs in the same order, so the brief names stay different.
    """
    line = tidy(label)
    if not _SETTINGS.fullmatch(line):
        return line
    parts = (part.split("=", 1) for part in line.split(" "))
    return " ".join(value if value[:1].isalpha() and value not in _FLAGS else f"{key}={value}" for key, value in parts)


_FLAGS = ("true", "false", "null", "True", "False", "None")


def name(label: str) -> str:
    """A cell's name inside a sentence: brief, at most 60 characters."""
    line = brief(label)
    if len(line) > LONGEST:
        line = line[: LONGEST - 1].rstrip() + "…"
    if any(unicodedata.bidirectional(c) in ("R", "AL") for c in line):
        return f"{_ISOLATE}{line}{_END}"
    return line


def sentence(text: str) -> str:
    """`text` with a capital first letter, unless it begins with something like `players=2`."""
    first = text.split(" ", 1)[0]
    return text if "=" in first or "_" in first else text[:1].upper() + text[1:]


_SPECIAL = re.compile(r"([\\`*_\[\]#|~$])")


def markdown(text: str) -> str:
    """`text` so that Markdown shows it as it is, HTML in it included."""
    line = " ".join(text.split(" ")).replace("\n", " ")
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", line)
