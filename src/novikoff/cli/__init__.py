"""The command line `novikoff`, one file per command.

Importing this imports nothing heavy: numpy, scikit-learn, numba and polars are loaded by the
command that needs them, so that `novikoff --help` answers at once.
"""

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """The entry point; `arguments` are those of the process unless they are given."""
    try:
        from novikoff.cli.app import run

        run(arguments)
    except KeyboardInterrupt:  # while all that is being imported
        sys.stderr.write("interrupted\n")
        sys.exit(130)
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.stderr.write(
            f'error: the command line needs {error.name}: pip install "novikoff[cli]"\n'
        )
        sys.exit(2)
