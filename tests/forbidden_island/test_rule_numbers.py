"""That no rule is left without a test."""

from __future__ import annotations

import ast
import re
from pathlib import Path

RULES = {1: 6, 2: 6, 3: 1, 4: 4, 5: 6, 6: 3, 7: 3, 8: 3, 9: 7}
"""How many rules each section of the rules page numbers: FI-1.1 to FI-1.6 and so on."""


def cited():
    """The rule numbers that docstrings of tests name."""
    found = set()
    for file in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found |= set(re.findall(r"FI-(\d+\.\d+)", ast.get_docstring(node) or ""))
    return found


def test_every_rule_has_a_test():
    """Each number of sections 1 to 9 is cited, and no number that there is not."""
    assert cited() == {f"{section}.{rule}" for section, last in RULES.items() for rule in range(1, last + 1)}


def test_every_test_says_which_rule():
    """Each test of a section's file cites a number of that section, or its section."""
    silent = []
    for file in Path(__file__).parent.glob("test_[0-9]*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                text = ast.get_docstring(node) or ""
                if not re.search(r"\bFI-\d+", text):
                    silent.append(f"{file.name}: {node.name}")
    assert silent == []
