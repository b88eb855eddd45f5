"""A glance: its bounds hold in fractions, and several hyperplanes learn with it as without."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff import OnlineClassifier, Perceptron, rules
from novikoff._jit import kernel
from novikoff.kernels import glance as glances
from novikoff.kernels.filter import weight_norms
from novikoff.kernels.glance import (
    Halves,
    Shorts,
    Singles,
    Sketched,
    Weights,
    glance_at,
    glimpsed,
    look,
    rounding_of,
)
from novikoff.training import learners
from novikoff.training.problem import Drawing
from tests.examples import examples
from tests.kernels.test_sketch import drawn
from tests.reference import JointRun, Run

NONE = Drawing.none().sketch(0)
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@kernel
def glimpse(glance, theta, offset, norms, row_norm, values, indices, low, high, planes, found):
    """found[a] <- the score and its bound, for planes[a]."""
    look(glance, theta, 0, values, indices, low, high, planes, 0, planes.shape[0])
    for a in range(planes.shape[0]):
        found[a] = glimpsed(
            glance, offset, norms, planes[a], 0, row_norm, rounding_of(glance, high - low)
        )


@kernel
def follow(glance, theta, k, norm, indices, low, high):
    glances.follow(glance, theta, k, norm, indices, low, high)


def norms_of(theta, offset):
    norms = np.empty(len(theta))
    weight_norms(theta, offset, norms)
    return norms


def holds(glance, theta, offset, x, indices, planes):
    """Whether each score found is as close to the true one as its bound says."""
    values = x if indices is None else x[indices]
    true_norm = float(np.sqrt(1.0 + (values.astype(float) ** 2).sum())) * (1.0 + 1e-12)
    found = np.empty((len(planes), 2))
    glimpse(
        glance, theta, offset, norms_of(theta, offset), true_norm, values, indices, 0, len(values),
        planes, found,
    )  # fmt: skip
    for k, (score, error) in zip(planes, found, strict=True):
        if error < np.inf:
            columns = range(len(x)) if indices is None else indices
            truth = Fraction(float(offset[k])) + sum(
                Fraction(float(theta[k, j])) * Fraction(float(x[j])) for j in columns
            )
            assert abs(Fraction(float(score)) - truth) <= Fraction(float(error))
    return found[:, 1]


@pytest.mark.parametrize("kind", [Shorts, Singles, Weights])
@examples(40)
@given(
    seed=st.integers(0, 10**6),
    width=st.integers(16, 75),
    n_planes=st.sampled_from([2, 5, 8, 11]),
    size=st.sampled_from([-400, -140, -70, -30, 0, 10, 60, 118]),
    whole=st.booleans(),
    single=st.booleans(),
)
def test_scores_are_as_close_as_their_bounds_say(kind, seed, width, n_planes, size, whole, single):
    random = np.random.default_rng(seed)
    dtype = np.float32 if single and kind is not Singles and abs(size) < 120 else np.float64
    n_planes = max(n_planes, 8) if kind is Singles else n_planes
    theta = random.standard_normal((n_planes, width)) * 2.0**size
    theta[:, ::3] *= 2.0**-20  # of many sizes
    if whole:
        theta = np.round(random.standard_normal((n_planes, width)) * 2.0 ** min(abs(size), 20))
    theta, offset = theta.astype(dtype), theta[:, 0].astype(dtype)
    value_type = np.uint8 if kind is Shorts else np.int16 if kind is Singles else dtype
    X = random.integers(0, 256, (3, width)).astype(value_type)
    more = {"sparse": False, "additive": True, "products": 1e9, "sketch": NONE}
    glance = glance_at(theta, norms_of(theta, offset), X.reshape(-1), **more)
    assert type(glance) is kind
    planes = np.sort(random.permutation(n_planes)[: random.integers(1, n_planes + 1)])
    for i, x in enumerate(X):
        holds(glance, theta, offset, x, None, planes)
        k = int(planes[0])  # an update, and the copy follows
        theta[k] += dtype(2.0 ** (0 if whole else size)) * x.astype(dtype)
        follow(glance, theta, k, norms_of(theta, offset)[k], None, i * width, (i + 1) * width)
    holds(glance, theta, offset, X[0], None, planes)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@examples(30)
@given(
    seed=st.integers(0, 10**6),
    width=st.integers(16, 60),
    n_planes=st.sampled_from([2, 5, 11]),
    size=st.sampled_from([-200, -20, 0, 20, 100, 200]),
)
def test_scores_by_a_sketch_are_as_close_as_their_bounds_say(dtype, seed, width, n_planes, size):
    random = np.random.default_rng(seed)
    X = random.standard_normal((1, width)).astype(dtype)
    step = (0.1 + random.random(width)) / 100.0
    _, drawing = drawn(X, np.full(width, -2.0), step, -(-width // 32) * 32)
    scale = dtype(2.0 ** (np.sign(size) * min(abs(size), 100 if dtype == np.float32 else 200)))
    theta = random.standard_normal((n_planes, width)).astype(dtype) * scale
    offset = theta[:, 0].copy()
    glance = glance_at(
        theta, norms_of(theta, offset), X.reshape(-1), sparse=False, additive=True, products=1e9,
        sketch=drawing.sketch(n_planes),
    )  # fmt: skip
    assert type(glance) is Sketched
    everyone = np.arange(n_planes)
    holds(glance, theta, offset, X[0], None, everyone)
    theta[1] += scale * X[0]
    follow(glance, theta, 1, norms_of(theta, offset)[1], None, 0, width)
    error = holds(glance, theta, offset, X[0], None, everyone[::-1].copy())
    assert (error < np.inf).all() == (scale < 1e35)


def test_whole_weights_of_16_bits_are_copied_without_loss():
    theta = np.array([np.arange(-3000, 3001, 300), np.arange(21)] * 2, float)[:, :20]
    offset = np.zeros(4)
    row = np.arange(100, 120).astype(np.uint8)
    glance = glance_at(
        theta, norms_of(theta, offset), row, sparse=False, additive=True, products=1e9, sketch=NONE
    )
    assert isinstance(glance, Shorts)
    assert holds(glance, theta, offset, row, None, np.arange(4)).max() < 1e-3


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [-300, -130, -60, 0, 60, 119])
@pytest.mark.parametrize(("kind", "n_planes"), [(Singles, 9), (Halves, 33)])
def test_a_copy_of_sparse_weights_follows_the_columns_of_the_row(kind, n_planes, size, dtype):
    if dtype == np.float32 and (kind is Singles or size == -300):
        pytest.skip("theta itself, or nothing but zeros")
    random = np.random.RandomState(0)
    scale = 2.0**size
    theta = np.zeros((n_planes, 50), dtype, order="F")
    theta[:3] = random.standard_normal((3, 50)) * scale  # a start
    offset = np.zeros(n_planes, dtype)
    X = sp.random(60, 50, 0.2, format="csr", random_state=random)
    glance = glance_at(
        theta, norms_of(theta, offset), X.data, sparse=True, additive=True, products=1e9,
        sketch=NONE,
    )  # fmt: skip
    assert isinstance(glance, kind)
    indices = X.indices.astype(np.uint32)
    for i in range(60):
        low, high = X.indptr[i : i + 2]
        columns, k = indices[low:high], i % n_planes
        theta[k, columns] += (random.standard_normal(high - low) * scale).astype(dtype)
        offset[k] += dtype(scale)
        follow(glance, theta, k, norms_of(theta, offset)[k], indices, low, high)
        error = holds(glance, theta, offset, X[[i]].toarray()[0], columns, np.arange(n_planes))
        if abs(size) <= 60:
            assert error.max() < scale * (1e-3 if kind is Singles else 0.1)


def test_what_is_too_large_for_a_copy_is_never_trusted():
    row = np.full(20, 3, np.int16)
    for size in (1e39, 1e200):
        theta, offset = np.full((8, 20), size), np.zeros(8)
        with np.errstate(over="ignore"):
            norms = norms_of(theta, offset)
            singles = glance_at(
                theta, norms, row, sparse=False, additive=True, products=1e9, sketch=NONE
            )
            bytes_ = row.astype(np.uint8)
            shorts = glance_at(
                theta, norms, bytes_, sparse=False, additive=True, products=1e9, sketch=NONE
            )
        assert (holds(singles, theta, offset, row, None, np.arange(8)) == np.inf).all()
        holds(shorts, theta, offset, bytes_, None, np.arange(8))


def test_small_work_is_looked_at_as_it_is():
    theta = np.zeros((9, 40))
    bytes_ = np.zeros(40, np.uint8)
    glance = glance_at(
        theta, np.zeros(9), bytes_, sparse=False, additive=True, products=360, sketch=NONE
    )
    assert isinstance(glance, Weights)


KINDS = {
    "bytes": lambda X: X.astype(np.uint8),
    "integers": lambda X: X.astype(np.int16) * 3 - 100,
    "singles": lambda X: X.astype(np.float32) / np.float32(7),
    "doubles": lambda X: X / 7 - 9,
    "sparse": lambda X: sp.csr_array(np.where(X > 120, X, 0) / 7),
}


@pytest.mark.parametrize("multi_class", ["ovr", "ovo", "joint"])
@pytest.mark.parametrize("kind", KINDS)
def test_learning_equals_the_oracle(kind, multi_class):
    """Nine classes, 36 pairs: hyperplanes enough for every kind of glance."""
    random = np.random.RandomState(1)
    y = np.append(np.arange(9), random.randint(0, 9, 51))
    centres = random.randint(0, 256, (9, 21))
    X = np.clip(centres[y] + random.randint(-90, 91, (60, 21)), 0, 255)
    data = KINDS[kind](X)
    dense = data.toarray() if sp.issparse(data) else data
    clf = Perceptron(multi_class=multi_class, order="cyclic", max_iter=3, eta0=0.3)
    if multi_class == "joint":
        clf.set_params(eta0=1.0)
    clf.fit(data, y)
    if multi_class == "joint":
        theta, offset = JointRun(dense, y, 9, epochs=3).hypotheses[-1]
        np.testing.assert_array_equal(clf.coef_, theta)
        np.testing.assert_array_equal(clf.intercept_, offset)
        return
    if multi_class == "ovr":
        sides = [np.where(y == c, 1, -1) for c in range(9)]
    else:
        sides = [
            np.where(y == j, 1, 0) - np.where(y == i, 1, 0)
            for i in range(9)
            for j in range(i + 1, 9)
        ]
    for k, side in enumerate(sides):
        oracle = Run(dense, side, epochs=3, eta=0.3)
        np.testing.assert_array_equal(clf.coef_[k], oracle.last[0])
        assert clf.intercept_[k] == oracle.last[1]
        np.testing.assert_array_equal(
            clf.mistake_counts_[k], np.bincount(oracle.rows, minlength=60)
        )


class SwitchedOn:
    """A kernel that runs as plain Python once, and as it would otherwise from then on."""

    def __init__(self, kernel):
        self.kernel, self.plainly = kernel, True

    def __call__(self, *arguments):
        form = self.kernel._plainly if self.plainly else self.kernel
        self.plainly = False
        return form(*arguments)


@pytest.mark.parametrize("multi_class", ["ovr", "ovo", "joint"])
@pytest.mark.parametrize("kind", ["bytes", "integers", "sparse"])
def test_a_compiler_that_comes_late_does_not_trust_old_copies(kind, multi_class, monkeypatch):
    """Small work becomes worth compiling in the middle of a run, whose first epoch kept no copy."""
    random = np.random.RandomState(4)
    y = random.randint(0, 9, 300)
    X = KINDS[kind](random.randint(0, 256, (300, 30)))
    clf = Perceptron(multi_class=multi_class, order="cyclic", max_iter=3)
    expected = clf.fit(X, y).coef_.copy()
    for name in ("walk", "joint_walk"):
        monkeypatch.setattr(learners, name, SwitchedOn(getattr(learners, name)))
    np.testing.assert_array_equal(clf.fit(X, y).coef_, expected)


SCALING = {
    rules.ROMMA(): (150, 60), rules.ROMMA(aggressive=True): (150, 60), rules.ALMA(): (150, 60),
    rules.AROW(covariance="full"): (40, 20),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "shape"), SCALING.items(), ids=map(str, SCALING))
def test_rules_that_move_all_weights_learn_the_same_from_sparse_rows(rule, shape):
    random = np.random.RandomState(5)
    X = sp.random(*shape, 0.15, format="csr", random_state=random)
    y = random.randint(0, 10, len(X.indptr) - 1)
    clf = OnlineClassifier(rule, multi_class="ovr", order="cyclic", max_iter=3)
    sparse = clf.fit(X, y).coef_.copy()
    np.testing.assert_array_equal(sparse, clf.fit(X.toarray(), y).coef_)


@pytest.mark.parametrize("rule", [rules.PassiveAggressive(C=0.1), rules.AROW()], ids=["PA", "AROW"])
@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_other_rules_learn_the_same_from_any_kind_of_rows(rule, multi_class):
    """Bytes at a glance of integers, doubles with the same values by themselves."""
    random = np.random.RandomState(2)
    y = random.randint(0, 6, 200)
    X = np.clip(random.randint(0, 200, (6, 24))[y] + random.randint(-60, 61, (200, 24)), 0, 255)
    clf = OnlineClassifier(rule, multi_class=multi_class, order="cyclic", max_iter=3)
    as_bytes = clf.fit(X.astype(np.uint8), y).coef_.copy()
    np.testing.assert_array_equal(as_bytes, clf.fit(X.astype(float), y).coef_)
