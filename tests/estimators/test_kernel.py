"""The kernel perceptron against the textbook: one row at a time, over Python's integers."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from novikoff import AveragedPerceptron, KernelPerceptron, Perceptron, VotedPerceptron
from tests.examples import examples
from tests.reference import orders


def kernel_of(degree):
    return lambda a, b: (1 + sum(int(u) * int(v) for u, v in zip(a, b, strict=True))) ** degree


class Textbook:
    """One hypothesis per plane, a list of coefficients per row; every sum is an exact integer.

    sides : (K, n) of -1 and +1, or None for a joint model of `labels`
    """

    def __init__(self, X, K, sides, labels=None, *, kind="cyclic", epochs=3, ties="mistake",
                 beta=0, weights=None):  # fmt: skip
        n = len(X)
        G = [[K(a, b) for b in X] for a in X]
        self.X, self.K, self.n_planes = X, K, len(sides) if sides is not None else max(labels) + 1
        weights = [1] * n if weights is None else weights
        a = [[0] * n for _ in range(self.n_planes)]
        self.updates, self.n_seen = [], 0  # (time, [(plane, row, step), ...])
        asleep = [False] * self.n_planes
        for order in orders(kind, n, epochs, 0):
            wrong = [False] * self.n_planes
            for i in order:
                self.n_seen += 1
                s = [sum(row[j] * G[i][j] for j in range(n)) for row in a]
                moves = []
                if sides is None:
                    y = int(labels[i])
                    r = max((k for k in range(len(s)) if k != y), key=lambda k: (s[k], -k))
                    gap = s[y] - s[r] - beta
                    tied = gap == 0 and (ties == "mistake" or (ties == "sign" and r < y))
                    if gap < 0 or tied:
                        moves, wrong = [(y, i, weights[i]), (r, i, -weights[i])], [True] * len(s)
                else:
                    for k, y in enumerate(int(side[i]) for side in sides):
                        gap = y * s[k] - beta
                        tied = gap == 0 and (ties == "mistake" or (ties == "sign" and y < 0))
                        if (gap < 0 or tied) and not asleep[k]:
                            moves.append((k, int(i), y * weights[i]))
                            wrong[k] = True
                for k, j, step in moves:
                    a[k][j] += step
                if moves:
                    self.updates.append((self.n_seen, moves))
            if kind != "random":
                asleep = [not w for w in wrong]
        self.a, self.joint = a, sides is None

    def counts(self):
        return [sum(k == m[0] for _, ms in self.updates for m in ms) for k in range(self.n_planes)]

    def hypotheses(self, upto=None):
        """The coefficients after each example, (time, K, n), starting with zero."""
        a = np.zeros((self.n_planes, len(self.X)))
        times = dict(self.updates)
        result = [a.copy()]
        for t in range(1, (self.n_seen if upto is None else upto) + 1):
            for k, j, step in times.get(t, []):
                a[k, j] += step
            result.append(a.copy())
        return np.array(result)

    def votes(self, x, upto=None):
        values = np.array([self.K(x, z) for z in self.X], float)
        scores = self.hypotheses(upto)[1:] @ values  # every example votes for its hypothesis once
        if self.joint:
            return np.bincount(scores.argmax(axis=1), minlength=self.n_planes)
        return np.where(scores >= 0, 1, -1).sum(axis=0)


def dense_coef(clf, n):
    """dual_coef_ over all n rows of the training set."""
    result = np.zeros((len(clf.dual_coef_), n))
    result[:, clf.support_] = clf.dual_coef_
    return result


def poly(degree=2, block=512, **parameters):
    clf = KernelPerceptron(kernel="poly", degree=degree, gamma=1.0, coef0=1.0, **parameters)
    clf._most_rows = block
    return clf


@st.composite
def problems(draw, most_classes=3):
    n = draw(st.integers(4, 14))
    n_classes = draw(st.integers(2, most_classes))
    row = st.lists(st.integers(-3, 3), min_size=2, max_size=2)
    X = np.array(draw(st.lists(row, min_size=n, max_size=n)))
    y = np.array(draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n)))
    y[:n_classes] = range(n_classes)
    return X, y


def sides_of(y):
    classes = np.unique(y)
    if len(classes) == 2:
        return np.where(y == 1, 1, -1)[None]
    return np.where(y == classes[:, None], 1, -1)


BLOCKS = st.sampled_from([1, 2, 3, 5, 512])


@examples(150)
@given(
    data=problems(),
    degree=st.integers(1, 4),
    block=BLOCKS,
    kind=st.sampled_from(["cyclic", "shuffled", "random"]),
    rule=st.sampled_from([("mistake", 0), ("sign", 0), ("mistake", 7), ("correct", 7)]),
    vote=st.sampled_from(["last", "averaged", "voted"]),
    sparse=st.booleans(),
)
def test_every_block_size_makes_the_mistakes_of_the_textbook(
    data, degree, block, kind, rule, vote, sparse
):
    X, y = data
    ties, beta = rule
    book = Textbook(X, kernel_of(degree), sides_of(y), kind=kind, ties=ties, beta=beta)
    clf = poly(degree, block, order=kind, ties=ties, margin=beta, vote=vote, max_iter=3)
    clf.fit(sp.csr_array(X) if sparse else X, y)
    if kind == "random" and clf.status_ == "separated":
        return  # the textbook goes on drawing rows; nothing changes, but its clock
    np.testing.assert_array_equal(clf.n_updates_, book.counts())
    if vote == "averaged":
        np.testing.assert_allclose(
            dense_coef(clf, len(X)), book.hypotheses().mean(axis=0), atol=1e-12
        )
    else:
        np.testing.assert_array_equal(dense_coef(clf, len(X)), book.a)
    queries = np.array([[0, 0], [2, -1], [1, 3], *X.tolist()])
    if vote == "voted":
        want = np.array([book.votes(x) for x in queries])
        got = clf.decision_function(queries)
        np.testing.assert_array_equal(got.reshape(len(queries), -1), want)


@examples(60)
@given(
    data=problems(4),
    block=BLOCKS,
    rule=st.sampled_from([("mistake", 0), ("sign", 0), ("correct", 5)]),
    vote=st.sampled_from(["last", "averaged", "voted"]),
)
def test_joint_classes_make_the_mistakes_of_the_textbook(data, block, rule, vote):
    X, y = data
    if y.max() < 2:
        y[0] = 2  # two classes are one hyperplane
    y = np.unique(y, return_inverse=True)[1]
    if y.max() < 2:
        return
    ties, beta = rule
    book = Textbook(X, kernel_of(2), None, y, ties=ties, beta=beta)
    clf = poly(
        2, block, order="cyclic", ties=ties, margin=beta, max_iter=3, multi_class="joint", vote=vote
    ).fit(X, y)
    np.testing.assert_array_equal(clf.n_updates_, book.counts())
    if vote == "averaged":
        want = book.hypotheses().mean(axis=0)
        np.testing.assert_allclose(dense_coef(clf, len(X)), want, atol=1e-12)
    else:
        np.testing.assert_array_equal(dense_coef(clf, len(X)), book.a)
    if vote == "voted":
        np.testing.assert_array_equal(clf.decision_function(X), [book.votes(x) for x in X])
        if clf.status_ != "separated":
            assert sum(clf.survival_times_[0]) == 3 * len(X)


@examples(40)
@given(data=problems(), block=BLOCKS, vote=st.sampled_from(["last", "averaged", "voted"]))
def test_a_linear_kernel_is_the_linear_perceptron(data, block, vote):
    X, y = data
    linear = {"last": Perceptron, "averaged": AveragedPerceptron, "voted": VotedPerceptron}[vote]
    options = {"max_iter": 4, "random_state": 3}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        want = linear(fit_intercept=False, multi_class="ovr", **options).fit(X, y)
    clf = KernelPerceptron(kernel="linear", vote=vote, **options)
    clf._most_rows = block
    clf.fit(X, y)
    np.testing.assert_allclose(clf.dual_coef_ @ clf.support_vectors_, want.coef_, atol=1e-12)
    np.testing.assert_array_equal(clf.n_updates_, want.n_updates_)
    assert clf.status_ == want.status_
    assert clf.n_iter_ == want.n_iter_
    if vote != "averaged":
        np.testing.assert_array_equal(clf.predict(X), want.predict(X))
    if vote == "voted":
        for mine, theirs in zip(clf.survival_times_, want.survival_times_, strict=True):
            np.testing.assert_array_equal(mine, theirs)


@examples(40)
@given(
    data=problems(4),
    kind=st.sampled_from(["cyclic", "shuffled"]),
    vote=st.sampled_from(["last", "averaged", "voted"]),
    scheme=st.sampled_from(["ovr", "joint"]),
)
def test_a_stage_is_a_shorter_run(data, kind, vote, scheme):
    X, y = data
    options = {"order": kind, "vote": vote, "multi_class": scheme}
    whole = poly(2, 3, max_iter=5, **options).fit(X, y)
    stages = list(whole.staged_decision_function(X))
    assert len(stages) == whole.n_iter_
    for t in range(1, whole.n_iter_ + 1):
        short = poly(2, 4, max_iter=t, **options).fit(X, y)
        np.testing.assert_array_equal(stages[t - 1], short.decision_function(X))
        for label, want in zip(whole.staged_predict(X, [t]), [short.predict(X)], strict=True):
            np.testing.assert_array_equal(label, want)
        assert list(whole.staged_score(X, y, [t])) == [short.score(X, y)]


def test_fractions_of_an_epoch_and_other_votes_come_from_the_same_run():
    random = np.random.RandomState(1)
    X, y = random.randint(-3, 4, (40, 2)), random.randint(0, 2, 40)
    book = Textbook(X, kernel_of(2), sides_of(y), epochs=2)
    clf = poly(2, 7, order="cyclic", max_iter=2).fit(X, y)
    epochs = [1.5, 0.1, 1]
    a = book.hypotheses()
    G = np.array([[kernel_of(2)(x, z) for z in X] for x in X], float)
    for stage, t in zip(clf.staged_decision_function(X, epochs), (60, 4, 40), strict=True):
        np.testing.assert_array_equal(stage, G @ a[t, 0])
    voted = clf.staged_decision_function(X, epochs, vote="voted")
    for stage, t in zip(voted, (60, 4, 40), strict=True):
        np.testing.assert_array_equal(stage, [book.votes(x, t)[0] for x in X])
    mean = clf.staged_decision_function(X, epochs, vote="averaged")
    for stage, t in zip(mean, (60, 4, 40), strict=True):
        np.testing.assert_allclose(stage, G @ a[: t + 1, 0].mean(axis=0))


RANDOM = np.random.RandomState(5)
X = RANDOM.standard_normal((120, 4))
Y = (np.linalg.norm(X, axis=1) > 1.8).astype(int) + (X[:, 0] > 1.2)
NAMED = [("rbf", 0.3, 0.0), ("poly", 0.5, 1.0), ("sigmoid", 0.1, 0.2), ("linear", 1.0, 0.0)]


@pytest.mark.parametrize(("kernel", "gamma", "coef0"), NAMED)
@pytest.mark.parametrize("scheme", ["ovr", "joint"])
def test_named_given_and_precomputed_kernels_are_one_kernel(kernel, gamma, coef0, scheme):
    values = {
        "rbf": lambda A, B: np.exp(-gamma * ((A[:, None] - B[None]) ** 2).sum(axis=2)),
        "poly": lambda A, B: (gamma * A @ B.T + coef0) ** 3,
        "sigmoid": lambda A, B: np.tanh(gamma * A @ B.T + coef0),
        "linear": lambda A, B: A @ B.T,
    }[kernel]
    options = {"vote": "voted", "multi_class": scheme, "max_iter": 5}
    named = KernelPerceptron(kernel=kernel, gamma=gamma, coef0=coef0, **options).fit(X, Y)
    given = KernelPerceptron(kernel=values, **options).fit(X, Y)
    table = KernelPerceptron(kernel="precomputed", **options).fit(values(X, X), Y)
    sparse = KernelPerceptron(kernel=kernel, gamma=gamma, coef0=coef0, **options)
    sparse.fit(sp.csr_array(X), Y)
    queries = RANDOM.standard_normal((30, 4))
    for clf, rows in (
        (given, queries),
        (table, values(queries, X)),
        (sparse, sp.csr_array(queries)),
    ):
        np.testing.assert_array_equal(clf.support_, named.support_)
        np.testing.assert_allclose(clf.dual_coef_, named.dual_coef_)
        np.testing.assert_array_equal(clf.decision_function(rows), named.decision_function(queries))
    np.testing.assert_array_equal(named.support_vectors_, X[named.support_])
    assert table.support_vectors_.shape == (0, 0)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("gamma", ["scale", "auto"])
def test_gamma_is_that_of_svc(gamma, sparse):
    rows = np.where(X > 0.5, X, 0.0)
    rows = sp.csr_matrix(rows) if sparse else rows
    svc = SVC(gamma=gamma).fit(rows, Y)
    clf = KernelPerceptron(gamma=gamma).fit(rows, Y)
    np.testing.assert_allclose(clf.learned_.gram.gamma, svc._gamma)
    assert KernelPerceptron().fit(np.ones((4, 2)), [0, 1, 0, 1]).learned_.gram.gamma == 1.0


def test_sparse_rows_that_stay_sparse():
    """Below five percent of non-zeros, products are sparse; mistakes are the same."""
    random = np.random.RandomState(2)
    rows = random.randint(1, 4, (80, 300)) * (random.random_sample((80, 300)) < 0.02)
    y = random.randint(0, 3, 80)
    dense = poly(2, 16, vote="voted").fit(rows, y)
    sparse = poly(2, 16, vote="voted").fit(sp.csr_array(rows), y)
    assert dense.learned_.gram.dense
    assert not sparse.learned_.gram.dense
    np.testing.assert_array_equal(dense.dual_coef_, sparse.dual_coef_)
    np.testing.assert_array_equal(
        dense.decision_function(sp.csr_array(rows)), sparse.decision_function(rows)
    )
    rbf = KernelPerceptron(gamma=0.1).fit(sp.csr_array(rows), y)
    np.testing.assert_allclose(
        rbf.decision_function(rows),
        KernelPerceptron(gamma=0.1).fit(rows, y).decision_function(rows),
    )


@examples(60)
@given(
    data=problems(4),
    vote=st.sampled_from(["last", "averaged", "voted"]),
    known=st.booleans(),
    cuts=st.sets(st.integers(1, 13), max_size=4),
    sparse=st.booleans(),
)
def test_batches_of_any_size_are_one_cyclic_epoch(data, vote, known, cuts, sparse):
    """Also when classes arrive late."""
    rows, y = data
    whole = poly(2, 5, order="cyclic", max_iter=1, vote=vote).fit(rows, y)
    online = poly(2, 4, vote=vote)
    classes = np.unique(y) if known else None
    for batch in np.split(np.arange(len(y)), sorted(c for c in cuts if c < len(y))):
        part = sp.csr_array(rows[batch]) if sparse else rows[batch]
        online.partial_fit(part, y[batch], classes=classes)
        online = pickle.loads(pickle.dumps(online))
    np.testing.assert_array_equal(online.classes_, whole.classes_)
    np.testing.assert_array_equal(online.n_updates_, whole.n_updates_)
    np.testing.assert_allclose(
        dense_coef(online, len(y)), dense_coef(whole, len(y)), rtol=1e-12, atol=0
    )
    np.testing.assert_array_equal(online.predict(rows), whole.predict(rows))
    for mine, theirs in zip(online.survival_times_, whole.survival_times_, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    for name in ("status_", "n_iter_"):
        assert not hasattr(online, name)


def test_partial_fit_settles_gamma_goes_on_after_fit_and_copies_rows():
    batch = X[:50].copy()
    clf = KernelPerceptron().partial_fit(batch, Y[:50], classes=[0, 1, 2])
    before = clf.learned_.gram.gamma
    batch[:] = np.nan
    clf.partial_fit(1000.0 * X[50:], Y[50:])
    assert clf.learned_.gram.gamma == before
    assert clf.support_.max() >= 50
    twice = poly(2, order="cyclic", max_iter=2).fit(np.rint(X), Y)
    once = poly(2, order="cyclic", max_iter=1).fit(np.rint(X), Y).partial_fit(np.rint(X), Y)
    merged = dense_coef(once, 240)
    np.testing.assert_array_equal(merged[:, :120] + merged[:, 120:], dense_coef(twice, 120))


@pytest.mark.parametrize("cache_mb", [1e-6, 0.01, 1.0])
@pytest.mark.thorough
def test_a_small_cache_changes_nothing_where_sums_are_exact(cache_mb):
    rows = np.rint(X).astype(int)
    want = poly(3, vote="voted").fit(rows, Y)
    got = poly(3, vote="voted", cache_mb=cache_mb).fit(rows, Y)
    np.testing.assert_array_equal(got.dual_coef_, want.dual_coef_)
    np.testing.assert_array_equal(got.decision_function(rows), want.decision_function(rows))


def test_weights_are_steps_and_zero_drops_a_row():
    random = np.random.RandomState(3)
    rows, y = random.randint(-3, 4, (30, 2)), random.randint(0, 2, 30)
    weights = random.randint(0, 3, 30)
    used = np.flatnonzero(weights)
    book = Textbook(rows[used], kernel_of(2), sides_of(y[used]), weights=weights[used].tolist())
    clf = poly(2, 4, order="cyclic", max_iter=3).fit(rows, y, sample_weight=weights)
    np.testing.assert_array_equal(dense_coef(clf, 30)[:, used], book.a)
    doubled = poly(2, order="cyclic", max_iter=3, class_weight={0: 2.0, 1: 2.0}).fit(rows, y)
    plain = poly(2, order="cyclic", max_iter=3).fit(rows, y)
    np.testing.assert_array_equal(doubled.dual_coef_, 2 * plain.dual_coef_)


def test_convergence_is_shared_with_the_linear_perceptrons():
    rows = np.where(X[:, :2] > 0, 1, -1) * (1 + RANDOM.randint(3, size=(120, 2)))
    y = (rows[:, 0] * rows[:, 1] > 0).astype(int)
    clf = poly(2, max_iter=500).fit(rows, y)
    assert clf.status_ == "separated"
    assert clf.n_iter_ < 500
    assert clf.score(rows, y) == 1.0
    for vote in ("averaged", "voted"):
        long = poly(2, vote=vote, max_iter=500).fit(rows, y)
        assert long.n_iter_ == clf.n_iter_
        assert [times.sum() for times in long.survival_times_] == [500 * len(X)]
        stages = long.staged_decision_function(rows, [500])
        np.testing.assert_array_equal(next(stages), long.decision_function(rows))
    drawn = poly(2, order="random", max_iter=500).fit(rows, y)
    assert drawn.status_ == "separated"
    assert drawn.score(rows, y) == 1.0


def test_verbose_prints_one_line_per_epoch(capsys):
    clf = KernelPerceptron(verbose=1, max_iter=3).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == clf.n_iter_
    assert sum(int(line.split("updates")[1].split()[0]) for line in lines) == clf.n_updates_.sum()


@pytest.mark.skipif(not hasattr(KernelPerceptron, "set_callbacks"), reason="came with 1.9")
@pytest.mark.parametrize("budget", [None, 10])
def test_a_callback_sees_the_model_as_it_stands_and_may_stop_the_run(budget):
    class Look:
        def __init__(self):
            self.scores = []

        def setup(self, estimator, context):
            pass

        teardown = on_fit_task_begin = setup

        def on_fit_task_end(self, estimator, context, *, X, y, fitted_estimator):
            self.scores.append(fitted_estimator.score(X, y))
            return len(self.scores) == 2

    look = Look()
    clf = KernelPerceptron(budget=budget).set_callbacks(look).fit(X, Y)
    assert clf.status_ == "early_stopped"
    assert clf.n_iter_ == 2
    twice = KernelPerceptron(max_iter=2, budget=budget).fit(X, Y)
    assert look.scores[1] == twice.score(X, Y) == clf.score(X, Y)


def test_a_user_kernel_on_sparse_rows_sees_sparse_rows():
    seen = set()

    def kernel(A, B):
        seen.add((sp.issparse(A), sp.issparse(B)))
        return rbf_kernel(A, B)

    clf = KernelPerceptron(kernel=kernel).fit(sp.csr_matrix(X), Y)
    clf.predict(X)
    assert seen == {(True, True)}


def expected_failures(estimator):
    reason = "an online learner: a repeated row is visited twice, a weighted one once"
    result = {
        "check_sample_weight_equivalence_on_dense_data": reason,
        "check_sample_weight_equivalence_on_sparse_data": reason,
    }
    if estimator.kernel == "precomputed":
        # The check takes X X^T for the kernel, and expects one class everywhere.
        result["check_class_weight_classifiers"] = "the linear kernel has no offset"
        # It predicts 3 columns with 10 training rows; the number of columns is looked at first.
        result["check_estimators_nan_inf"] = "the queries have the wrong width"
    return result


@parametrize_with_checks([KernelPerceptron()], expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.thorough
@parametrize_with_checks(
    [
        KernelPerceptron(kernel="poly", coef0=1.0, vote="averaged", multi_class="joint"),
        KernelPerceptron(kernel="precomputed"),
        KernelPerceptron(budget=40, budget_policy="oldest"),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks_of_variants(estimator, check):
    check(estimator)
