"""`novikoff.play`: the page in a frame of its own, at the points and the run that it is given."""

from html.parser import HTMLParser

import numpy as np
import pytest

import novikoff

RUN = """(({ points, settings }) => found.run({ points, settings }).trace)(given.document)"""


class Frames(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def cloud(n=40, seed=1):
    random = np.random.RandomState(seed)
    X = random.randn(n, 2).round(2)
    return X, np.where(X @ [1.0, 2.0] + 0.3 * random.randn(n) > 0.1, "yes", "no")


def test_points_and_names():
    import pandas as pd

    X, y = cloud()
    frame = pd.DataFrame(X, columns=["<b>height</b>", "weight"])
    document = novikoff.play(frame, y).state["document"]
    assert document["axes"] == ("<b>height</b>", "weight")
    assert document["classes"] == {"negative": "no", "positive": "yes"}
    assert [(p["x"], p["y"]) for p in document["points"]] == [tuple(row) for row in X.tolist()]
    assert [p["label"] for p in document["points"]] == np.where(y == "yes", 1, -1).tolist()


def test_points_without_labels_are_told_what_is_missing():
    for given in ([[0.0, 1.0]], novikoff.Perceptron(), "iris"):
        with pytest.raises(ValueError, match=r"play\(X, y\)"):
            novikoff.play(given)


def test_it_is_one_frame_and_names_in_it_are_text():
    hostile = '"></iframe><script>alert(1)</script>'
    shown = novikoff.play([[0.0, 1.0], [1.0, 0.0]], [hostile, "b"], height=500)._repr_html_()
    ((tag, attributes),) = Frames(shown).tags
    assert tag == "iframe"
    assert attributes["height"] == "500"
    assert attributes["title"]
    inside = Frames(attributes["srcdoc"]).tags
    assert [attrs.get("id") for name, attrs in inside if name == "script"] == [
        "start", "replay", "alone"
    ]  # fmt: skip
    assert novikoff.play()._repr_html_().count("<iframe") == 1


@pytest.mark.parametrize(
    "estimator",
    [
        novikoff.Perceptron(max_iter=7),
        novikoff.Perceptron(max_iter=5, order="cyclic", fit_intercept=False, ties="sign"),
        novikoff.Perceptron(max_iter=5, order="random", random_state=123, eta0=0.25),
        novikoff.Perceptron(max_iter=6, margin=0.7, random_state=9999),
        novikoff.PocketPerceptron(max_iter=5, random_state=3),
    ],
    ids=lambda estimator: estimator.order,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_trace_opens_at_its_run(node, estimator):
    """The engine, told what the page is told, makes the same updates."""
    trace = estimator.set_params(record_trace=True).fit(*cloud()).trace_
    again = node("engine/index.js", RUN, novikoff.play(trace).state)
    assert again["updates"]["row"] == trace.row.tolist()
    assert again["updates"]["t"] == trace.t.tolist()
    assert again["updates"]["score_after"] == trace.score_after.tolist()
    assert again["n_epochs"] == trace.n_epochs
    if trace.replacements is not None:
        assert again["replacements"]["k"] == trace.replacements.k.tolist()


def test_a_start_is_kept():
    X, y = cloud()
    trace = novikoff.Perceptron(order="cyclic", max_iter=20, record_trace=True).fit(
        X, y, coef_init=[[1.0, 2.0]], intercept_init=[-0.5]
    ).trace_  # fmt: skip
    assert novikoff.play(trace).state["document"]["settings"]["start"] == [1.0, 2.0, -0.5]


@pytest.mark.parametrize(
    ("X", "y", "said"),
    [
        ([[1.0, 2.0, 3.0]] * 2, [0, 1], "plane"),
        ([[1.0, 2.0]] * 3, [0, 1, 2], "two labels"),
        ([[1.0, 2.0]] * 3, [0, 1], "3 rows"),
        ([[1.0, np.nan]] * 2, [0, 1], "NaN"),
        ([[1.0, 2e9]] * 2, [0, 1], "1e9"),
        ([[1.0, 2.0]] * 2001, [0] * 2000 + [1], "2000"),
    ],
)
def test_what_it_cannot_show_is_said(X, y, said):
    with pytest.raises(ValueError, match=said):
        novikoff.play(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("fitted", "said"),
    [
        (lambda X, y: novikoff.PassiveAggressiveClassifier(record_trace=True, max_iter=2).fit(X, y),
         "rule"),
        (lambda X, y: novikoff.Perceptron(record_trace=True).fit(X.astype(np.float32), y),
         "single precision"),
        (lambda X, y: novikoff.Perceptron(record_trace=True).fit(
            X, y, sample_weight=np.arange(len(X)) + 1.0), "weights"),
        (lambda X, y: novikoff.Perceptron(record_trace=True, random_state=123_456).fit(X, y),
         "random_state"),
    ],
)  # fmt: skip
def test_a_run_that_the_page_would_not_repeat_is_refused(fitted, said):
    with pytest.raises(ValueError, match=said):
        novikoff.play(fitted(*cloud()).trace_)
