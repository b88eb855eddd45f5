# make demo    from a file that ships to a model, and whether it is separable
# make test    what must pass before a change lands, but for
# make test-thorough   tests in a browser, and those that take long and seldom fail
# make bench   this library against its peers, as ratios in one run
# make docs    the documentation site, into docs/_build/html
# make fix     let ruff mend style

PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/pytest -n auto --dist loadgroup $(ONLY)

.PHONY: demo test lint warm test-thorough bench docs fix clean

demo: .venv/demo-ready
	$(BIN)/novikoff fit
	$(BIN)/novikoff separable sonar

test: .venv/test-ready
	$(MAKE) --jobs 2 lint warm
	$(PYTEST) -m "not thorough"
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -q -n auto tests/kernels tests/test_reference.py tests/test_toy_rule.py

lint: .venv/test-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

warm: .venv/test-ready
	$(BIN)/python -m tests.warm

test-thorough: .venv/test-ready
	$(PYTEST) -m thorough tests

bench: .venv/bench-ready
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.growth

docs: .venv/docs-ready
	rm -rf docs/_build docs/api/generated  # what is gone would leave its page behind
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html

fix: .venv/test-ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv docs/_build docs/_generated docs/gallery docs/api/generated docs/api/backreferences \
		docs/sg_execution_times.rst
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/demo-ready: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[cli]"
	touch $@

.venv/test-ready: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[all,dev]"
	touch $@ .venv/demo-ready

.venv/bench-ready: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	touch $@

.venv/docs-ready: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[all,docs]"
	touch $@ .venv/demo-ready
