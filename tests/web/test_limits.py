"""Runs that are longer than an answer, and runs that go on after convergence."""

from __future__ import annotations

import pytest

import novikoff
from novikoff.web.presets import preset
from novikoff.web.questions import MOST_UPDATES
from tests.web.asking import ALGORITHMS, arrays_of, ask, overlapping


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_long_run_is_cut_at_a_whole_epoch_and_says_so(algorithm):
    points = overlapping(100)
    answer = ask(points, algorithm=algorithm, epochs=10_000, order="shuffled")
    assert answer.truncated
    assert str(MOST_UPDATES) in answer.why
    assert MOST_UPDATES - 100 < answer.n_updates <= MOST_UPDATES
    whole = ask(points, algorithm=algorithm, epochs=answer.n_epochs, order="shuffled")
    assert not whole.truncated
    assert whole.errors == answer.errors
    assert whole.model == answer.model
    more = ask(points, algorithm=algorithm, epochs=answer.n_epochs + 1, order="shuffled")
    assert more.truncated


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
@pytest.mark.parametrize("n", [30, 60, 150])
@pytest.mark.parametrize(
    ("algorithm", "kind"),
    [("averaged", novikoff.AveragedPerceptron), ("pocket", novikoff.PocketPerceptron)],
)
def test_a_run_that_was_cut_ends_as_one_of_so_many_epochs(algorithm, kind, n, order):
    points = overlapping(n)
    start = (0.3, -0.7, 0.1)
    answer = ask(points, algorithm=algorithm, epochs=10_000, order=order, eta=0.1, start=start)
    assert answer.truncated
    model = kind(max_iter=answer.n_epochs, order=order, eta0=0.1, record_trace=True)
    model.fit(*arrays_of(points), coef_init=[start[:2]], intercept_init=start[2:])
    assert answer.model.theta == tuple(model.coef_[0].tolist())
    assert answer.model.offset == model.intercept_[0]
    if algorithm == "pocket":
        k, error = (part.tolist() for part in model.trace_.replacements)
        assert answer.trace["replacements"] == {"k": k, "error": error}
        assert answer.model_errors[-1] == error[-1]


def test_epochs_after_convergence_count_for_the_mean():
    answer = ask(preset("default").points, algorithm="averaged", epochs=10_000)
    assert not answer.truncated
    assert sum(answer.survival) == 120_000
    X, y = arrays_of(preset("default").points)
    model = novikoff.AveragedPerceptron(max_iter=10_000, order="cyclic").fit(X, y)
    assert answer.model.theta == tuple(model.coef_[0].tolist())
