PYTHON ?= python3
EXTRAS := local,vision,studio,dev
WORKERS := 2
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
GENERATED := CONTRIBUTING.md docs/api.md docs/settings.md docs/results.md

.PHONY: help demo test lint check extras docs

help: ## Show this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z]+:.*## / {printf "  make %-7s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(READY) ## Ask a sample history four questions: no key, no network
	@$(BIN)/langrecall demo

test: $(READY) ## Run the tests; pick some with ARGS="tests/cli -x"
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile $(ARGS)

lint: $(READY) ## Format, and mend what can be mended
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

check: $(READY) ## Look only: ruff, mypy --strict, import layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

extras: $(READY) ## Look only: every extra can be installed with the pins
	$(BIN)/python -m pip install --quiet --dry-run --disable-pip-version-check --constraint constraints.txt '.[$(EXTRAS),chats,bench]'

docs: $(READY) ## Make the generated parts of the pages anew
	$(BIN)/python -m cogapp -r -I docs $(GENERATED)

$(READY): Makefile pyproject.toml setup.py constraints.txt
	@command -v $(PYTHON) > /dev/null || { echo "No $(PYTHON) here: name one with make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; v = sys.version_info; v < (3, 11) and sys.exit("langrecall needs Python 3.11 or newer, \
	and $(PYTHON) is %d.%d: name another with make PYTHON=python3.12 $(MAKECMDGOALS)" % v[:2])'
	@echo "Setting up $(VENV): a few minutes, once. What is installed is listed as it goes." >&2
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --progress-bar off --disable-pip-version-check --constraint constraints.txt --editable '.[$(EXTRAS)]' >&2
	@touch $@
