# Two commands do everything on a fresh machine: `make play` and `make test`.
PYTHON ?= python3
GAME ?= tic-tac-toe
BIN := .venv/bin
# `make test SYSTEM=no` installs no system packages and skips what would need them.
SYSTEM ?= yes

# Where nothing keeps bytecode, each of many processes compiles each module again: twice the time to collect tests.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play serve test pytest test-all mutants test-gpu fuzz checks skips types docs notebooks dist goldens examples reference tables searched odds pictures bench lock clean

play: .venv/run.stamp
	@$(BIN)/perfectplay play $(GAME)

# The page: play and explore in the browser, on this machine.
serve: .venv/run.stamp
	@$(BIN)/perfectplay serve $(GAMES)

# The quick ring, in front of each commit: checks, and all tests that are not marked `nightly` or `gpu`.
test: checks
	@$(MAKE) -s pytest

pytest: .venv/dev.stamp
	@echo $(BIN)/pytest; $(BIN)/pytest -q -rs -n auto --dist worksteal; code=$$?; $(MAKE) -s skips; exit $$code

# The nightly ring as well; the log is bench/results/test-all.txt.
test-all: checks
	@echo bench/test_all.py; $(BIN)/python bench/test_all.py; code=$$?; $(MAKE) -s skips; exit $$code

# Small faults, one at a time, and which of them the quick ring does not find; about an hour: `make mutants N=150 SEED=7`.
mutants: .venv/dev.stamp
	$(BIN)/python tests/mutants.py --n $(or $(N),150) --seed $(or $(SEED),1)

checks: .venv/dev.stamp types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Random rules run in every way, compared answer by answer: `make fuzz GAMES=20000 SEED=7` for hours.
fuzz: .venv/dev.stamp
	NUMBA_ENABLE_CUDASIM=1 $(BIN)/python tests/fuzz.py --games $(or $(GAMES),2000) --seed $(or $(SEED),1)

# On a machine with an NVIDIA GPU and the package numba-cuda. Warnings are numba's own on versions not tried here.
test-gpu: .venv/dev.stamp
	NUMBA_ENABLE_CUDASIM=0 $(BIN)/pytest -v -m gpu -W default tests/solvers/gpu

# The types of the page's scripts, which only the checks need: nothing is built.
types: .venv/npm.stamp
	@if [ -x node_modules/.bin/tsc ]; then echo node_modules/.bin/tsc; node_modules/.bin/tsc -p .; fi

# The documentation site, in build/site; warnings are errors.
docs: .venv/dev.stamp
	NO_MKDOCS_2_WARNING=true $(BIN)/mkdocs build --strict

# Runs the notebooks of the documentation and stores their outputs.
notebooks: .venv/dev.stamp
	$(BIN)/python docs/execute_notebooks.py

# The wheel and the source distribution, in dist.
dist: .venv/dev.stamp
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/twine check --strict dist/*

# What the rules do today: look at the difference before you commit it.
goldens: .venv/dev.stamp
	$(BIN)/python tests/games/golden/write.py

# The output of every command in the README and the documentation.
examples: .venv/dev.stamp
	$(BIN)/python docs/console.py

# The pages of reference that follow from code: commands, JSON, HTTP API; some minutes.
reference: .venv/dev.stamp
	$(BIN)/python docs/reference_pages.py

# Every result that the game files tell, computed; some minutes. `make tables GAMES="nim chomp"` computes those of some families.
tables: .venv/dev.stamp
	$(BIN)/python docs/tables.py $(GAMES)

# The values of boards by search alone; some minutes.
searched: .venv/dev.stamp
	$(BIN)/python docs/searched.py

# Exact results between imperfect players; some minutes.
odds: .venv/dev.stamp
	$(BIN)/python docs/odds.py

pictures: .venv/dev.stamp
	$(BIN)/python docs/pictures/diagrams.py
	$(BIN)/python docs/pictures/draw.py
	$(BIN)/python docs/pictures/photograph.py

# Needs the packages of the extra `bench`: .venv/bin/pip install -e '.[bench]'
bench: .venv/dev.stamp
	$(BIN)/python bench/battles.py
	$(BIN)/python bench/arena.py --record
	$(BIN)/python bench/solving.py --record
	$(BIN)/python bench/searching.py --record
	$(BIN)/python bench/behind_book.py --record
	$(BIN)/python bench/large_boards.py --record --ladder 60
	$(BIN)/python bench/serving.py --record
	$(BIN)/python bench/exporting.py --record
	$(BIN)/python bench/sweeping.py --record
	$(BIN)/python bench/batches.py --record
	$(BIN)/python bench/checking.py --record
	$(BIN)/python bench/limits.py --record

LOCK := uv pip compile pyproject.toml --universal --generate-hashes --no-annotate --no-header --no-emit-index-url --no-emit-find-links -q
# Needs uv; writes the versions and hashes that every machine then installs.
lock:
	$(LOCK) --extra build -o requirements.lock
	$(LOCK) --extra dev -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf .venv node_modules build/kernels

# What tests use if it is there: a command, the packages of Debian that bring it, and what is skipped without it.
NEEDS := \
    "chromium|chromium|tests of the page in a browser" \
    "gcc|gcc libc6-dev|tests of exports to C" \
    "arm-none-eabi-gcc|gcc-arm-none-eabi libnewlib-arm-none-eabi|tests of C for a Cortex-M0" \
    "npm|npm|checks of accessibility and of the types of scripts"
EACH_MISSING := for need in $(NEEDS); do command="$${need%%|*}"; rest="$${need\#*|}"; packages="$${rest%%|*}"; what="$${rest\#*|}"; \
    command -v "$$command" >/dev/null && continue;
APT = DEBIAN_FRONTEND=noninteractive $(shell [ "$$(id -u)" = 0 ] || echo sudo -n) apt-get

.venv/system.stamp: .venv/bin/python
	@$(EACH_MISSING) echo "Will be installed with apt-get for $$what: $$packages (make test SYSTEM=no installs nothing)" >&2; done
	@updated=; $(EACH_MISSING) [ -n "$$updated" ] || $(APT) update -qq >/dev/null 2>&1; updated=yes; \
	    $(APT) install -y -qq --no-install-recommends $$packages >/dev/null 2>&1 || \
	    echo "Could not be installed: $$packages" >&2; done
	@touch $@

# The last lines of a run: what was not tested here, and why.
skips:
	@$(EACH_MISSING) echo "SKIPPED: $$what: $$command is missing, Debian: apt-get install $$packages"; done

ifneq ($(SYSTEM),no)
.venv/npm.stamp: .venv/system.stamp
endif
.venv/npm.stamp: .venv/bin/python package.json package-lock.json
	@if command -v npm >/dev/null; then npm ci --no-audit --no-fund --loglevel=error && touch $@; fi

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
