"""The only epoch loop, and what it needs. Much of it is stated where a user sees it:

============== ===============================================================================
keepers, votes tests/test_reference.py: every hypothesis kept against an oracle with fractions
pocket         the same, and tests/estimators/test_fitting.py
problem, spec  tests/estimators/test_fitting.py, test_input.py: weights, types, what is refused
capabilities   tests/test_docs.py: the page of rules; tests/estimators/test_auto.py: the default
dual, gram     tests/estimators/test_kernel.py, test_kernel_updates.py: the textbook's loop
dual_learned   the same: stages, votes, batches; tests/persistence: models that go on
budget         tests/estimators/test_kernel_budget.py, test_kernel_budget_loops.py: the papers
============== ===============================================================================

What is stated of a module itself is in the file of its name here; test_excused.py is about rows
that `learners` need not look at.
"""
