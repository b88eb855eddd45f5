"""Input as it comes, and errors that say what, where and what to do."""

import datetime
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from novikoff import (
    AveragedPerceptron,
    Hyperplane,
    KernelPerceptron,
    MaxMarginClassifier,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
    separability,
)
from novikoff.training.matrix import as_rows

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
RANDOM = np.random.RandomState(0)
X = RANDOM.randint(0, 5, (40, 6))
Y = (X @ [1, -2, 0, 3, -1, 0] > 2).astype(int)


@pytest.mark.parametrize("dtype", [*INTEGERS, np.bool_, np.float64, np.float16, ">f8", "<i4"])
@pytest.mark.parametrize("sparse", [False, True])
def test_every_type_gives_the_theta_of_its_values(dtype, sparse):
    if sparse and dtype in (np.float16, ">f8"):
        pytest.skip("scipy.sparse has no such matrices")
    typed = X.astype(dtype)
    want = AveragedPerceptron(max_iter=5).fit(typed.astype(np.float64), Y)
    got = AveragedPerceptron(max_iter=5).fit(sp.csr_array(typed) if sparse else typed, Y)
    np.testing.assert_array_equal(got.coef_, want.coef_, strict=True)
    np.testing.assert_array_equal(got.last_coef_, want.last_coef_, strict=True)
    np.testing.assert_array_equal(got.predict(typed), want.predict(typed.astype(np.float64)))


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32, np.float64])
def test_c_ordered_and_csr_data_are_not_copied(dtype):
    dense = np.ascontiguousarray(X.astype(dtype))
    assert np.shares_memory(as_rows(dense).values, dense)
    sparse = sp.csr_matrix(dense)
    rows = as_rows(sparse)
    assert np.shares_memory(rows.values, sparse.data) == (dtype in (np.float32, np.float64))
    assert np.shares_memory(rows.indices, sparse.indices)
    assert sparse.data.flags.writeable


def test_memory_maps_and_read_only_arrays(tmp_path):
    path = tmp_path / "X.npy"
    np.save(path, X.astype(np.float32))
    mapped = np.load(path, mmap_mode="r")
    want = Perceptron().fit(X.astype(np.float32), Y)
    np.testing.assert_array_equal(Perceptron().fit(mapped, Y).coef_, want.coef_)
    np.testing.assert_array_equal(want.predict(mapped), want.predict(X.astype(np.float32)))


def test_duplicate_entries_of_a_sparse_matrix_add_up():
    data, indices, indptr = [1.0, 2.0, -1.0], [0, 0, 1], [0, 2, 3]
    doubled = sp.csr_matrix((data, indices, indptr), shape=(2, 2))
    a = Perceptron().fit(doubled, [1, 0])
    b = Perceptron().fit(doubled.toarray(), [1, 0])
    np.testing.assert_array_equal(a.coef_, b.coef_)
    assert doubled.nnz == 3  # the caller's matrix is as it was


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_keep_their_feature_names(frame):
    names = [f"f{j}" for j in range(6)]
    table = frame(dict(zip(names, X.T.astype(float), strict=True)))
    clf = Perceptron().fit(table, Y)
    assert clf.feature_names_in_.tolist() == names
    np.testing.assert_array_equal(clf.coef_, Perceptron().fit(X.astype(float), Y).coef_)
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(table[names[::-1]])


