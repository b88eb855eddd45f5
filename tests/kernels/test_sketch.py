"""Sketches of rows: their bounds hold, and they change nothing but the time."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff import AveragedPerceptron, Perceptron
from novikoff._jit import compiling_at_once, kernel
from novikoff.kernels import sketch as sketches
from novikoff.kernels.filter import precision_of, relative_error, weight_norms
from novikoff.kernels.rows import Rows
from novikoff.kernels.sketch import draw, narrow
from novikoff.training.matrix import as_rows, norms_of
from novikoff.training.problem import Drawing, packed
from tests.examples import examples

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
SINGLE = precision_of(np.float32)


@kernel
def refresh(sketch_theta, lowest, step, theta):
    return sketches.refresh(sketch_theta, lowest, step, theta, 0)


@kernel
def sketch_dot(theta, values, stride, i):
    return sketches.sketch_dot(theta, values, stride, i)


@kernel
def scores_of(sketch, theta, indptr):
    """Of all rows, by a sketch that has followed theta."""
    base = sketches.follow_theta(sketch, theta)
    scores = np.empty(indptr.shape[0] - 1)
    for i in range(scores.shape[0]):
        scores[i] = sketches.sketched(sketch, base, indptr, np.uint64(i))
    return scores


def drawn(X, lowest, step, stride):
    n, d = X.shape
    norms, reach = np.empty(n), np.empty(n)
    result = np.zeros(n * stride, np.uint8)
    bad, limit = draw(
        X.reshape(-1), d, 1.0, lowest, step, 1.0 / step, stride, relative_error(d, SINGLE), norms,
        result, reach,
    )  # fmt: skip
    assert bad == -1
    return norms, Drawing(result, stride, reach, limit, lowest, step)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16])
@examples(60)
@given(
    seed=st.integers(0, 10**6),
    d=st.integers(1, 40),
    exponent=st.sampled_from([-60, -20, 0, 3, 20, 60]),
    size=st.sampled_from([-500, -200, -140, -120, 0, 100, 120, 200, 500]),
    wide=st.sampled_from([0.01, 1.0, 30.0]),
)
def test_a_score_from_a_sketch_is_as_close_as_its_reach_says(dtype, seed, d, exponent, size, wide):
    random = np.random.default_rng(seed)
    spread = 2.0**exponent if dtype != np.int16 else 1000.0
    X = (random.standard_normal((3, d)) * spread).astype(dtype)
    # Levels need not suit the rows: a bad choice costs time, never rightness.
    lowest = (-wide * spread * random.random(d)).round()
    step = wide * spread * (0.1 + random.random(d)) / 255.0
    stride = d + 3
    _, drawing = drawn(X, lowest, step, stride)
    # theta may be beyond what its rounded copy can hold, at either end.
    theta = random.standard_normal((1, d)) * 2.0**size
    weights = np.empty(1)
    weight_norms(theta, np.zeros(1), weights)
    sketch = drawing.sketch(1)
    base, squares = refresh(sketch.theta, lowest, step, theta)
    assert squares == pytest.approx(float((theta**2).sum()), rel=1e-12)
    for i in range(3):
        if not weights[0] < sketch.limit or not np.isfinite(sketch.reach[i]):
            continue
        score = base + sketch_dot(sketch.theta, sketch.values, stride, i)
        truth = sum(
            Fraction(float(t)) * Fraction(float(x)) for t, x in zip(theta[0], X[i], strict=True)
        )
        error = Fraction(float(weights[0])) * Fraction(float(sketch.reach[i]))
        assert abs(Fraction(float(score)) - truth) <= error + Fraction(sketch.least)


def test_what_has_256_levels_is_sketched_without_loss():
    """Pixels and indicators, also after standardisation: rows of their own lowest and step."""
    random = np.random.RandomState(0)
    pixels = random.randint(0, 256, (50, 7)).astype(float)
    pixels[0], pixels[1] = 0.0, 255.0
    mean, deviation = pixels.mean(axis=0), pixels.std(axis=0)
    X = (pixels - mean) / deviation
    norms, drawing = drawn(X, -mean / deviation, 1.0 / deviation, 7)
    np.testing.assert_array_equal(drawing.values.reshape(50, 7), pixels)
    assert (drawing.reach < 2e-6 * (norms + np.linalg.norm(mean / deviation))).all()


@examples(60)
@given(
    seed=st.integers(0, 10**6),
    d=st.sampled_from([1, 40, 200, 70_000]),
    exponent=st.sampled_from([-600, -100, -60, 0, 3, 20, 60, 400]),
    size=st.sampled_from([-500, -200, -140, -120, 0, 100, 120, 200, 500]),
    spread=st.sampled_from([0, 8, 60]),
    along=st.booleans(),
)
def test_a_score_from_packed_rows_is_as_close_as_its_reach_says(
    seed, d, exponent, size, spread, along
):
    random = np.random.default_rng(seed)
    X = sp.random_array((5, d), density=min(1.0, 30 / d), format="csr", rng=random)
    X.data = random.standard_normal(X.nnz) * 2.0 ** (exponent - spread * random.random(X.nnz))
    rows = as_rows(X)
    norms = norms_of(rows, 5, 1.0)
    theta = random.standard_normal((1, d)) * 2.0**size
    with compiling_at_once(True):
        sketch = packed(rows, norms, d)
        if along:  # what is left of the first row: no error is larger
            stored = slice(*rows.indptr[:2])
            left = rows.values[stored] - sketch.unit[0] * (sketch.words[stored] >> sketch.bits)
            theta[:] = 0.0
            largest = max(np.abs(left).max(initial=0.0), 1e-200)
            theta[0, rows.indices[stored]] = left / largest * 2.0**size
        scores = scores_of(sketch, theta, rows.indptr)
    weights = np.empty(1)
    weight_norms(theta, np.zeros(1), weights)
    assert (np.isfinite(sketch.reach) | (norms > 1e29)).all()
    for i in range(5):
        if not weights[0] < sketch.limit or not np.isfinite(sketch.reach[i]):
            continue
        low, high = rows.indptr[i : i + 2]
        truth = sum(
            Fraction(float(theta[0, j])) * Fraction(float(x))
            for j, x in zip(rows.indices[low:high], rows.values[low:high], strict=True)
        )
        error = Fraction(float(weights[0])) * Fraction(float(sketch.reach[i]))
        assert abs(Fraction(float(scores[i])) - truth) <= error + Fraction(float(sketch.least))


def test_rows_beyond_single_precision_are_never_trusted():
    X = np.array([[1e40, 0.0], [1.0, 1.0]])
    _, drawing = drawn(X, np.zeros(2), np.full(2, 1 / 255), 2)
    assert drawing.reach[0] == np.inf
    assert np.isfinite(drawing.reach[1])


@pytest.mark.parametrize(
    ("row", "narrows"),
    [
        ([0.0, 255.0, 3.0], True),
        ([0.0, 256.0, 3.0], False),
        ([0.0, -1.0, 3.0], False),
        ([0.5, 1.0, 3.0], False),
        ([np.nan, 1.0, 3.0], False),
        ([1e300, 1.0, 3.0], False),
    ],
)
def test_only_bytes_are_narrowed(row, narrows):
    values = np.array(row)
    norms, result = np.empty(1), np.empty(3, np.uint8)
    assert narrow(Rows(values, None, None, 3), 1.0, norms, result) == narrows
    if narrows:
        np.testing.assert_array_equal(result, values)


@pytest.mark.parametrize("estimator", [Perceptron, AveragedPerceptron])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_run_on_rows_that_are_sketched_equals_one_on_batches_that_are_not(estimator, n_classes):
    """In either form: plain Python makes no use of a sketch that has been drawn."""
    random = np.random.default_rng(0)
    X = random.standard_normal((1100, 960))  # no smaller data is sketched
    X[:, :3] *= 20.0  # few updates: plain Python takes its time for each
    y = np.argmax(X[:, :n_classes], axis=1)
    whole = estimator(order="cyclic", max_iter=4).fit(X, y)
    online = estimator()
    for _ in range(4):
        online.partial_fit(X, y, classes=np.arange(n_classes))
    np.testing.assert_array_equal(whole.coef_, online.coef_, strict=True)
    np.testing.assert_array_equal(whole.intercept_, online.intercept_)
