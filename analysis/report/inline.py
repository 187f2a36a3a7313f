"""Pictures and data as they stand in a page: small, and the same bytes every time."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

from analysis.plots import style

# The page's scheme (light, dark, print) decides these colours of an inline picture; data keep theirs.
_THEMED = {
    style.INK: "var(--ink)",
    style.MUTED: "var(--muted)",
    style.RULE: "var(--rule)",
    style.PAPER: "var(--paper)",
    style.QUIET: "var(--quiet)",
}
_STYLE = re.compile(r' style="([^"]*)"')
_ID = re.compile(r' id="([^"]*)"')
_REFERENCE = re.compile(r'(url\(#|href="#)([^)"]+)')
_PATH = re.compile(r' d="([^"]*)"')


class Inliner:
    """Turns SVG files into elements of one page: what many of their parts look like is said once, in `css()`."""

    def __init__(self) -> None:
        self._classes: dict[str, str] = {}
        self._ids = 0

    def picture(self, svg: bytes, kind: str, alt: str) -> str:
        """The SVG element; `kind` is its class, `alt` its text, escaped."""
        text = svg.decode("utf-8")
        text = text[text.index("<svg") :].rstrip()
        for colour, variable in _THEMED.items():
            text = text.replace(f": {colour}", f": {variable}")
        head, rest = text.split(">", 1)
        box = head[head.index('viewBox="') :].split('"')[1]
        # The style element of a file would apply to the whole page.
        rest = rest.replace('<style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style>', "")
        rest = re.sub(r"<defs>\s*</defs>", "", rest)
        if not re.search(r"<g\s", rest):
            # Groups that say nothing of their parts.
            rest = re.sub(r"</?g>", "", rest)
        names: dict[str, str] = {}
        rest = _ID.sub(lambda m: f' id="{names.setdefault(m.group(1), self._name())}"', rest)
        rest = _REFERENCE.sub(lambda m: m.group(1) + names[m.group(2)], rest)
        rest = _STYLE.sub(self._class, rest)
        rest = _PATH.sub(lambda m: f' d="{_short(m.group(1))}"', rest)
        rest = re.sub(r">\s+<", "><", rest).replace("xlink:href", "href").strip()
        return (
            f'<svg class="{kind}" role="img" aria-label="{alt}" viewBox="{box}"'
            f' xmlns="http://www.w3.org/2000/svg" stroke-linejoin="round">{rest}'
        )

    def css(self) -> str:
        """The rules of all classes that the pictures so far use."""
        return "\n".join(f".{name}{{{look}}}" for look, name in self._classes.items())

    def _name(self) -> str:
        self._ids += 1
        return f"p{self._ids}"

    def _class(self, match: re.Match[str]) -> str:
        look = match.group(1).replace("; ", ";").replace(": ", ":").rstrip(";")
        if "url(" in look:
            return f' style="{look}"'
        return f' class="{self._classes.setdefault(look, f"s{len(self._classes)}")}"'


def _short(path: str) -> str:
    """The same path in fewer letters: lines as steps from point to point, in tenths of a pixel as they were."""
    if re.search(r"[^MLz0-9. -]", path):
        return re.sub(r" ?([A-Za-z]) ?", r"\1", path)
    made: list[str] = []
    said, x, y = "", 0, 0
    parts = path.split()
    at = 0
    while at < len(parts):
        letter = parts[at]
        if letter == "z":
            made.append("z")
            said, at = "z", at + 1
            continue
        to_x, to_y = (round(10 * float(number)) for number in parts[at + 1 : at + 3])
        if letter == "M":
            made.append(f"M{_tenths(to_x)} {_tenths(to_y)}")
            said = "M"
        else:
            step = "h" if to_y == y else "v" if to_x == x else "l"
            numbers = {"h": (to_x - x,), "v": (to_y - y,), "l": (to_x - x, to_y - y)}[step]
            for place, number in enumerate(numbers):
                head = step if place == 0 and step != said else "" if number < 0 else " "
                made.append(head + _tenths(number))
            said = step
        x, y, at = to_x, to_y, at + 3
    return "".join(made)


def _tenths(number: int) -> str:
    text = f"{number / 10:.1f}"
    text = text[:-2] if text.endswith(".0") else text
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def embedded(value: Any) -> str:
    """`value` as JSON that may stand inside a script element: no text in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def packed(value: Any) -> str:
    """`value` as JSON, compressed (zlib) and in base64: several times smaller, and safe inside an element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")


def unpacked(text: str) -> Any:
    """What `packed` was given."""
    return json.loads(zlib.decompress(base64.b64decode(text)))
