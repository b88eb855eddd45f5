"""Data large enough to be sketched or narrowed gives what small pieces of it would."""

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff import AveragedPerceptron, Perceptron, VotedPerceptron, _jit
from novikoff._jit import compiling_at_once
from novikoff.kernels.filter import precision_of, relative_error
from novikoff.training.matrix import as_rows
from novikoff.training.problem import packs, prepare

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
drawn = pytest.mark.skipif(_jit._numba() is None, reason="plain Python draws no sketch")
RANDOM = np.random.RandomState(0)
N, D = 16_500, 64
SIGNED = RANDOM.standard_normal((N, D))
POSITIVE = np.abs(SIGNED) * 10.0 ** RANDOM.randint(-3, 4, (N, 1))
PIXELS = RANDOM.randint(0, 256, (N, D)) * (RANDOM.random((N, D)) < 0.3)
Y = (SIGNED @ RANDOM.standard_normal(D) + RANDOM.standard_normal(N) > 0).astype(int)


@pytest.fixture(scope="module", autouse=True)
def compiled(patience):
    """At once: the data is too large for anything else."""
    with compiling_at_once(True):
        yield


@pytest.mark.parametrize(
    "dtype", [pytest.param(np.float32, marks=pytest.mark.thorough), np.float64]
)
@pytest.mark.parametrize("data", [SIGNED, POSITIVE, PIXELS], ids=["signed", "positive", "pixels"])
@pytest.mark.parametrize(
    "estimator",
    [
        Perceptron,
        pytest.param(AveragedPerceptron, marks=pytest.mark.thorough),
        pytest.param(VotedPerceptron, marks=pytest.mark.thorough),
    ],
)
def test_sketched_training_equals_training_from_batches(estimator, data, dtype):
    """A batch is never sketched; one pass of partial_fit per epoch is the same run."""
    X = data.astype(dtype)
    whole = estimator(order="cyclic", max_iter=4).fit(X, Y)
    online = estimator()
    for _ in range(4):
        for rows in np.array_split(np.arange(N), 3):
            online.partial_fit(X[rows], Y[rows], classes=[0, 1])
    np.testing.assert_array_equal(whole.coef_, online.coef_, strict=True)
    np.testing.assert_array_equal(whole.intercept_, online.intercept_)
    np.testing.assert_array_equal(whole.n_updates_, online.n_updates_)
    assert whole.n_updates_[0] > 1000
    np.testing.assert_array_equal(whole.predict(X[:50]), online.predict(X[:50]))


@drawn
def test_what_is_sketched_and_what_is_narrowed():
    def prepared(X, max_iter=10, n_planes=1):
        rows = as_rows(X)
        return prepare(rows, X.shape[0], 1.0, max_iter=max_iter, n_planes=n_planes)

    rows, norms, drawing = prepared(SIGNED)
    assert rows.values.dtype == np.float64
    assert len(drawing.reach) == N
    assert np.median(drawing.reach / norms) < 0.02
    for form in (PIXELS.astype(np.float32), sp.csr_array(np.tile(PIXELS, 5).astype(np.float32))):
        rows, _, _ = prepared(form)
        assert rows.values.dtype == np.uint8
    assert len(prepared(SIGNED, n_planes=3)[2].reach) == N
    narrow = SIGNED.reshape(-1, 16)
    integers = PIXELS.astype(np.int16)
    for drawing in (
        prepared(SIGNED, max_iter=1)[2],
        prepared(narrow, n_planes=3)[2],
        prepared(integers, n_planes=3)[2],
    ):
        assert len(drawing.reach) == 0


@pytest.mark.skipif(_jit._numba() is not None, reason="what is compiled draws one")
def test_plain_python_draws_nothing():
    assert len(prepare(as_rows(SIGNED), N, 1.0, max_iter=10, n_planes=1)[2].reach) == 0


