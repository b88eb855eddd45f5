"""Published results, made again: each module is a program, ``python -m reproductions.NAME``.

It prints the Markdown table that stands on its page in ``docs/reproductions``. Where it needs data
that does not ship with the package, ``benchmarks/data.py`` says where that is looked for, and a
program that misses it says so and ends.
"""
