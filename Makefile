# Needs make and a Python 3.11, 3.12 or 3.13. Everything else goes into .venv.
VENV := .venv
BIN := $(VENV)/bin
MATCHES ?= 6000
OUT := $(or $(OUT),runs/lab-$(shell date +%Y%m%d-%H%M%S))
WORKERS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1); [ $$n -gt 8 ] && echo 8 || echo $$n)

# The first Python that starts, fits and can make environments: some version managers leave names on PATH that do not start.
USABLE := import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))
PYTHON ?= $(shell for name in python3.13 python3.12 python3.11 python3 python; do \
	$$name -c '$(USABLE)' >/dev/null 2>&1 && command -v $$name && break; done)

.PHONY: help lab test test-slow check format rules bench weights mutants clean chromium
.DEFAULT_GOAL := help

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

lab: $(VENV)/lab.stamp ## play 6,000 matches with the bundled cards and report on them (MATCHES=, OUT=)
	@$(BIN)/apotheosis run --matches $(MATCHES) --out $(OUT)
	@$(BIN)/apotheosis report $(OUT)

test: ## install everything and run all quick checks and tests
	@echo '== 1/6 install'
	@$(MAKE) --no-print-directory $(VENV)/test.stamp
	@echo '== 2/6 browser'
	@$(MAKE) --no-print-directory chromium
	@echo '== 3/6 kernel'
	@$(BIN)/python -m apotheosis.env.rules.compiler
	@echo '== 4/6 lint'
	@$(BIN)/ruff check .
	@echo '== 5/6 types'
	@$(BIN)/pyright
	@echo '== 6/6 tests'
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

test-slow: $(VENV)/test.stamp ## run the long tests (minutes to hours)
	@$(BIN)/python -m pytest -m slow

check: $(VENV)/test.stamp ## lint, types and the index of rules, without tests
	@$(BIN)/ruff check .
	@$(BIN)/pyright
	@$(BIN)/python docs/rules/build_index.py --check

format: $(VENV)/test.stamp ## sort imports and lay out the code
	@$(BIN)/ruff check --select I --fix .
	@$(BIN)/ruff format .

rules: $(BIN)/python ## rebuild the index of rules and the table of rule coverage
	@$(BIN)/python docs/rules/build_index.py
	@$(BIN)/python docs/rules/build_coverage.py

bench: $(VENV)/lab.stamp ## measure the speed on this machine, beside the peers that are installed
	@$(BIN)/apotheosis bench --peers

weights: $(VENV)/lab.stamp ## count anew what in the rules kernel is hot, after changes of the rules (CARDS= a card file beside the bundled cards)
	@$(BIN)/python -m apotheosis.experiments.branch_counts $(if $(CARDS),--cards $(CARDS))

mutants: $(VENV)/test.stamp ## change the rules in 100 places and see which changes no scenario notices (JOBS=, SEED=; long)
	@$(BIN)/python tests/mutation/mutants.py --jobs $(or $(JOBS),1) $(if $(SEED),--seed $(SEED))
	@$(BIN)/python tests/mutation/mutants.py --write

clean: ## remove the environment, caches and builds (runs are kept)
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
	find env agents experiments tests docs -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/lab.stamp: pyproject.toml constraints.txt | $(BIN)/python
	@$(BIN)/python .ci/install.py
	@touch $@

$(VENV)/test.stamp: pyproject.toml constraints.txt | $(BIN)/python
	@$(BIN)/python .ci/install.py train ray dev
	@touch $@ $(VENV)/lab.stamp

$(BIN)/python:
	@[ -n '$(PYTHON)' ] || { echo 'No Python 3.11, 3.12 or 3.13 with venv is on PATH; name one with make PYTHON=...'; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# The tests of reports and replays open them in Chromium and are skipped without it.
chromium:
	@if command -v chromium || command -v chromium-browser || command -v google-chrome; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends chromium >/dev/null; } \
	    || echo 'Chromium could not be installed; the browser tests will be skipped'; \
	else echo 'Chromium is not on PATH; the browser tests will be skipped'; fi
