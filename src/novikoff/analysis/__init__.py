"""What the command line, the report and the playground share: rows, errors, verdicts in words.

Nothing is printed here and nothing is drawn; importing a module imports nothing heavy.
"""