@pytest.mark.parametrize(
    "labels",
    [
        np.where(Y == 1, "spam", "ham"),
        np.where(Y == 1, "spam", "ham").astype(object),
        pd.Series(np.where(Y == 1, "b", "a"), dtype="category"),
        pl.Series(np.where(Y == 1, "b", "a")),
        Y.astype(bool),
        Y * 2.0 - 1.0,
        (Y * 300).astype(np.int16),
        np.where(Y == 1, b"b", b"a"),
        np.array(["2020-01-01", "2021-01-01"], "M8[D]")[Y],
        np.array([datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)])[Y],
        [("yes" if v else "no") for v in Y],
        pd.Series(Y, dtype="Int16"),
        pd.Series(Y, dtype="boolean"),
        Y.astype(bool).astype(object),
        [pd.Timestamp(2020 + v, 1, 1) for v in Y],
        [Fraction(v, 2) + 1 for v in Y],
    ],
    ids=lambda labels: f"{type(labels).__module__}.{getattr(labels, 'dtype', 'list')}",
)
def test_labels_of_any_type(labels):
    clf = Perceptron().fit(X, labels)
    np.testing.assert_array_equal(clf.coef_, Perceptron().fit(X, Y).coef_)
    assert set(clf.predict(X)) <= set(clf.classes_)
    right = np.mean(clf.predict(X) == np.asarray(labels))
    assert right == Perceptron().fit(X, Y).score(X, Y)
    assert clf.score(X, labels) == right
    weighted = Perceptron().fit(X, Y).score(X, Y, Y + 0.5)
    assert clf.score(X, labels, Y + 0.5) == pytest.approx(weighted)
    assert KernelPerceptron(max_iter=2).fit(X, labels).score(X, labels) > 0.5


@pytest.mark.parametrize(("nullable", "plain"), [("Int16", "int16"), ("boolean", "bool")])
def test_nullable_labels_keep_their_kind(nullable, plain):
    labels = pd.Series(Y, dtype=nullable)
    for clf in (Perceptron().fit(X, labels), Perceptron().partial_fit(X, labels)):
        assert clf.predict(X).dtype == plain
    labels[3] = pd.NA
    with pytest.raises(ValueError, match="missing value at row 3"):
        Perceptron().fit(X, labels)


def broken(value, dtype=float):
    bad = X.astype(dtype)
    bad[7, 4] = value
    return bad


HUGE = broken(2**53 + 2, np.int64)
DATED = pd.DataFrame({"x": X[:, 0] / 2, "day": pd.Timestamp("2020-02-29")})


