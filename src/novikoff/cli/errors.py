"""What a person sees when something goes wrong, and the exit code.

| code | meaning |
|---|---|
| 0 | done |
| 1 | a certificate was refused, or a student's table or code is wrong |
| 2 | the command was used wrongly, or the data is at fault |
| 70 | a bug in novikoff |
| 130 | interrupted |
| 141 | whoever read the output stopped reading |

Where a standard stream is closed, or its reader has gone, the program ends as others do: whoever
closes a stream does not want what goes there, and a reader who has seen enough, as in `novikoff fit
iris | head -1`, ends it quietly, with the code that a shell gives to a broken pipe.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from novikoff.analysis.wording import for_shell
from novikoff.cli.console import complain, explain, forget, warn

REFUSED, AT_FAULT, BUG, INTERRUPTED, NOBODY_READS = 1, 2, 70, 130, 141
DEBUG = "NOVIKOFF_DEBUG"


class Refused(Exception):
    """What was to be checked does not hold; the message says why."""


class UsageError(ValueError):
    """The options contradict each other or the data."""


@contextmanager
def guarded() -> Iterator[None]:
    """Turn whatever a command raises into a message on standard error and an exit code."""
    warnings.showwarning = _show_warning
    try:
        yield
        sys.stdout.flush()
    except (typer.Exit, typer.Abort):
        raise
    except BrokenPipeError:
        raise typer.Exit(NOBODY_READS) from None
    except KeyboardInterrupt:
        complain("interrupted", "")
        raise typer.Exit(INTERRUPTED) from None
    except Refused as error:
        raise _told("refused", str(error), REFUSED) from None
    except MemoryError as error:
        raise _told("out of memory", str(error) or "the data does not fit.", AT_FAULT) from None
    except Exception as error:
        if _is_about_data(error):
            raise _told("error", _message(error), AT_FAULT) from None
        text = (
            f"{type(error).__name__}: {error}\nThis is a mistake in novikoff, not in your data. "
            f"Please report it with the traceback that {DEBUG}=1 shows."
        )
        raise _told("bug", text, BUG) from None


def _told(kind: str, text: str, code: int) -> typer.Exit:
    """Say what went wrong; returns what ends the command."""
    if os.environ.get(DEBUG):
        explain(traceback.format_exc())
    complain(kind, text)
    return typer.Exit(code)


def _is_about_data(error: Exception) -> bool:
    """Whether the message is meant for the user: errors about values, files, absent packages."""
    package = type(error).__module__.partition(".")[0]
    return isinstance(error, ValueError | OSError | ImportError) or package == "polars"


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        where = "" if error.filename is None else f"{error.filename}: "
        return f"{where}{error.strerror}."
    return for_shell(error) or type(error).__name__


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning of the library as a message, without the line of code that gave it."""
    warn(for_shell(message))


def refuse_unwritable(
    option: str, path: Path | None, *read: str | Path | None, channels: bool = False
) -> None:
    """Refuse a place where no file can be written; a pipe or device will do if `channels`.

    read : what is read, which a file written in its place would destroy
    """
    from novikoff.persistence.disk import is_channel

    if path is None:
        return
    if path.is_dir():
        raise UsageError(f"{option} {path}: this is a folder; name a file.")
    if channels and is_channel(path):
        return
    if path.exists() and not path.is_file():
        raise UsageError(f"{option} {path}: this is not a regular file.")
    if any(path.exists() and os.path.exists(each) and path.samefile(each) for each in read if each):
        raise UsageError(f"{option} {path}: this file is read; name another one to write.")
    if path.exists() and not os.access(path, os.W_OK):
        raise UsageError(f"{option} {path}: this file cannot be written to.")
    if not os.access(path.parent, os.W_OK):
        why = "cannot be written to" if path.parent.is_dir() else "does not exist"
        raise UsageError(f"{option} {path}: the folder {path.parent} {why}.")


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
