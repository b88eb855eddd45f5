"""`multi_class="auto"`: which scheme it stands for, wherever rows come from."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from novikoff import AveragedPerceptron, OnlineClassifier, load, rules, save
from novikoff.streams import fit_stream
from novikoff.training.capabilities import MOST_PAIRED, MOST_PAIRED_WEIGHTS, settled
from tests.test_reference import same

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def rows(n_classes):
    random = np.random.RandomState(n_classes)
    y = np.arange(3 * n_classes) % n_classes
    return random.standard_normal((len(y), 3)), y


@pytest.mark.parametrize(
    ("n_classes", "told", "taken"),
    [
        (2, {}, "binary"),
        (3, {}, "ovo"),
        (3, {"record_trace": True}, "ovo"),
        (MOST_PAIRED, {}, "ovo"),
        (MOST_PAIRED + 1, {}, "joint"),
        (MOST_PAIRED + 1, {"record_trace": True}, "joint"),
    ],
)
def test_the_number_of_classes_decides(n_classes, told, taken):
    X, y = rows(n_classes)
    clf = AveragedPerceptron(max_iter=2, **told).fit(X, y)
    assert clf.multi_class_ == taken
    assert clf.multi_class == "auto"
    named = "ovr" if taken == "binary" else taken
    same(clf.coef_, AveragedPerceptron(max_iter=2, multi_class=named, **told).fit(X, y).coef_)


@pytest.mark.parametrize("source", ["memory", "batches", "stream", "cluster"])
def test_what_is_impossible_is_not_taken(source):
    described = OnlineClassifier(rules.ROMMA()).describe()
    assert settled(described, MOST_PAIRED + 1, 3, source).multi_class == "ovr"
    drawn = OnlineClassifier(order="random").describe()
    expected = "joint" if source == "cluster" else "ovo"
    assert settled(drawn, 3, 3, source).multi_class == expected
    assert settled(drawn, None, 3, "batches").multi_class == "ovo"


def test_pairs_of_wide_rows_are_too_many_weights():
    """Of 12 classes there are 66 pairs; with as many features, hundreds of megabytes."""
    n, width = 60, MOST_PAIRED_WEIGHTS // 66
    X = sp.random(n, width + 1, 10 / width, format="csr", random_state=0)
    y = np.arange(n) % 12
    clf = AveragedPerceptron(max_iter=2)
    assert clf.fit(X[:, :-1], y).multi_class_ == "ovo"
    assert clf.fit(X, y).multi_class_ == "joint"
    assert clf.fit(X, y % 2).multi_class_ == "binary"
    assert OnlineClassifier(rules.ROMMA(), max_iter=2).fit(X, y).multi_class_ == "ovr"
    assert clone(clf).partial_fit(X, y, classes=np.arange(12)).multi_class_ == "joint"
    assert clone(clf).partial_fit(X, y).multi_class_ == "ovo"  # more classes may come, or not


@pytest.mark.parametrize("width", [3, 2**20])
def test_batches_are_one_cyclic_epoch_whether_or_not_classes_are_said(width, tmp_path):
    """Of three classes and so many features pairs have three million weights: few enough."""
    X, y = rows(3)
    if width > 3:
        X = sp.csr_matrix((X.ravel(), np.arange(X.size) * 1001, np.arange(10) * 3), (9, width))
    clf = AveragedPerceptron(order="cyclic", max_iter=1)
    whole = clone(clf).fit(X, y)
    for classes in (None, np.arange(3)):
        pieces = clone(clf)
        for i in range(0, len(y), 4):
            pieces.partial_fit(X[i : i + 4], y[i : i + 4], classes=classes if i == 0 else None)
            if i == 4:  # a model goes on as it began
                save(pieces, tmp_path / "model")
                pieces = load(tmp_path / "model")
        assert pieces.multi_class_ == whole.multi_class_ == "ovo"
        same(pieces.coef_, whole.coef_)
    batches = [(X[i : i + 4], y[i : i + 4]) for i in range(0, len(y), 4)]
    same(fit_stream(clone(clf), batches).coef_, whole.coef_)


def test_many_classes_are_joint_in_batches_if_they_are_said():
    X, y = rows(MOST_PAIRED + 1)
    clf = AveragedPerceptron(order="cyclic", max_iter=1)
    pieces = clone(clf).partial_fit(X[:9], y[:9], classes=np.unique(y)).partial_fit(X[9:], y[9:])
    assert pieces.multi_class_ == "joint"
    same(pieces.coef_, clone(clf).fit(X, y).coef_)


@pytest.mark.parametrize("n_classes", [3, MOST_PAIRED + 1])
def test_a_warm_start_goes_on_with_the_same_scheme(n_classes):
    """Also after batches that could not know how many classes there are."""
    X, y = rows(n_classes)
    clf = OnlineClassifier(order="cyclic", max_iter=1, warm_start=True).fit(X, y)
    twice = OnlineClassifier(order="cyclic", max_iter=2).fit(X, y)
    same(clf.fit(X, y).coef_, twice.coef_)
    pairs = OnlineClassifier(order="cyclic", max_iter=2, multi_class="ovo").fit(X, y)
    batches = OnlineClassifier(order="cyclic", max_iter=1, warm_start=True).partial_fit(X, y)
    assert batches.multi_class_ == "ovo"
    same(batches.fit(X, y).coef_, pairs.coef_)
