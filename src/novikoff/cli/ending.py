"""How the program ends where a standard stream is closed or its reader has gone.

As other programs do: whoever closes a stream does not want what goes there, and a reader who has
seen enough (`novikoff fit iris | head -1`) ends the program quietly, with the code that a shell
gives to a broken pipe.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import typer

from novikoff.cli.console import complain, forget
from novikoff.cli.errors import AT_FAULT, NOBODY_READS


def open_closed_streams() -> None:
    """Give every standard stream that is closed a place that leads nowhere.

    Otherwise the next file to be opened would get its number, and the output of libraries.
    """
    for name in ("stdin", "stdout", "stderr"):  # in this order: the lowest free number is taken
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open to the end


def code_at_the_end(end: SystemExit | OSError) -> Any:
    """The exit code, after what is still in the buffers has gone out or turned out not to."""
    code, failure = (None, end) if isinstance(end, OSError) else (end.code, end.__context__)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:  # nobody reads, or a disk is full
            if stream is sys.stdout or isinstance(error, BrokenPipeError):
                failure = error  # a message that a disk had no room for changes no result
            forget(stream)
    if isinstance(failure, BrokenPipeError):  # click's answer to it is 1
        return NOBODY_READS
    if isinstance(failure, typer.Exit) and isinstance(failure.__cause__, KeyboardInterrupt):
        complain("interrupted", "")  # typer heard it, before the command had begun, and is silent
    if isinstance(failure, OSError) and code != AT_FAULT:
        complain("error", f"the output cannot be written: {failure.strerror}.")
        return AT_FAULT
    return code
