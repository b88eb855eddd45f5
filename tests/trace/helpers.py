"""What the trace tests share: a margin oracle, and runs to look at."""

import math
from fractions import Fraction

import numpy as np
import scipy.sparse as sp
from scipy.optimize import nnls

from novikoff.certificates.check import digest
from novikoff.certificates.results import MaxMargin


def dense(X):
    return X.toarray() if sp.issparse(X) else np.asarray(X)


def signed_rows(trace):
    """y (x, 1) of every row that took part, as doubles; without the 1 through the origin."""
    X, side = dense(trace.examples.X).astype(float), trace.examples.side
    if trace.fit_intercept:
        X = np.column_stack([X, np.ones(len(X))])
    return (side[:, None] * X)[side != 0]


def digest_of(trace):
    """The fingerprint of the rows that took part, in the space of the run."""
    side = trace.examples.side[trace.examples.side != 0]
    return digest(signed_rows(trace) * side[:, None], side)


def margin_below(rows, theta):
    """The smallest row . theta / ||theta||, from exact fractions, rounded down."""
    exact = [Fraction(t) for t in theta]
    least = min(sum(Fraction(v) * t for v, t in zip(row, exact, strict=True)) for row in rows)
    if least <= 0:
        return -math.inf
    squared = least**2 / sum(t * t for t in exact)
    root = math.sqrt(squared)
    while Fraction(root) ** 2 > squared:
        root = math.nextafter(root, 0.0)
    return root


def margin_oracle(trace):
    """The largest margin through the origin: the nearest point to 0 of the hull of y (x, 1)."""
    Z = signed_rows(trace)
    scale = np.abs(Z).max()
    system = np.vstack([Z.T / scale, np.ones(len(Z))])
    weights, _ = nnls(system, np.append(np.zeros(Z.shape[1]), 1.0), maxiter=100 * len(Z))
    theta = Z.T @ (weights / weights.sum()) / scale
    support = np.flatnonzero(weights)
    return MaxMargin(
        theta=theta, offset=0.0, margin=margin_below(Z, theta),
        upper_bound=float(np.linalg.norm(theta) * scale), support=support,
        weights=weights[support] / weights.sum(), fit_intercept=False, shape=Z.shape,
        digest=digest_of(trace),
    )  # fmt: skip


def assert_same(one, other):
    """Two traces with the same content, to the bit."""
    for name in one.__dataclass_fields__:
        a, b = getattr(one, name), getattr(other, name)
        if name == "_read_scores":
            continue
        if name == "examples" and a is not None and b is not None:
            np.testing.assert_array_equal(a.side, b.side, strict=True)
            assert sp.issparse(a.X) == sp.issparse(b.X)
            assert a.X.dtype == b.X.dtype
            assert a.X.shape == b.X.shape
            assert bits(a.X) == bits(b.X)
        elif name == "orders" and a is not None:
            assert [order.tolist() for order in a] == [order.tolist() for order in b]
        elif isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b, strict=True)
            assert a.tobytes() == b.tobytes()
        elif isinstance(a, tuple) and name == "replacements":
            assert [v.tolist() for v in a] == [v.tolist() for v in b]
        else:
            assert a == b
            assert type(a) is type(b)


def bits(X):
    if sp.issparse(X):
        return X.data.tobytes(), X.indices.tolist(), X.indptr.tolist()
    return np.ascontiguousarray(X).tobytes()
