"""``python -m reproductions.parameter_mixing``: what McDonald, Hall and Mann (2010) say of mixing.

Two claims. Perceptrons trained to the end on the shards of a separable set, and then mixed once,
need not separate it, whatever the weights of the mixture: their proof is an example of four points
in two shards. Mixed after every epoch, and begun again from the mixture, they do: over all rounds
the mistakes k of the shards, each weighed by its shard's share mu, add up to at most R^2 /
gamma^2.

The four points and all mixtures of them are small dyadic numbers, so that table is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from novikoff import Perceptron, mistake_bound
from novikoff.distributed import ParameterMixing
from reproductions.tables import table

Shard = tuple[np.ndarray, np.ndarray]

# The counter-example, for a binary classifier through the origin; SEPARATOR separates all four.
FOUR_POINTS: list[Shard] = [
    (np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), np.array([-1, 1])),
    (np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]]), np.array([-1, 1])),
]
SEPARATOR = np.array([1.0, -2.0, 1.0])
MIXTURES = ((0.5, 0.5), (0.25, 0.75), (1.0, 0.0), (0.0, 1.0))


def perceptron(ties: str) -> Perceptron:
    return Perceptron(fit_intercept=False, order="cyclic", ties=ties, max_iter=10_000)


def joined(shards: Sequence[Shard]) -> Shard:
    return np.vstack([X for X, _ in shards]), np.concatenate([y for _, y in shards])


def separators(shards: Sequence[Shard], ties: str) -> np.ndarray:
    """A row per shard: theta of a perceptron that was trained on it until it separates it."""
    return np.vstack([perceptron(ties).fit(*shard).coef_ for shard in shards])


def wrong(theta: np.ndarray, shards: Sequence[Shard], ties: str) -> int:
    """How many rows of all shards are mistakes of theta, by the tie rule of the run."""
    X, y = joined(shards)
    score = X @ theta
    return int((((score >= 0) != (y > 0)) if ties == "sign" else (y * score <= 0)).sum())


def integers(n: int, d: int, n_shards: int, seed: int = 0) -> list[Shard]:
    """Rows of integers from -9 to 9 on two sides of a plane, in shards that lie side by side."""
    random = np.random.RandomState(seed)
    normal = random.randint(-9, 10, d)
    X = random.randint(-9, 10, (n, d)).astype(np.float64)
    score = X @ normal
    X, y = X[score != 0], np.sign(score[score != 0]).astype(int)
    order = np.argsort(X[:, 0], kind="stable")
    return [(X[rows], y[rows]) for rows in np.array_split(order, n_shards)]


def iterated(shards: list[Shard], ties: str, mixing: str, client: Any) -> ParameterMixing:
    model = ParameterMixing(perceptron(ties), mixing=mixing, rounds=10_000, client=client)
    model.fit(shards)
    return model


@contextmanager
def cluster() -> Iterator[Any]:
    """A cluster of threads in this process."""
    from dask.distributed import Client

    client = Client(processes=False, dashboard_address=None, n_workers=1, threads_per_worker=1)
    try:
        yield client
    finally:
        client.close()


def shown(theta: np.ndarray) -> str:
    return f"({', '.join(f'{value:g}' for value in theta)})".replace("-", "−")


def counter_example(client: Any) -> str:
    """The table of the four points: mixed once, and in rounds."""
    rows = []
    for ties in ("sign", "mistake"):
        parts = separators(FOUR_POINTS, ties)
        for mu in MIXTURES:
            theta = np.array(mu) @ parts
            left = wrong(theta, FOUR_POINTS, ties)
            rows.append([f'`"{ties}"`', f"once, μ = {mu[0]:g}, {mu[1]:g}", shown(theta), f"{left}"])
        for mixing in ("uniform", "mistakes"):
            model = iterated(FOUR_POINTS, ties, mixing, client)
            left = wrong(model.coef_[0], FOUR_POINTS, ties)
            how = f"in {model.n_rounds_} rounds, {mixing}"
            rows.append([f'`"{ties}"`', how, shown(model.coef_[0]), f"{left}"])
    return table(["ties", "mixed", "θ", "rows still wrong"], rows)


def convergence(client: Any, n: int = 1000, d: int = 4) -> str:
    """The table of the bound: the same rows in one to sixteen shards."""
    bound = mistake_bound(*joined(integers(n, d, 1)), fit_intercept=False)
    rows = []
    for n_shards in (1, 2, 4, 8, 16):
        shards = integers(n, d, n_shards)
        once = wrong(separators(shards, "mistake").mean(axis=0), shards, "mistake")
        for mixing in ("uniform", "mistakes") if n_shards > 1 else ("uniform",):
            model = iterated(shards, "mistake", mixing, client)
            audit = model.audit(bound=bound)
            assert model.status_ == "separated"
            assert audit.holds
            rows.append(
                [
                    f"{n_shards}", mixing, f"{once}", f"{model.n_rounds_}",
                    f"{model.mistakes_.sum()}", f"{audit.mistakes[-1, 0]:.1f}",
                    f"{bound.value:.0f}",
                ]
            )  # fmt: skip
    head = ["shards", "μ", "mixed once: rows wrong", "rounds", "mistakes", "Σ μ·k", "R²/γ²"]
    return table(head, rows)


def main() -> None:
    with cluster() as client:
        print(counter_example(client), convergence(client), sep="\n\n")


if __name__ == "__main__":
    main()
