"""Shards to learn from, and what workers run for the tests."""

from __future__ import annotations

import io
import os
import threading
from contextlib import contextmanager, redirect_stdout

import numpy as np


def integer_shards(sizes, d, seed, *, n_classes=2, separable=False, spread=4):
    """Small whole numbers, on which sums are exact."""
    random = np.random.RandomState(seed)
    truth = random.randint(-3, 4, (n_classes, d))
    shards = []
    for n in sizes:
        X = random.randint(-spread, spread + 1, (4 * n + 8, d)).astype(float)
        scores = X @ truth.T
        y = scores.argmax(axis=1)
        if separable:
            top = np.sort(scores, axis=1)
            X, y = X[top[:, -1] - top[:, -2] >= 6], y[top[:, -1] - top[:, -2] >= 6]
        else:
            y = np.where(random.random(len(y)) < 0.15, random.randint(0, n_classes, len(y)), y)
        assert len(y) >= n
        shards.append((X[:n], y[:n]))
    return shards


def stacked(shards):
    return np.concatenate([X for X, _ in shards]), np.concatenate([y for _, y in shards])


class _Rounds(io.TextIOBase):
    def __init__(self, acts):
        self._acts, self._running = dict(acts), None

    def write(self, text):
        if text.startswith("round"):
            if self._running is not None:
                self._running.join()
            act = self._acts.pop(int(text.split()[1]), None)
            self._running = None if act is None else threading.Thread(target=act)
            if self._running is not None:
                self._running.start()
        return len(text)


@contextmanager
def during_rounds(acts):
    """While a verbose run trains here, do things in the middle of it, however slow the machine.

    acts : after which round -> what to do beside the next one, which does not end before
    """
    with redirect_stdout(_Rounds(acts)):
        yield


def logged(folder, number, X, y):
    """A shard that notes in a file that it was read."""
    with open(os.path.join(folder, f"read-{number}"), "a") as file:
        file.write("read\n")
    return X, y
