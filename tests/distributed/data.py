"""Shards to learn from, and what workers run for the tests."""

from __future__ import annotations

import os

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


def logged(folder, number, X, y):
    """A shard that notes in a file that it was read, and where."""
    with open(os.path.join(folder, f"read-{number}"), "a") as file:
        file.write(f"{os.getpid()}\n")
    return X, y
