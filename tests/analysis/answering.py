"""What another process is asked in the tests: it prints, fails, and dies in a word."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

_alarms = []


def get_ready():
    _alarms.append(signal.getitimer(signal.ITIMER_REAL)[0])


def answer(X, codes, question):
    match question["what"]:
        case "echo":
            yield {"heard": question["text"]}
        case "print":
            print('["done", ""]', flush=True)
            os.write(1, b'["done", ""]\n')  # as compiled code does
            yield {"found": 1}
        case "fail":
            yield {"found": 1}
            raise ZeroDivisionError("a bug: ä\n")
        case "die":
            yield {"found": 1}
            for handle in range(3, 10):  # one of them is the pipe
                with suppress(OSError):
                    os.write(handle, b'{"fou')
            os._exit(1)
        case "alarms":
            yield {"idle": _alarms, "now": signal.getitimer(signal.ITIMER_REAL)[0]}
        case "slow":
            time.sleep(1.0)
            yield {"found": 1}