@pytest.mark.parametrize(
    ("rows", "labels", "message"),
    [
        (broken(np.nan), Y, "NaN at row 7, column 4.*impute"),
        (broken(-np.inf), Y, "infinity at row 7, column 4"),
        (sp.csr_array(broken(np.nan)), Y, "NaN at row 7, column 4"),
        (HUGE, Y, "9007199254740994 at row 7, column 4.*doubles leave some out"),
        (HUGE.astype(np.uint64), Y, "9007199254740994 at row 7, column 4"),
        (X, np.zeros(40), "at least two classes; y holds only one class, 0.0"),
        (X, Y[:-1], "X has 40, y has 39"),
        (X, np.where(np.arange(40) == 3, np.nan, Y), "y contains NaN.*at row 3"),
        (X, [None if i == 3 else "a" for i in range(40)], "missing value at row 3"),
        (X, np.where(np.arange(40) == 3, "NaT", "2020-01-01").astype("M8[D]"), "at row 3"),
        (np.zeros((40, 2), "M8[s]"), Y, "X must hold numbers"),
        (broken("a", object), Y, "holds 'a' at row 7, column 4.*OneHotEncoder"),
        (pd.DataFrame(broken("a", object)).add_prefix("f"), Y, r"row 7, column 4 \('f4'\)"),
        (pl.DataFrame({"b": [1] * 40, "c": ["2", "x"] * 20}), Y, r"'x' at row 1, column 1 \('c'\)"),
        (X.astype(str), Y, "text that reads as numbers.*dtype=float"),
        (X, None, "y to be passed"),
        (X, [1 if v else "a" for v in Y], "one type"),
        (X, Y + np.linspace(0, 1, 40), "continuous"),
        (X[:, :0], Y, "0 feature"),
        (X[:0], Y[:0], "0 sample"),
        (X[0], Y, "2D array"),
        (DATED, Y, r"Timestamp.*at row 0, column 1 \('day'\).*Encode"),
        (DATED.assign(day=pd.NaT), Y, r"NaT at row 0, column 1 \('day'\).*impute"),
        (pd.DataFrame({"a": [1, pd.NA] * 20}), Y, r"<NA> at row 1, column 0 \('a'\).*impute"),
        (np.array([["1", "b"]] * 40), Y, "holds 'b' at row 0, column 1"),
        ([[1, "b"]] * 40, Y, "holds 'b' at row 0, column 1"),
    ],
)
def test_bad_data_says_what_and_where(rows, labels, message):
    if isinstance(labels, list):
        labels = np.array(labels, object)
    with pytest.raises(ValueError, match=message):
        Perceptron().fit(rows, labels)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_bad_value_in_a_frame_is_found_by_the_name_of_its_column(frame, value):
    names = [f"f{j}" for j in range(X.shape[1])]
    good, bad = (
        frame(dict(zip(names, rows.T, strict=True))) for rows in (X.astype(float), broken(value))
    )
    hyperplane = Hyperplane(np.ones(X.shape[1]), 0.0)
    for failing in (
        lambda: Perceptron().fit(bad, Y),
        lambda: AveragedPerceptron().partial_fit(bad, Y),
        lambda: Perceptron().fit(good, Y).predict(bad),
        lambda: KernelPerceptron().fit(bad, Y),
        lambda: KernelPerceptron().fit(good, Y).decision_function(bad),
        lambda: MaxMarginClassifier().fit(bad, Y),
        lambda: separability(bad, Y),
        lambda: hyperplane.scores(bad),
    ):
        with pytest.raises(ValueError, match=r"row 7, column 4 \('f4'\)(:|\.)"):
            failing()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"ties": "wrong"}, "ties.*'correct', 'mistake', 'sign'|ties.*among"),
        ({"order": "sorted"}, "order.*among"),
        ({"multi_class": "all"}, "multi_class.*among"),
        ({"margin": -1.0}, "margin"),
        ({"max_iter": 0}, "max_iter"),
        ({"max_iter": 2**62}, "max_iter"),
        ({"eta0": 0.0}, "eta0"),
        ({"validation_fraction": 1.0}, "validation_fraction"),
        ({"class_weight": "equal"}, "class_weight"),
        ({"ties": "correct"}, "never learns from theta = 0.*margin above 0.*coef_init"),
        ({"ties": "sign", "margin": 1.0}, "knows no margin"),
        ({"class_weight": {5: 2.0}}, "class_weight"),
    ],
)
def test_bad_parameters_list_the_good_ones(parameters, message):
    with pytest.raises(ValueError, match=message):
        Perceptron(**parameters).fit(X, Y)


def test_bad_weights_and_starts():
    with pytest.raises(ValueError, match="the rows of weight above 0 hold only one class, 1"):
        Perceptron().fit(X, Y, sample_weight=Y)
    for weights, message in [
        (np.full(40, -1.0), "-1.0 at row 0"),
        (np.where(np.arange(40) == 9, np.nan, 1.0), "nan at row 9"),
        (np.ones(39), re.escape("(40,)")),
        (np.zeros(40), "zero"),
        (np.full(40, 1j), "real"),
    ]:
        with pytest.raises(ValueError, match=message):
            Perceptron().fit(X, Y, sample_weight=weights)
    with pytest.raises(ValueError, match=r"coef_init must have shape \(1, 6\) or \(6,\)"):
        Perceptron().fit(X, Y, coef_init=[1.0, 2.0])
    with pytest.raises(ValueError, match="intercept_init must have shape"):
        Perceptron().fit(X, Y, intercept_init=[1.0, 2.0])
    with pytest.raises(ValueError, match="fit_intercept=False"):
        Perceptron(fit_intercept=False).fit(X, Y, intercept_init=1.0)
    with pytest.raises(ValueError, match="coef_init must be finite"):
        Perceptron().fit(X.astype(np.float32), Y, coef_init=np.full(6, 1e300))


