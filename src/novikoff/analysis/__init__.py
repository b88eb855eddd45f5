"""What the command line and the report both compute: rows from files, errors, verdicts in words.

Nothing is printed here and nothing is drawn; importing a module imports nothing heavy.
"""
