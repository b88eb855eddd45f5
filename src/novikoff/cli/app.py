"""The command `novikoff`: its commands, its version, and how it ends."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from novikoff.cli.card import card
from novikoff.cli.compare import compare
from novikoff.cli.datasets import datasets
from novikoff.cli.doctor import doctor
from novikoff.cli.errors import code_at_the_end, guarded, open_closed_streams
from novikoff.cli.evaluate import evaluate
from novikoff.cli.fit import fit
from novikoff.cli.grade import grade
from novikoff.cli.play import play
from novikoff.cli.predict import predict
from novikoff.cli.report import report
from novikoff.cli.separable import separable
from novikoff.cli.teaching import new
from novikoff.cli.trace import trace
from novikoff.cli.verify import verify

COMMANDS = (
    fit, predict, evaluate, card, separable, verify, trace, compare, report, play, grade, datasets,
    doctor,
)  # fmt: skip

app = typer.Typer(
    name="novikoff",
    help="The perceptron family of linear classifiers, from a file to a model, and with proof.",
    epilog="Try: novikoff fit iris. Exit codes: 0 done, 1 a certificate was refused, "
    "2 usage or data.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from novikoff import __version__

        typer.echo(f"novikoff {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


def _register(command: Callable[..., None], to: typer.Typer = app) -> None:
    @functools.wraps(command)
    def run(**arguments: object) -> None:
        with guarded():
            command(**arguments)

    to.command()(run)


for _command in COMMANDS:
    _register(_command)

_teaching = typer.Typer(help="For teachers: starter kits for assignments.", no_args_is_help=True)
_register(new, _teaching)
app.add_typer(_teaching, name="teaching")


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command that the arguments name, and exit."""
    open_closed_streams()
    try:
        app(args=arguments, prog_name="novikoff")
    except (SystemExit, OSError) as end:  # the latter where not even a help text can be written
        sys.exit(code_at_the_end(end))
