"""What all tests share: how Hypothesis searches, and the option that writes the goldens anew."""

from __future__ import annotations

import os

# Before anything is compiled: the tests of single rules call compiled functions from Python.
os.environ.setdefault("ISLANDLAB_CALLABLE", "1")

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every run, so that a red test stays red; `--hypothesis-profile explore` searches afresh.
settings.register_profile("fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("explore", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fixed")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--write-goldens`: see tests/test_goldens.py."""
    parser.addoption("--write-goldens", action="store_true", help="write tests/goldens anew (refused where CI is set)")


def pytest_configure(config: pytest.Config) -> None:
    """Goldens are written by people, who then read the difference."""
    if config.getoption("--write-goldens") and os.environ.get("CI"):
        raise pytest.UsageError("--write-goldens is refused where CI is set: goldens are read before they are kept")
