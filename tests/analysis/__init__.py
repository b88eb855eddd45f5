"""What command line, report and playground share. Some of it is stated where it is seen:

================== ==========================================================================
compare            tests/cli/test_compare.py: scikit-learn's cross-validation
datasets           tests/cli/test_app.py: what is said of a file is true of it
parts, of a table  tests/streams/tables, tests/cli/test_fit.py
steps, step_tables tests/cli/test_trace.py: tables made by hand, right and wrong
================== ==========================================================================

The rest has a file of its name here; verdicts are in test_verdicts.py and test_wording.py, texts in
test_parts.py.
"""
