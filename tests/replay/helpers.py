"""What the browser tests share: runs to look at, and the view's files without a network."""

import json
import struct
import time
import warnings
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from novikoff import Perceptron
from tests import golden

ORIGIN = "http://novikoff.test/"
STATIC = Path(__file__).parents[2] / "src" / "novikoff" / "replay" / "static"
GOLDEN = sorted(path.stem for path in Path(golden.__file__).parent.glob("*.json"))
KINDS = {".js": "text/javascript", ".css": "text/css"}


def serve(route):
    """Answer requests to ORIGIN from the view's files; let files through, and nothing else."""
    url = route.request.url
    if url.startswith("file:"):
        route.continue_()
    elif url == ORIGIN:
        text = '<!DOCTYPE html><link rel="stylesheet" href="/replay.css"><div id="here"></div>'
        route.fulfill(body=text, content_type="text/html; charset=utf-8")
    elif url.startswith(ORIGIN) and (STATIC / url.removeprefix(ORIGIN)).is_file():
        file = STATIC / url.removeprefix(ORIGIN)
        route.fulfill(
            body=file.read_text("utf-8"), content_type=f"{KINDS[file.suffix]}; charset=utf-8"
        )
    else:
        route.abort()


def golden_case(name):
    return json.loads((Path(golden.__file__).parent / f"{name}.json").read_text())


@cache
def golden_trace(name="twelve_points", labels=("-1", "1")):
    """The trace of a golden run, with labels of one's own."""
    case = golden_case(name)
    table = np.array(case["data"], float)
    X, y = table[:, :-1].astype(case["dtype"]), table[:, -1].astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # some are meant to end at their limit
        trace = Perceptron(record_trace=True, **case["parameters"]).fit(X, y).trace_
    return replace(trace, classes=labels)


def document_of(trace, **more):
    return {**json.loads(trace.to_json()), **more}


def bits(values):
    """Doubles as the hexadecimal digits of their bits."""
    return [struct.pack(">d", value).hex() for value in np.ravel(values).tolist()]


def wait_until(page, expression, seconds=90):
    """Ask until it is so. Playwright's own waiting needs eval, which the pages' policy forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"never so: {expression}"
        page.wait_for_timeout(20)


# Doubles as their bits, in JavaScript.
BITS = """
(values) => {
  const view = new DataView(new ArrayBuffer(8));
  return Array.from(values, (value) => {
    view.setFloat64(0, value);
    return view.getBigUint64(0).toString(16).padStart(16, "0");
  });
}
"""