@pytest.mark.parametrize(
    "estimator", [Perceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron]
)
@pytest.mark.parametrize("sparse", [False, True])
def test_overflow_of_theta_is_an_error_with_a_row_and_advice(estimator, sparse):
    big = np.array([[3e38, 0.0], [3e38, 1.0], [-3e38, -1.0]], np.float32)
    rows = sp.csr_array(big) if sparse else big
    with pytest.raises(ValueError, match=r"theta overflowed float32.*row \d.*[Ss]cale.*float64"):
        estimator(eta0=3.0, order="cyclic").fit(rows, [0, 1, 1])
    # The same rows are no trouble in double precision.
    estimator(eta0=3.0, max_iter=3).fit(rows.astype(np.float64), [0, 1, 1])


@pytest.mark.parametrize("scheme", ["ovr", "joint"])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_mean_whose_sums_overflow_is_an_error_with_advice(scheme, sparse):
    """theta stays below 1.8e308 here; 3e308, the sum of three hypotheses, is no double."""
    rows = np.array([[0.0], [1e308], [-1e308]])
    form = sp.csr_array(rows) if sparse else rows
    options = {"order": "cyclic", "fit_intercept": False, "multi_class": scheme}
    for y in ([0, 1, 0], [0, 1, 2]):
        Perceptron(**options, max_iter=3).fit(form, y)
        with pytest.raises(ValueError, match=r"mean, overflowed float64.*[Ss]cale"):
            AveragedPerceptron(**options, max_iter=3).fit(form, y)
    online = AveragedPerceptron(**options)
    online.partial_fit(rows[:1], [0], classes=[0, 1])
    with pytest.raises(ValueError, match=r"mean, overflowed float64"):
        online.partial_fit(np.repeat(form.toarray() if sparse else form, 3, axis=0), [0, 1, 0] * 3)
    assert online.coef_ == 0.0  # as it was
    single = (rows * 3e-270).astype(np.float32)  # theta overflows long before sums in doubles
    assert np.isfinite(AveragedPerceptron(**options).fit(single, [0, 1, 0]).coef_).all()


def test_values_whose_squares_overflow_or_vanish_are_still_decided_exactly():
    """The filter can say nothing here; every decision is made by the exact sum."""
    from tests.reference import Run

    for scale in (1e200, 1e-200, 5e-324):
        data = np.array([[1, 2], [2, -1], [-1, 1], [1, -3]], float) * scale
        y = np.array([1, 0, 1, 0])
        oracle = Run(data, np.where(y == 1, 1, -1), fit_intercept=False, epochs=20)
        clf = Perceptron(fit_intercept=False, order="cyclic", max_iter=20).fit(data, y)
        np.testing.assert_array_equal(clf.coef_[0], oracle.last[0])
        assert clf.status_ == "separated"
        assert clf.score(data, y) == 1.0


def test_predicting_with_the_wrong_width_or_before_fitting():
    with pytest.raises(ValueError, match=r"5 features.*expecting 6"):
        Perceptron().fit(X, Y).predict(X[:, :5])
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        Perceptron().predict(X)
    with pytest.raises(ValueError, match="NaN at row 7, column 4"):
        Perceptron().fit(X, Y).predict(broken(np.nan))


def test_a_sparse_matrix_that_points_outside_of_itself():
    for column, where in ((500_000, "column 500000"), (-1, "column -1")):
        bad = sp.csr_matrix((np.ones(3), [0, 1, 1], [0, 1, 2, 3]), shape=(3, 2))
        bad.indices[2] = column
        with pytest.raises(ValueError, match=f"row 2 has a value in {where}"):
            Perceptron().fit(bad, [0, 1, 0])
    bad = sp.csr_matrix((np.ones(3), [0, 1, 1], [0, 1, 2, 3]), shape=(3, 2))
    bad.indptr[1] = 3
    with pytest.raises(ValueError, match="indptr"):
        Perceptron().fit(bad, [0, 1, 0])


