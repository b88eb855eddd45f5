"""The process that computes: questions on standard input, answers on standard output.

A message is a head of two numbers and a body: a question's is (length of the job's name, length of
the body), then name and body; an answer's is (how it went, length of the body), then the body. When
standard input ends, whoever asked is gone, and so is the worker.
"""

from __future__ import annotations

import gc
import os
import struct
import sys
import traceback
from typing import IO

HEAD = struct.Struct("<II")
DONE, REFUSED, FAILED = 0, 1, 2
READY, WARM = "ready", "warm"  # jobs without an answer
DEBUG = "NOVIKOFF_DEBUG"


def write_message(stream: IO[bytes], first: int, *parts: bytes) -> None:
    """Write a message whose head is (first, length of the last part)."""
    stream.write(HEAD.pack(first, len(parts[-1])) + b"".join(parts))
    stream.flush()


def read_exactly(stream: IO[bytes], n: int) -> bytes:
    """The next `n` bytes; EOFError if there are fewer."""
    found = stream.read(n)
    if len(found) < n:
        raise EOFError
    return found


def answer(job: str, question: bytes) -> tuple[int, bytes]:
    """How a job went, and its answer or what was wrong."""
    from pydantic import ValidationError

    from novikoff.web import jobs

    try:
        if job in (READY, WARM):
            jobs.get_ready() if job == READY else jobs.warm_up()
            gc.collect()
            gc.freeze()  # what is loaded by now stays: nobody need look through it at every answer
            return DONE, b""
        return DONE, jobs.perform(job, question)
    except (ValidationError, RecursionError, MemoryError) as error:  # bugs: it was checked before
        return FAILED, f"{type(error).__name__}: {error}".encode()
    except ValueError as error:  # the library says what it cannot do
        return REFUSED, str(error).encode("utf-8", "replace")
    except Exception as error:
        if os.environ.get(DEBUG):
            traceback.print_exc()
        return FAILED, f"{type(error).__name__}: {error}".encode("utf-8", "replace")


def main() -> None:
    """Answer until nobody asks any more."""
    import signal
    import warnings

    # Ctrl-C is for the server, which closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    # What a library prints must not be taken for an answer.
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    while True:
        try:
            n_name, n_body = HEAD.unpack(read_exactly(sys.stdin.buffer, HEAD.size))
            job = read_exactly(sys.stdin.buffer, n_name).decode("ascii")
            how, body = answer(job, read_exactly(sys.stdin.buffer, n_body))
            write_message(out, how, body)
        except (EOFError, BrokenPipeError):
            # What is left in a buffer has no reader; Python would complain of it at exit.
            os._exit(0)


if __name__ == "__main__":
    main()
