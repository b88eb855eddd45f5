# make demo    from a file that ships to a model, and whether it is separable
# make test    what must pass before a change lands, but for
# make test-thorough   tests in a browser, and those that take long and seldom fail
# make test-floors     the tests with the lowest versions that pyproject.toml allows; test-newest: the newest
# make test-without-numba, make coverage   as they say; MEASURED=1 measures any other target of tests
# make dist    sdist and wheel, tested in an empty environment from what was built
# make bench   this library against its peers, as ratios in one run
# make docs    the documentation site, into docs/_build/html
# make fix     let ruff mend style

PYTHON ?= python3
VENV ?= .venv
SCRIPTS := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN := $(VENV)/$(SCRIPTS)
# The tests and pages are UTF-8; the library itself names the encoding of whatever it opens.
ifeq ($(OS),Windows_NT)
export PYTHONUTF8 := 1
endif
# Hundreds of processes import what is here: each file is compiled by the first, and by no other.
export PYTHONDONTWRITEBYTECODE :=
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
UV := $(PIP) uv && $(BIN)/python -m uv pip install --quiet --python $(BIN)/python
# uv takes a third of pip's time, and other versions than the newest; but it knows nothing of how pip
# was told where to look, and then pip does it.
ITSELF = -e ".[$(EXTRAS)]"
install = $(UV) $(VERSIONS) $(ITSELF)$(if $(VERSIONS),, || $(PIP) $(ITSELF))
# What is compiled leaves no trace: kernels are measured where they run as plain Python.
COVER := $(if $(MEASURED),--cov=novikoff --cov-branch --cov-append --cov-report=)
PYTEST := $(BIN)/python -m pytest -n auto --dist loadgroup $(ONLY) $(COVER)
# What states that kernels are right: as plain Python in the ordinary run, compiled in the thorough one.
EXACT := tests/kernels tests/training/test_prediction.py \
	$(addprefix tests/test_,properties.py reference.py rules.py toy_rule.py)

.PHONY: demo test lint warm test-thorough test-floors test-newest test-without-numba coverage rooms check dist shipped bench docs fix clean

demo: $(VENV)/demo-ready
	$(BIN)/novikoff fit
	$(BIN)/novikoff separable sonar

test: $(VENV)/test-ready
	$(MAKE) --jobs 2 lint warm
	$(PYTEST) -m "not thorough"
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n auto $(COVER) $(EXACT) tests/test_family.py

lint: $(VENV)/test-ready
	$(BIN)/ruff check .
	$(BIN)/ruff check --preview --select PLW1514 src  # text is opened by the name of its encoding
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

warm: $(VENV)/test-ready
	$(BIN)/python -m tests.warm

test-thorough: export NOVIKOFF_ALL_EXAMPLES = 1
test-thorough: $(VENV)/test-ready
	$(PYTEST) -m "thorough or hypothesis" tests

check: $(VENV)/test-ready
	$(PYTEST) -m "not thorough"
	$(PYTEST) $(EXACT)

# Everything works without numba: where it is not installed, and where Python is too new for it.
test-without-numba: $(VENV)/test-ready
	$(PYTEST) -q -m "not thorough" -p tests.without_numba $(EXACT)

coverage: $(VENV)/test-ready
	rm -f .coverage
	$(MAKE) test MEASURED=1
	$(MAKE) rooms

rooms: $(VENV)/test-ready
	$(BIN)/python -m tests.coverage_by_room

test-floors:
	$(MAKE) check VENV=.venv-floors VERSIONS="--resolution lowest-direct"

test-newest:
	$(MAKE) check VENV=.venv-newest VERSIONS="--prerelease allow --upgrade"

dist: $(VENV)/python-ready
	rm -rf dist .venv-dist
	$(PIP) build twine
	$(BIN)/python -m build --quiet
	$(BIN)/python -m twine check --strict dist/*
	$(MAKE) shipped VENV=.venv-dist

# From the built files alone: the command in an empty folder, then the tests that the sdist has.
shipped: $(VENV)/python-ready
	$(PIP) "$$(ls dist/*.whl)[all,dev]"
	rm -rf $(VENV)/shipped && mkdir $(VENV)/shipped && tar xzf dist/*.tar.gz --strip-components 1 -C $(VENV)/shipped
	cd $(VENV)/shipped && ../$(SCRIPTS)/novikoff fit
	cd $(VENV)/shipped && ../$(SCRIPTS)/python -m pytest -n auto --dist loadgroup -m "not thorough" tests

bench: $(VENV)/bench-ready
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.growth

docs: $(VENV)/docs-ready
	rm -rf docs/_build docs/api/generated  # what is gone would leave its page behind
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html

fix: $(VENV)/test-ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv .venv-* dist docs/_build docs/_generated docs/gallery docs/api/generated docs/api/backreferences \
		docs/sg_execution_times.rst
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/python-ready:
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/demo-ready: EXTRAS := cli
$(VENV)/demo-ready: pyproject.toml | $(VENV)/python-ready
	$(install)
	touch $@

$(VENV)/test-ready: EXTRAS := all,dev
$(VENV)/test-ready: pyproject.toml | $(VENV)/python-ready
	$(install)
	touch $@ $(VENV)/demo-ready

$(VENV)/bench-ready: EXTRAS := bench
$(VENV)/bench-ready: pyproject.toml | $(VENV)/python-ready
	$(install)
	touch $@

$(VENV)/docs-ready: EXTRAS := all,docs
$(VENV)/docs-ready: pyproject.toml | $(VENV)/python-ready
	$(install)
	touch $@ $(VENV)/demo-ready