@pytest.mark.parametrize("weight", [-1.0, 0.0, np.nan, np.inf])
def test_class_weights_must_be_positive(weight):
    with pytest.raises(ValueError, match="class_weight of 0 is"):
        Perceptron(class_weight={0: weight, 1: 1.0}).fit(X, Y)
    with pytest.raises(ValueError, match="class_weight of 0 is"):
        Perceptron(class_weight={0: weight}).partial_fit(X, Y)


@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_a_pocket_refuses_weights_that_are_no_numbers_though_the_steps_are(size):
    options = {"class_weight": {0: size, 1: size}, "eta0": 1 / size, "max_iter": 2}
    weights = np.full(len(Y), size)
    Perceptron(**options).fit(X, Y, sample_weight=weights)
    with pytest.raises(ValueError, match=r"The weight of row 0.*is (inf|0.0).*moderate"):
        PocketPerceptron(**options).fit(X, Y, sample_weight=weights)


def test_a_step_that_vanishes_or_overflows_in_thetas_type():
    for eta0 in (1e-50, 1e50):
        with pytest.raises(ValueError, match=r"eta0 times the weights of row 0.*float32"):
            Perceptron(eta0=eta0).fit(X.astype(np.float32), Y)
        Perceptron(eta0=eta0, max_iter=2).fit(X.astype(np.float64), Y)


def test_a_single_precision_model_decides_exactly_on_double_precision_rows():
    clf = Perceptron(fit_intercept=False).fit(np.array([[1, 0], [0, 1]], np.float32), [1, 0])
    clf.coef_ = np.array([[1e-10, -0.1]], np.float32)
    row = np.array([[4e38, 1e30]])  # 4e28 - 1e29, though 4e38 is no float32
    assert clf.decision_function(row)[0] < 0
    assert clf.predict(row)[0] == 0
    tiny = np.array([[1e-60, 0.0]])
    assert clf.decision_function(tiny)[0] > 0


@pytest.mark.parametrize(("scale", "dtype"), [(1e200, np.float64), (1e20, np.float32)])
def test_scores_that_overflow_are_decided_exactly(scale, dtype):
    """inf - inf is not a number, and no reason to call a row a mistake."""
    a, b = np.ones(4), np.array([1.5, -1.0, 1.5, -1.0])
    rows, y = np.vstack([a, b, -a]), [1, 1, 0]
    options = {"order": "cyclic", "max_iter": 20, "fit_intercept": False}
    want = Perceptron(**options).fit(rows, y)
    for form in ((rows * scale).astype(dtype), sp.csr_array((rows * scale).astype(dtype))):
        got = Perceptron(**options).fit(form, y)
        np.testing.assert_array_equal(got.mistake_counts_, want.mistake_counts_)
        assert got.score(form, y) == 1.0


def test_big_endian_single_precision_is_single_precision():
    single = X.astype(np.float32)
    got = Perceptron().fit(single.astype(">f4"), Y)
    np.testing.assert_array_equal(got.coef_, Perceptron().fit(single, Y).coef_, strict=True)


def test_one_vs_one_stays_a_number_for_huge_scores():
    big = np.array([[1e307, 0.0], [0.0, 1e307], [-1e307, -1e307]])
    clf = Perceptron(multi_class="ovo", max_iter=3).fit(big / 1e300, [0, 1, 2])
    scores = clf.decision_function(big)
    assert np.isfinite(scores).all()
    assert clf.predict(big).tolist() == [0, 1, 2]


def test_a_failed_fit_leaves_the_old_model_usable():
    clf = Perceptron().fit(X, Y)
    with pytest.raises(ValueError, match="NaN"):
        clf.fit(broken(np.nan)[:, 2:], Y)
    np.testing.assert_array_equal(clf.predict(X), Perceptron().fit(X, Y).predict(X))
