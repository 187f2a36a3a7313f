# `make` alone lists what there is to do.

VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.installed
DEMO := configs/forbidden_island/novice-vs-legendary.yaml
# More for the command or for pytest, e.g. `make demo ARGS="--trials 500"`, `make test ARGS="-k cli"`.
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help install demo test check verify bench clean FORCE

help:
	@echo "make install   set up $(VENV) (again only when pyproject.toml changed)"
	@echo "make demo      play novice against legendary, 20,000 games a side, and write its report"
	@echo "make test      run the tests"
	@echo "make check     lint, formatting, types, the direction of imports"
	@echo "make verify    check shuffles, deals and the idle team against exact odds (minutes)"
	@echo "make bench     print speeds and memory beside their goals (minutes)"
	@echo "make clean     remove $(VENV), caches and builds; reports stay"

install: $(STAMP)
	@echo "$(VENV) is ready."

# An environment that was made elsewhere, or whose Python is gone, is made anew.
ifneq ($(shell cat $(STAMP) 2>/dev/null && $(PY) -c "" 2>/dev/null && echo works),$(CURDIR) works)
$(STAMP): FORCE
endif

$(STAMP): pyproject.toml
	@set -e; \
	made_for=$$(cat $(STAMP) 2>/dev/null || echo "$(CURDIR)"); \
	if [ "$$made_for" != "$(CURDIR)" ] || ! $(PY) -m pip --version >/dev/null 2>&1; then \
	  python=; no_venv=; \
	  for each in $(PYTHON) python3.11 python3.12 python3.13 python3.14 python3 python; do \
	    "$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
	    if "$$each" -c 'import ensurepip, venv' >/dev/null 2>&1; then python="$$each"; break; fi; \
	    no_venv="$$each"; \
	  done; \
	  if [ -z "$$python" ] && [ -n "$$no_venv" ]; then \
	    echo "$$no_venv has no venv module: install it (on Debian and Ubuntu: apt-get install python3-venv)" >&2; exit 1; \
	  elif [ -z "$$python" ]; then \
	    echo "no Python 3.11 or newer found: install one, or name it: make install PYTHON=/path/to/python3" >&2; exit 1; \
	  fi; \
	  echo "Setting up $(VENV) with $$("$$python" --version) ..."; \
	  rm -rf $(VENV); "$$python" -m venv $(VENV); \
	fi; \
	echo "Installing islandlab and what it needs (a minute or two) ..."; \
	rm -f $(STAMP); \
	PYTHONWARNINGS=ignore $(PY) -m pip install -qq --disable-pip-version-check --no-input -e '.[dev]'; \
	printf '%s\n' "$(CURDIR)" > $(STAMP)

demo: $(STAMP)
	@$(PY) -m analysis.cli run $(DEMO) $(ARGS)

test: $(STAMP)
	$(PY) -m pytest -n 2 -m "not verify" $(ARGS)

check: $(STAMP)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m pytest -q tests/test_imports.py

verify: $(STAMP)
	$(PY) -m pytest -n 2 -m verify $(ARGS)

bench: $(STAMP)
	@$(PY) tests/bench $(ARGS)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
