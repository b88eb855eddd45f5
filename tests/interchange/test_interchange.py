"""Models handed to others predict there what they predict here."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import novikoff
from novikoff import rules
from tests.cli.helpers import inside

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])
MODELS = [
    novikoff.Perceptron(max_iter=5),
    novikoff.Perceptron(max_iter=5, fit_intercept=False),
    novikoff.AveragedPerceptron(multi_class="ovo"),
    novikoff.AveragedPerceptron(multi_class="joint"),
    novikoff.PocketPerceptron(max_iter=5),
    novikoff.PassiveAggressiveClassifier(C=0.1),
    novikoff.OnlineClassifier(rules.PassiveAggressive(), keep="mean"),
]


def rows(n, seed=0):
    """Many rows that spread over the range of the data."""
    draw = np.random.RandomState(seed)
    return draw.uniform(X.min(axis=0) - 1, X.max(axis=0) + 1, size=(n, 4))


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("two", [False, True])
def test_to_sklearn_has_the_same_decision_function(model, two):
    labels = NAMES[y] if not two else NAMES[np.minimum(y, 1)]
    model.fit(X, labels)
    theirs = novikoff.to_sklearn(model)
    assert type(theirs).__module__.startswith("sklearn.")
    new = rows(3_000)
    ours = model.decision_function(new)
    np.testing.assert_allclose(theirs.decision_function(new), ours, rtol=1e-9, atol=1e-9)
    top = np.sort(ours, axis=1) if ours.ndim == 2 else None
    clear = abs(ours) > 1e-9 if top is None else top[:, -1] - top[:, -2] > 1e-9
    assert clear.mean() > 0.99
    assert (theirs.predict(new) == model.predict(new))[clear].all()


def test_to_sklearn_of_a_pipeline_keeps_its_steps_and_can_go_on():
    clf = novikoff.AveragedPerceptron(multi_class="ovr")
    pipe = make_pipeline(StandardScaler(), clf).fit(X, NAMES[y])
    theirs = novikoff.to_sklearn(pipe)
    assert theirs[0] is pipe[0]
    assert (theirs.predict(X) == pipe.predict(X)).all()
    before = theirs[-1].coef_.copy()
    theirs[-1].partial_fit(theirs[0].transform(X), NAMES[y])
    assert not np.array_equal(before, theirs[-1].coef_)
    assert np.array_equal(before, pipe[-1].coef_)  # ours is left alone


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (novikoff.VotedPerceptron(), "votes"),
        (novikoff.OnlineClassifier(rules.Perceptron(), keep="vote"), "votes"),
        (novikoff.KernelPerceptron(), "no hyperplane"),
        (StandardScaler(), "no linear classifier"),
    ],
)
def test_what_has_no_equivalent_is_refused_with_the_reason(model, why):
    with pytest.raises(ValueError, match=why):
        novikoff.to_sklearn(model.fit(X, y))


@pytest.mark.parametrize(
    ("model", "dtype"),
    [*((each, np.float64) for each in MODELS), (MODELS[0], np.float32), (MODELS[2], np.float32)],
    ids=repr,
)
@pytest.mark.parametrize("two", [False, True])
def test_onnx_says_the_same_of_many_rows(model, dtype, two):
    pytest.importorskip("skl2onnx", reason="the extra onnx")
    runtime = pytest.importorskip("onnxruntime", reason="the extra onnx")
    labels = NAMES[y] if not two else np.minimum(y, 1)
    pipe = make_pipeline(StandardScaler(), model).fit(X.astype(dtype), labels)
    session = runtime.InferenceSession(novikoff.to_onnx(pipe, X.astype(dtype)).SerializeToString())
    new = rows(10_000, seed=1).astype(dtype)
    label, scores = session.run(None, {session.get_inputs()[0].name: new})
    ours = pipe.decision_function(new)
    sizes = 1 + abs(ours)
    tolerance = 2e-5 if dtype == np.float32 else 1e-12
    scores = scores.reshape(ours.shape)
    if model.multi_class != "ovo" or two:  # there a pair within rounding of 0 changes hands
        assert (abs(scores - ours) <= tolerance * sizes * 100).all()
    top = np.sort(ours, axis=1) if ours.ndim == 2 else None
    gap = abs(ours) if top is None else top[:, -1] - top[:, -2]
    clear = gap > 100 * tolerance * (sizes if top is None else sizes.max(axis=1))
    assert clear.mean() > 0.9
    agree = label == pipe.predict(new)
    assert agree[clear].all() if model.multi_class != "ovo" or two else agree.mean() > 0.9999


def test_onnx_keeps_the_side_of_the_boundary():
    """scikit-learn's own converters call a score of 0 negative; ours is positive, as here."""
    pytest.importorskip("skl2onnx", reason="the extra onnx")
    runtime = pytest.importorskip("onnxruntime", reason="the extra onnx")
    clf = novikoff.Perceptron(fit_intercept=False).fit([[1.0, 0.0], [-1.0, 0.0]], ["no", "yes"])
    session = runtime.InferenceSession(novikoff.to_onnx(clf, [[0.0, 1.0]]).SerializeToString())
    label, scores = session.run(None, {"X": np.array([[0.0, 5.0]])})
    assert scores.ravel() == [0.0]
    assert label.tolist() == clf.predict([[0.0, 5.0]]).tolist() == ["yes"]


def test_onnx_of_ten_classes():
    pytest.importorskip("skl2onnx", reason="the extra onnx")
    runtime = pytest.importorskip("onnxruntime", reason="the extra onnx")
    pixels, digits = load_digits(return_X_y=True)
    clf = novikoff.AveragedPerceptron(multi_class="ovo").fit(pixels, digits)
    session = runtime.InferenceSession(novikoff.to_onnx(clf, pixels).SerializeToString())
    label, _ = session.run(None, {"X": pixels})
    assert (label == clf.predict(pixels)).all()  # whole numbers: no score is within rounding


def test_our_own_encoder_of_tables_does_not_go_unnoticed(tmp_path):
    table, model = tmp_path / "table.csv", tmp_path / "table.model"
    table.write_text("a,b,y\n" + "1,u,n\n2,v,n\n3,u,p\n4,v,p\n" * 5)
    inside("fit", table, "--out", model)
    found = novikoff.load(model)
    with pytest.raises(ValueError, match="TableEncoder is a step of this library"):
        novikoff.to_sklearn(found)
    assert novikoff.to_sklearn(found[-1]).classes_.tolist() == ["n", "p"]
