"""Warm starts, early stopping, status, warnings, watching."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.fixes import parse_version

from novikoff import AveragedPerceptron, Perceptron, PocketPerceptron, VotedPerceptron
from novikoff.streams import fit_stream

ESTIMATORS = [Perceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron]
quiet = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
RANDOM = np.random.RandomState(4)
X = RANDOM.standard_normal((200, 5))
Y = (X @ [1, 2, -1, 0, 1] + RANDOM.standard_normal(200) > 0).astype(int)


def test_the_epoch_limit_warns_and_names_what_to_do():
    with pytest.warns(ConvergenceWarning, match="separability.*max_iter.*AveragedPerceptron"):
        clf = Perceptron(max_iter=3).fit(X, Y)
    assert clf.status_ == "epoch_limit"
    for estimator in ESTIMATORS[1:]:
        assert estimator(max_iter=3).fit(X, Y).status_ == "epoch_limit"  # no warning: an error here


def test_the_epoch_limit_of_a_stream_is_its_own():
    with pytest.warns(ConvergenceWarning, match=r"after epochs=2\..*raise epochs;"):
        clf = fit_stream(Perceptron(max_iter=100), [(X, Y)], epochs=2)
    assert clf.n_iter_ == 2


@quiet
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_warm_start_goes_on_from_the_last_hypothesis(estimator):
    first = Perceptron(max_iter=3, order="cyclic").fit(X, Y)
    expected = estimator(max_iter=2, order="cyclic").fit(
        X, Y, coef_init=first.coef_, intercept_init=first.intercept_
    )
    clf = estimator(max_iter=3, order="cyclic", warm_start=True).fit(X, Y)
    clf.set_params(max_iter=2).fit(X, Y)
    np.testing.assert_array_equal(clf.coef_, expected.coef_)
    np.testing.assert_array_equal(clf.n_updates_, expected.n_updates_)
    with pytest.raises(ValueError, match="warm_start=True continues with the classes"):
        clf.fit(X, Y + 1)
    clf.set_params(fit_intercept=False).fit(X, Y)
    assert clf.intercept_[0] == 0.0


@quiet
def test_warm_start_does_not_mistake_pairs_for_classes():
    labels = Y + (X[:, 1] > 1)
    clf = Perceptron(multi_class="ovr", max_iter=2, warm_start=True).fit(X, labels)
    with pytest.raises(ValueError, match="multi_class='ovr' of the earlier fit"):
        clf.set_params(multi_class="ovo").fit(X, labels)


@quiet
@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("scheme", ["binary", "ovr", "ovo", "joint"])
def test_early_stopping_follows_its_definition(estimator, scheme):
    """Replayed from outside: the split, then an epoch at a time, scored as predict would."""
    labels = Y if scheme == "binary" else Y + (X[:, 1] > 1)
    multi_class = "ovr" if scheme == "binary" else scheme
    options = {"validation_fraction": 0.25, "n_iter_no_change": 2, "multi_class": multi_class}
    clf = estimator(early_stopping=True, max_iter=30, random_state=5, **options).fit(X, labels)

    random = np.random.RandomState(5)
    splitter = StratifiedShuffleSplit(1, test_size=0.25, random_state=random)
    learn, check = (np.sort(part) for part in next(splitter.split(np.zeros((200, 1)), labels)))
    state = random.get_state()
    best, best_epoch = -1.0, 0
    for epoch in range(1, 31):
        random.set_state(state)
        model = estimator(max_iter=epoch, random_state=random, multi_class=multi_class)
        model.fit(X[learn], labels[learn])
        score = model.score(X[check], labels[check])
        if score > best:
            best, best_epoch = score, epoch
        if epoch - best_epoch >= 2:
            break
    assert clf.n_iter_ == epoch
    assert clf.status_ == ("early_stopped" if epoch < 30 else "epoch_limit")
    np.testing.assert_array_equal(clf.coef_, model.coef_)
    np.testing.assert_array_equal(clf.predict(X), model.predict(X))
    assert (clf.mistake_counts_.reshape(-1, 200)[:, check] == 0).all()


def test_early_stopping_with_too_few_rows_says_so():
    with pytest.raises(ValueError, match="could not set rows aside"):
        Perceptron(early_stopping=True).fit([[1.0], [2.0]], [0, 1])


@quiet
def test_in_file_order_a_seed_still_draws_what_is_held_out():
    random = np.random.RandomState(0)
    X, y = random.standard_normal((60, 4)), random.randint(0, 2, 60)
    clf = Perceptron(order="cyclic", early_stopping=True, validation_fraction=0.3, random_state=3)
    first = clf.fit(X, y).coef_
    np.testing.assert_array_equal(clf.fit(X, y).coef_, first)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_no_threads_are_refused_whatever_there_is_to_share(n_classes):
    with pytest.raises(ValueError, match="n_jobs"):
        Perceptron(n_jobs=0).fit(np.arange(12.0).reshape(6, 2), np.arange(6) % n_classes)


@quiet
def test_verbose_prints_one_line_per_epoch(capsys):
    clf = Perceptron(max_iter=4, verbose=1).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == clf.n_iter_ == 4
    counted = sum(int(line.split("updates")[1].split()[0]) for line in lines)
    assert counted == clf.n_updates_[0]
    # Only in the first epoch has the model not seen the row that it predicts.
    assert lines[0].endswith(f" s  progressive error {clf.progressive_error_:.4f}")
    assert all(line.endswith(" s") for line in lines[1:])


@quiet
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_second_fit_starts_afresh(estimator):
    clf = estimator(record_trace=True).fit(X[:50], Y[:50])
    clf.set_params(record_trace=False).fit(X, Y)
    assert not hasattr(clf, "trace_")
    np.testing.assert_array_equal(clf.coef_, estimator().fit(X, Y).coef_)


@quiet
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_pickles_and_pipelines(estimator):
    clf = estimator(max_iter=5).fit(X, Y)
    again = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(again.predict(X), clf.predict(X))
    search = GridSearchCV(
        make_pipeline(StandardScaler(), estimator(max_iter=5)),
        {f"{estimator.__name__.lower()}__margin": [0.0, 1.0]},
        cv=3,
    ).fit(X, Y)
    assert search.score(X, Y) > 0.7
    assert CalibratedClassifierCV(estimator(max_iter=5), cv=2).fit(X, Y).score(X, Y) > 0.7
    assert clone(clf).get_params() == clf.get_params()


@quiet
def test_traces_of_several_hyperplanes_replay_to_their_last_hypotheses():
    labels = Y + (X[:, 1] > 1)
    for scheme in ("ovr", "ovo", "joint"):
        clf = Perceptron(multi_class=scheme, max_iter=4, record_trace=True).fit(X, labels)
        assert len(clf.trace_) == 3
        for k, trace in enumerate(clf.trace_):
            theta, offset = trace.hypotheses(X)
            np.testing.assert_array_equal(theta[-1], clf.coef_[k])
            assert offset[-1] == clf.intercept_[k]
            assert len(trace.orders) == 4


def test_a_trace_wants_the_rows_it_was_made_from():
    clf = Perceptron(max_iter=3, record_trace=True)
    with pytest.warns(ConvergenceWarning):
        clf.fit(X, Y)
    with pytest.raises(ValueError, match="pass the X that was fitted"):
        clf.trace_.hypotheses(X[:2])
    with pytest.raises(ValueError, match="4 features; the run was on 5"):
        clf.trace_.hypotheses(X[:, :4])
    for scaled in (2 * X, sp.csr_array(2 * X)):
        with pytest.raises(ValueError, match=r"not what this run was on: row \d+ differs"):
            clf.trace_.hypotheses(scaled)
    for same in (X, X.tolist(), sp.coo_array(X)):
        np.testing.assert_array_equal(clf.trace_.hypotheses(same)[0][-1], clf.coef_[0])


@quiet
def test_random_one_vs_one_returns_at_once_when_it_has_converged():
    centres = np.array([[0, 9], [9, -5], [-9, -5]])
    labels = np.arange(60) % 3
    points = centres[labels] + RANDOM.standard_normal((60, 2))
    clf = Perceptron(multi_class="ovo", order="random", max_iter=10**9).fit(points, labels)
    assert clf.status_ == "separated"


@quiet
def test_the_pocket_is_never_worse_than_the_last_hypothesis():
    for seed in range(10):
        pocket = PocketPerceptron(max_iter=5, random_state=seed).fit(X, Y)
        last = Perceptron(max_iter=5, random_state=seed).fit(X, Y)
        np.testing.assert_array_equal(pocket.last_coef_, last.coef_)
        assert pocket.score(X, Y) >= last.score(X, Y)


needs_callbacks = pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.9"), reason="callbacks came with 1.9"
)


class Recorder:
    """A callback that notes what it is told and may ask to stop."""

    def __init__(self, stop_after=None):
        self.scores, self.models, self.events, self.stop_after = [], [], [], stop_after

    def setup(self, estimator, context):
        self.events.append("setup")

    def teardown(self, estimator, context):
        self.events.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.events.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        self.events.append(f"end {context.task_name}")
        if context.task_name == "epoch":
            self.scores.append(fitted_estimator.score(X, Y))
            self.models.append(fitted_estimator)
        return self.stop_after is not None and len(self.scores) >= self.stop_after


@needs_callbacks
@quiet
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_callbacks_see_every_epoch_and_the_model_as_it_stands(estimator):
    recorder = Recorder()
    clf = estimator(max_iter=3).set_callbacks(recorder).fit(X, Y)
    epochs = ["begin epoch", "end epoch"] * 3
    assert recorder.events == ["setup", "begin fit", *epochs, "end fit", "teardown"]
    assert recorder.scores == [estimator(max_iter=t).fit(X, Y).score(X, Y) for t in (1, 2, 3)]
    assert recorder.scores[-1] == clf.score(X, Y)
    for t, model in enumerate(recorder.models, start=1):  # kept models do not change afterwards
        np.testing.assert_array_equal(
            model.decision_function(X), estimator(max_iter=t).fit(X, Y).decision_function(X)
        )


@needs_callbacks
@quiet
def test_a_callback_can_stop_the_run():
    clf = Perceptron(max_iter=50).set_callbacks(Recorder(stop_after=2)).fit(X, Y)
    assert clf.n_iter_ == 2
    assert clf.status_ == "early_stopped"


@needs_callbacks
@quiet
def test_scikit_learns_progress_bar_works(capsys):
    from sklearn.callback import ProgressBar

    Perceptron(max_iter=3).set_callbacks(ProgressBar()).fit(X, Y)
    assert "Perceptron" in capsys.readouterr().out
