"""A YAML 1.2 file as plain values, with the line and column of every key and value."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from analysis.errors import InputError, InputErrors, written
from sim.core.words import shown

LARGEST_FILE = 250_000
"""Bytes that an experiment file has at most."""

DEEPEST = 200
"""Brackets that may be open at once, wherever they stand; the parser's time grows with the square of them."""

Steps = tuple[str | int, ...]
"""Keys and indices from the outermost, e.g. ("grid", "players", 2)."""

_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OTHER_VERSION = re.compile(r"^%YAML[ \t]+(?!1\.2\b)", re.MULTILINE)


def read(path: str | Path) -> tuple[str, str]:
    """The file's name for messages and its text; raises InputErrors when it is no readable UTF-8 text."""
    file = str(path).encode("utf-8", "backslashreplace").decode()
    try:
        with open(path, "rb") as stream:
            raw = stream.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise _whole(file, "there is no such file") from None
    except IsADirectoryError:
        raise _whole(file, "is a directory; name an experiment file (YAML)") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _whole(file, f"cannot be read: {reason}") from None
    if len(raw) > LARGEST_FILE:
        raise _whole(file, f"is longer than {LARGEST_FILE} bytes; that is no experiment file")
    try:
        return file, raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8-sig", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        words = f"is not UTF-8 text (byte 0x{raw[error.start]:02x}); save the file as UTF-8"
        raise InputErrors([InputError(file, line, column, "", None, words)]) from None


def _whole(file: str, words: str) -> InputErrors:
    return InputErrors([InputError(file, None, None, "", None, words)])