@drawn
def test_levels_lie_on_the_grid_of_standardised_pixels():
    """Then the sketch leaves nothing out, also where the sample lacks the brightest of a column."""
    random = np.random.RandomState(3)
    pixels = random.randint(0, 180, (N, D)) * (random.random((N, D)) < 0.5)
    pixels[-1] = 255  # not in the sample
    X = (pixels - pixels.mean(axis=0)) / pixels.std(axis=0)
    _, norms, drawing = prepare(as_rows(X), N, 1.0, max_iter=10, n_planes=1)
    np.testing.assert_array_equal(drawing.values.reshape(N, D), pixels)
    rounding = relative_error(D, precision_of(np.float32))
    assert (drawing.reach < 1.01 * rounding * (norms + np.linalg.norm(drawing.lowest))).all()


@drawn
@pytest.mark.parametrize(
    "multi_class",
    ["ovr", *(pytest.param(each, marks=pytest.mark.thorough) for each in ("ovo", "joint"))],
)
@pytest.mark.parametrize(
    "dtype", [pytest.param(np.float32, marks=pytest.mark.thorough), np.float64]
)
def test_several_hyperplanes_learn_from_a_sketch_what_they_learn_from_batches(multi_class, dtype):
    X = SIGNED.astype(dtype)
    labels = Y + 2 * (SIGNED[:, 0] > 0) + 4 * (SIGNED[:, 1] > 1)
    chosen = {"multi_class": multi_class, "order": "cyclic"}
    whole = Perceptron(**chosen, max_iter=4, n_jobs=2).fit(X, labels)
    assert len(prepare(as_rows(X), N, 1.0, max_iter=4, n_planes=8)[2].reach) == N
    online = Perceptron(**chosen)
    for _ in range(4):
        for rows in np.array_split(np.arange(N), 3):
            online.partial_fit(X[rows], labels[rows], classes=np.arange(8))
    np.testing.assert_array_equal(whole.coef_, online.coef_, strict=True)
    np.testing.assert_array_equal(whole.intercept_, online.intercept_)
    np.testing.assert_array_equal(whole.n_updates_, online.n_updates_)


@drawn
@pytest.mark.parametrize(
    "estimator", [Perceptron, pytest.param(AveragedPerceptron, marks=pytest.mark.thorough)]
)
def test_packed_rows_teach_what_batches_teach(estimator):
    """Sparse rows are packed after an epoch with few updates; a batch never is."""
    n, d, length = 30_000, 500, 75
    indptr = np.arange(0, n * length + 1, length)
    X = sp.csr_array((RANDOM.exponential(size=n * length), _columns(n, d, length), indptr), (n, d))
    scores = X @ RANDOM.standard_normal(d)
    y = (scores > np.median(scores)).astype(int)
    assert packs(as_rows(X))
    whole = estimator(order="cyclic", max_iter=5).fit(X, y)
    online = estimator()
    for _ in range(5):
        for rows in np.array_split(np.arange(n), 3):
            online.partial_fit(X[rows], y[rows], classes=[0, 1])
    np.testing.assert_array_equal(whole.coef_, online.coef_, strict=True)
    np.testing.assert_array_equal(whole.intercept_, online.intercept_)
    np.testing.assert_array_equal(whole.n_updates_, online.n_updates_)


def _columns(n, d, length):
    """So many different ones for each row, in order."""
    steps = RANDOM.randint(1, d // length + 1, (n, length))
    return np.cumsum(steps, axis=1).ravel() - 1


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_bad_value_in_large_data_is_found(value):
    X = SIGNED.copy()
    X[12_345, 6] = value
    with pytest.raises(ValueError, match="at row 12345, column 6"):
        Perceptron().fit(X, Y)


@pytest.mark.thorough
def test_multiclass_and_sparse_data_may_be_narrowed_too():
    labels = Y + (SIGNED[:, 0] > 1)
    X = PIXELS.astype(np.float32)
    dense = Perceptron(order="cyclic", max_iter=4).fit(X, labels)
    sparse = Perceptron(order="cyclic", max_iter=4).fit(sp.csr_array(X), labels)
    bytes_ = Perceptron(order="cyclic", max_iter=4).fit(X.astype(np.int32), labels)
    np.testing.assert_array_equal(dense.coef_, sparse.coef_, strict=True)
    # Integers are learned from in double precision; here every sum is exact in both.
    np.testing.assert_array_equal(dense.coef_, bytes_.coef_)
