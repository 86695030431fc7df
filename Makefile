# Two commands do everything on a fresh machine: `make play` and `make test`.
PYTHON ?= python3
GAME ?= tic-tac-toe
BIN := .venv/bin

.PHONY: play serve test test-all test-gpu types goldens tables searched odds pictures bench lock clean

play: .venv/run.stamp
	@$(BIN)/perfectplay play $(GAME)

# The page: play and explore in the browser, on this machine.
serve: .venv/run.stamp
	@$(BIN)/perfectplay serve $(GAMES)

test: .venv/dev.stamp .venv/browser.stamp .venv/gcc.stamp types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q -n auto --dist loadfile

test-all: test
	$(BIN)/pytest -q -n auto --dist loadfile -m slow

# On a machine with an NVIDIA card and the package numba-cuda. Warnings are numba's own on versions not tried here.
test-gpu: .venv/dev.stamp
	NUMBA_ENABLE_CUDASIM=0 $(BIN)/pytest -v -m gpu -W default tests/card

# The types of the page's scripts, which only the checks need: nothing is built.
types: .venv/npm.stamp
	@if [ -x node_modules/.bin/tsc ]; then echo node_modules/.bin/tsc; node_modules/.bin/tsc -p .; \
	else echo "SKIPPED: the types of the page's scripts were not checked, npm is missing" >&2; fi

# What the rules do today, written down: look at the difference before you commit it.
goldens: .venv/dev.stamp
	$(BIN)/python tests/golden/write.py

tables: .venv/dev.stamp
	$(BIN)/python docs/tables.py
	$(BIN)/python docs/console.py

# What boards are worth by search alone; some minutes.
searched: .venv/dev.stamp
	$(BIN)/python docs/searched.py

# Exact odds of players who err; some minutes.
odds: .venv/dev.stamp
	$(BIN)/python docs/odds.py

pictures: .venv/dev.stamp
	$(BIN)/python docs/pictures/draw.py
	$(BIN)/python docs/pictures/photograph.py

# Needs the packages of the extra `bench`: .venv/bin/pip install -e '.[bench]'
bench: .venv/dev.stamp
	$(BIN)/python bench/battles.py
	$(BIN)/python bench/solving.py --record
	$(BIN)/python bench/searching.py --record
	$(BIN)/python bench/behind_book.py --record
	$(BIN)/python bench/great_boards.py --record --ladder 60
	$(BIN)/python bench/serving.py --record
	$(BIN)/python bench/exporting.py --record

LOCK := uv pip compile pyproject.toml --universal --generate-hashes --no-annotate --no-header --no-emit-index-url --no-emit-find-links -q
# Needs uv; writes the versions and hashes that every machine then installs.
lock:
	$(LOCK) --extra build -o requirements.lock
	$(LOCK) --extra dev -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf .venv node_modules

# Tests of the page run in Debian's Chromium; where it cannot be had they are skipped, and say so.
INSTALL := DEBIAN_FRONTEND=noninteractive sh -c 'if [ "$$(id -u)" = 0 ]; then S=; else S="sudo -n"; fi; $$S apt-get update -qq && $$S apt-get install -y -qq --no-install-recommends "$$@"' install

.venv/browser.stamp: .venv/bin/python
	@command -v chromium >/dev/null || $(INSTALL) chromium >/dev/null 2>&1 || \
	    echo "SKIPPED: tests in a browser; chromium is missing and could not be installed with apt-get" >&2
	@touch $@

# Exports to C are compiled for this machine and for a Cortex-M0.
.venv/gcc.stamp: .venv/bin/python
	@command -v gcc >/dev/null || $(INSTALL) gcc libc6-dev >/dev/null 2>&1 || \
	    echo "SKIPPED: tests of exports to C; gcc is missing and could not be installed with apt-get" >&2
	@command -v arm-none-eabi-gcc >/dev/null || $(INSTALL) gcc-arm-none-eabi libnewlib-arm-none-eabi >/dev/null 2>&1 || \
	    echo "SKIPPED: C for a Cortex-M0; gcc-arm-none-eabi is missing and could not be installed with apt-get" >&2
	@touch $@

.venv/npm.stamp: .venv/bin/python package.json package-lock.json
	@command -v npm >/dev/null || $(INSTALL) npm >/dev/null 2>&1 || true
	@if command -v npm >/dev/null; then npm ci --no-audit --no-fund --loglevel=error; \
	else echo "SKIPPED: accessibility checks and types of scripts; npm is missing and could not be installed" >&2; fi
	@touch $@

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "perfectplay needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12" >&2; exit 2; }
	@echo "Setting up .venv, once, about half a minute ..." >&2
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "Python's venv module is missing; on Debian: apt-get install python3-venv" >&2; exit 2; }

.venv/run.stamp: .venv/bin/python requirements.lock pyproject.toml
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q src
	@touch $@

.venv/dev.stamp: .venv/bin/python requirements-dev.lock pyproject.toml
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q src
	@touch $@ .venv/run.stamp