class Source:
    """One YAML document: `data` in plain values, `errors` found on the way, and where everything stands.

    Mappings have text keys only.  Merge keys (`<<`) are resolved, keys written beside them win.  Text that looks like
    a date is text.  Raises InputErrors for what is no single YAML document at all.
    """

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.errors: list[InputError] = []
        self._done: dict[int, Any] = {}
        self._open: set[int] = set()
        self._children: dict[int, dict[str | int, tuple[Node | None, Node]]] = {}
        self._root = self._compose()
        try:
            self.data = self._plain(self._root, ())
        except RecursionError:
            raise self._at_start("is nested too deeply") from None

    def error(self, steps: Steps, value: Any, words: str, *, key: bool = False) -> InputError:
        """An error placed at the value of `steps`, or at its key; at the nearest level that exists."""
        line, column = self.place(steps, key=key)
        return InputError(self.file, line, column, written(steps), value, words)

    def place(self, steps: Steps, *, key: bool = False) -> tuple[int, int]:
        """Line and column (from 1) of the value at `steps`, or of its key.  An alias stands where its anchor does."""
        node, mark = self._root, self._root.start_mark
        for step in steps:
            found = self._step(node, step)
            if found is None:
                break
            key_node, node = found
            # A value that is not there (`name:`) has its place at its key.
            absent = isinstance(node, ScalarNode) and node.value == "" and node.style is None
            mark = key_node.start_mark if key_node is not None and (key or absent) else node.start_mark
        return mark.line + 1, mark.column + 1

    def _step(self, node: Node, step: str | int) -> tuple[Node | None, Node] | None:
        """The key (of a mapping) and the value that `step` leads to."""
        if id(node) not in self._children:
            found: dict[str | int, tuple[Node | None, Node]] = {}
            self._children[id(node)] = found
            merged: list[Node] = []
            if isinstance(node, SequenceNode):
                found |= {i: (None, item) for i, item in enumerate(node.value)}
            for key, value in node.value if isinstance(node, MappingNode) else ():
                if _is_merge(key):
                    merged += value.value if isinstance(value, SequenceNode) else [value]
                elif isinstance(key, ScalarNode):
                    found.setdefault(key.value, (key, value))
            for other in merged:
                self._step(other, step)
                found |= {name: pair for name, pair in self._children[id(other)].items() if name not in found}
        return self._children[id(node)].get(step)

    def _compose(self) -> Node:
        bad = _FORBIDDEN.search(self.text)
        if bad:
            raise self._at(bad.start(), f"the character {shown(bad.group())} is not allowed in YAML")
        other = _OTHER_VERSION.search(self.text)
        if other:
            raise self._at(other.start(), "only YAML 1.2 is read; remove the %YAML line")
        if _deepest(self.text) > DEEPEST:
            raise self._at_start("is nested too deeply")
        yaml = YAML(typ="safe", pure=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                root = yaml.compose(self.text)
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            words = " ".join(part for part in (error.context, error.problem) if part)
            if "expected a single document" in words:
                words = "a second document begins here; an experiment is one document"
            else:
                words = f"not valid YAML: {' '.join(words.split())}"
            line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            raise InputErrors([InputError(self.file, line, column, "", None, words[:300])]) from None
        except RecursionError:
            raise self._at_start("is nested too deeply") from None
        except (YAMLError, ValueError, AssertionError, AttributeError, LookupError, TypeError) as error:
            # The parser has a few corners that fail without a place (a tag or a directive cut short, say).
            raise self._at_start(f"not valid YAML: {' '.join(str(error).split())[:200]}") from None
        if root is None:
            raise _whole(self.file, "is empty; an experiment needs name, question, game, trials, policy")
        return root

    def _at(self, position: int, words: str) -> InputErrors:
        before = self.text[:position]
        line, column = before.count("\n") + 1, position - before.rfind("\n")
        return InputErrors([InputError(self.file, line, column, "", None, words)])

    def _at_start(self, words: str) -> InputErrors:
        return InputErrors([InputError(self.file, 1, 1, "", None, words)])

    def _complain(self, node: Node, steps: Steps, value: Any, words: str) -> None:
        mark = node.start_mark
        self.errors.append(InputError(self.file, mark.line + 1, mark.column + 1, written(steps), value, words))

    def _plain(self, node: Node, steps: Steps) -> Any:
        """The plain value of a node; nodes that aliases share are converted once."""
        if id(node) in self._done:
            return self._done[id(node)]
        if id(node) in self._open:
            self._complain(node, steps, None, "this value contains itself")
            return None
        self._open.add(id(node))
        tag = str(node.tag)
        if isinstance(node, MappingNode) and tag.endswith(":map"):
            value: Any = self._mapping(node, steps)
        elif isinstance(node, SequenceNode) and tag.endswith(":seq"):
            value = [self._plain(item, (*steps, i)) for i, item in enumerate(node.value)]
        elif isinstance(node, ScalarNode):
            value = self._scalar(node, steps, tag)
        else:
            self._complain(node, steps, None, f"the tag {shown(tag)} is not allowed; write plain YAML")
            value = None
        self._open.discard(id(node))
        self._done[id(node)] = value
        return value

    def _mapping(self, node: MappingNode, steps: Steps) -> dict[str, Any]:
        value: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        lines: dict[str, int] = {}
        for key, item in node.value:
            if _is_merge(key):
                if "<<" in lines:
                    self._complain(key, (*steps, "<<"), None, f"<< is given twice (first in line {lines['<<']})")
                lines["<<"] = key.start_mark.line + 1
                for inherited, other in self._merge(item, (*steps, "<<")):
                    merged.setdefault(inherited, other)
                continue
            name: Any = self._plain(key, steps) if isinstance(key, ScalarNode) else None
            if not isinstance(name, str):
                words = "a key must be text" + ("" if name is None else f"; put {shown(name)} in quotes")
                self._complain(key, steps, name, words)
                continue
            if name in lines:
                words = f"this key is given twice (first in line {lines[name]})"
                self._complain(key, (*steps, name), None, words)
                continue
            lines[name] = key.start_mark.line + 1
            value[name] = self._plain(item, (*steps, name))
        return {**{inherited: other for inherited, other in merged.items() if inherited not in value}, **value}

    def _merge(self, node: Node, steps: Steps) -> list[tuple[str, Any]]:
        value = self._plain(node, steps)
        parts = value if isinstance(value, list) else [value]
        if not parts or not all(isinstance(part, dict) for part in parts):
            self._complain(node, steps, value, f"{shown(value)} cannot be merged; << takes mappings")
            return []
        return [pair for part in parts for pair in part.items()]

    def _scalar(self, node: ScalarNode, steps: Steps, tag: str) -> Any:
        text, kind = node.value, tag.rpartition(":")[2]
        try:
            match kind:
                case "null":
                    return None
                case "bool":
                    return {"true": True, "false": False}[text.lower()]
                case "int":
                    return _whole_number(text)
                case "float":
                    return _real_number(text)
                case "str" | "timestamp" | "value" | "merge":
                    # JSON writes a character beyond U+FFFF as two escapes; half of such a pair is no text.
                    return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except (ValueError, LookupError):
            self._complain(node, steps, text, f"{shown(text)} cannot be read as {_KINDS.get(kind, 'text')}")
            return None
        self._complain(node, steps, text, f"the tag {shown(tag)} is not allowed; write plain YAML")
        return None


def _deepest(text: str) -> int:
    depth = deepest = 0
    for bracket in re.findall(r"[\[\]{}]", text):
        depth = depth + 1 if bracket in "[{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


_KINDS = {"bool": "true or false", "int": "a whole number", "float": "a number"}


def _is_merge(key: Node) -> bool:
    return isinstance(key, ScalarNode) and str(key.tag).endswith(":merge") and key.style is None


def _whole_number(text: str) -> int:
    digits = text.replace("_", "")
    based = digits.lstrip("+-")[:2].lower() in ("0x", "0o", "0b")
    return int(digits, 0) if based else int(digits)


def _real_number(text: str) -> float:
    number = text.replace("_", "").lower()
    return float(number.replace(".inf", "inf").replace(".nan", "nan"))
