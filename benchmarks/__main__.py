"""``make bench``: speed and memory against scikit-learn and others, as a table and as JSON.

The first lines compare two estimators in this process: the same data, the same order of rows, the
same number of epochs, in turns after a warm-up; the value is the median over the turns, beside it
the lowest and the highest. Others time what has a limit. Ratios are what counts; times depend on
the machine and its neighbours.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks import (
    costs,
    data,
    estimates,
    family,
    first,
    fits,
    held_out,
    libsvm,
    mixing,
    playground,
    separation,
    streams,
)
from benchmarks import threads as both
from benchmarks.lines import Line, spread, summary
from benchmarks.machine import machine, read_bandwidth, versions
from benchmarks.work import EPOCHS
from novikoff import _jit


def tasks(n: int) -> dict[str, Callable[[], Line]]:
    """What is measured, in `n` turns each."""
    return {
        **fits.tasks(n),
        **both.tasks(n),
        **held_out.tasks(n),
        **costs.tasks(n),
        **family.tasks(n),
        **first.tasks(n),
        **separation.tasks(),
        **estimates.tasks(n),
        **libsvm.tasks(n),
        **streams.tasks(n),
        **mixing.tasks(n),
        **playground.tasks(n),
    }


def shown(line: Line, bandwidth: float) -> str:
    required = "" if line["required"] is None else f">= {line['required']}"
    if line.get("at_most"):
        required = f"<= {line['required']}"
    share = ""
    if "bytes_per_second" in line:
        share = f"{100 * line['bytes_per_second'] / bandwidth:.0f} %"
    mark = "" if line["met"] else "  short"
    return (
        f"{line['work']:<50} {line['against']:<28} {line['value']:7.2f} {line['unit']:<4} "
        f"{spread(line, 2):<11} {required:<8} {share:>6}{mark}"
    )


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="turns per line")
    parser.add_argument("--quick", action="store_true", help="one turn per line")
    parser.add_argument("--only", default="", help="only lines whose text contains this")
    default = Path(__file__).parent / "results" / "latest.json"
    parser.add_argument("--json", type=Path, default=default, help="where the numbers go")
    return parser.parse_args()


def main() -> None:
    chosen = options()
    turns = 1 if chosen.quick else chosen.repeat
    warnings.simplefilter("ignore")
    threadpool_limits(1)
    _jit.patience = 0.0  # these lines are of a process that has run for a while; but for `first`

    bandwidth = read_bandwidth()
    print(f"One thread reads {bandwidth / 1e9:.1f} GB/s. {EPOCHS} epochs, {turns} turns or more.")
    print(f"{'work':<50} {'against':<28} {'value':>7}      {'spread':<11} {'required':<8} memory")
    lines: list[Line] = []
    for work, run in tasks(turns).items():
        if chosen.only in work:
            try:
                lines.append({"work": work, **run()})
            except (FileNotFoundError, ImportError) as missing:
                print(f"{work:<50} left out: {missing}", flush=True)
            else:
                print(shown(lines[-1], bandwidth), flush=True)
    print(summary(lines))
    chosen.json.parent.mkdir(parents=True, exist_ok=True)
    result = {
        "machine": machine(),
        "versions": versions(),
        "data": [data.mnist()[2], data.covtype()[2], data.imdb()[2]],
        "read_bandwidth": bandwidth, "epochs": EPOCHS, "lines": lines,
    }  # fmt: skip
    chosen.json.write_text(json.dumps(result, indent=1, default=float) + "\n")


if __name__ == "__main__":
    main()
