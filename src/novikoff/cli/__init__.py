"""The command line `novikoff`, one file per command.

Importing this imports nothing heavy: numpy, scikit-learn, numba and polars are loaded by the
command that needs them, so that `novikoff --help` answers at once.
"""

import sys

__all__ = ["main"]


def main() -> None:
    """The entry point."""
    try:
        from novikoff.cli.app import run
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.stderr.write(
            f'error: the command line needs {error.name}: pip install "novikoff[cli]"\n'
        )
        sys.exit(2)
    run()
