"""Grids for shading, against the library's own predictions at the centres of the cells."""

import numpy as np
import pytest

import novikoff
from novikoff.web.fields import cells, field_answer
from novikoff.web.presets import preset
from novikoff.web.questions import FieldQuestion, Point, Settings, Window

WINDOW = Window(left=-6.0, right=6.0, bottom=-5.0, top=7.0)


def ask(name="outlier", step=None, size=16, what=None, **settings):
    return field_answer(
        FieldQuestion(
            points=preset(name).points, settings=Settings(**{"epochs": 5} | settings),
            step=step, window=WINDOW, size=size, what=what,
        )
    )  # fmt: skip


def data(name="outlier"):
    points = preset(name).points
    return np.array([(p.x, p.y) for p in points]), np.array([p.label for p in points])


def test_cells_go_from_the_bottom_left_along_the_rows():
    grid = cells(WINDOW, 4)
    assert grid[0].tolist() == [-4.5, -3.5]
    assert grid[1].tolist() == [-1.5, -3.5]
    assert grid[-1].tolist() == [4.5, 5.5]


def test_points_at_the_limit_have_room_around_them():
    far = [Point(x=1e9, y=0.0, label=1), Point(x=-1e9, y=0.0, label=-1)]
    window = Window(left=-2e9, right=2e9, bottom=-2e9, top=2e9)
    settings = Settings(algorithm="voted")
    answer = field_answer(FieldQuestion(points=far, settings=settings, window=window, size=2))
    assert [value > 0 for value in answer.values] == [False, True, False, True]


def test_a_grid_has_128_rows_unless_told_otherwise():
    question = FieldQuestion(points=preset("xor").points, window=WINDOW)
    answer = field_answer(question)
    assert len(answer.values) == 128 * 128
    assert max(map(abs, answer.values)) <= 127


def test_votes_are_those_of_the_voted_perceptron():
    X, y = data()
    voted = novikoff.VotedPerceptron(max_iter=5, order="cyclic").fit(X, y)
    votes = voted.decision_function(cells(WINDOW, 16))
    answer = ask(algorithm="voted")
    assert answer.kind == "votes"
    assert (np.sign(answer.values) == np.sign(votes)).all()
    np.testing.assert_allclose(np.array(answer.values) / 127, votes / abs(votes).max(), atol=0.01)


def test_votes_after_some_updates():
    """Right after update 4: as if the data had ended there."""
    X, y = data()
    model = novikoff.VotedPerceptron(max_iter=5, order="cyclic", record_trace=True).fit(X, y)
    seen = np.tile(np.arange(len(X)), 5)[: model.trace_.t[3]]
    early = novikoff.VotedPerceptron().partial_fit(X[seen], y[seen], classes=[-1, 1])
    votes = early.decision_function(cells(WINDOW, 16))
    assert (np.sign(ask(algorithm="voted", step=4).values) == np.sign(votes)).all()
    assert set(ask(algorithm="voted", step=0).values) == {0}


@pytest.mark.parametrize(
    ("algorithm", "estimator"),
    [
        ("last", novikoff.Perceptron(max_iter=6, order="cyclic")),
        ("averaged", novikoff.AveragedPerceptron(max_iter=6, order="cyclic")),
        ("pocket", novikoff.PocketPerceptron(max_iter=6, order="cyclic")),
        ("kernel", novikoff.KernelPerceptron(max_iter=6, order="cyclic", gamma=1.0)),
    ],
)
def test_scores_have_the_sign_of_the_prediction(algorithm, estimator):
    estimator.fit(*data("default"))
    grid = cells(WINDOW, 16)
    answer = ask("default", algorithm=algorithm, epochs=6, what="score")
    assert answer.kind == "score"
    assert (np.where(np.array(answer.values) >= 0, 1, -1) == estimator.predict(grid)).all()


def test_the_kernel_on_its_way():
    X, y = data("xor")
    early = novikoff.KernelPerceptron(gamma=1.0).partial_fit(X[:3], y[:3], classes=[-1, 1])
    updates = int(early.n_updates_[0])
    answer = ask("xor", algorithm="kernel", step=updates)
    expected = early.decision_function(cells(WINDOW, 16))
    assert (np.sign(answer.values) == np.sign(expected)).all()
    assert set(ask("xor", algorithm="kernel", step=0).values) == {0}


def test_the_mean_and_the_pocket_on_their_way():
    X, y = data()
    grid = cells(WINDOW, 16)
    model = novikoff.AveragedPerceptron(max_iter=5, order="cyclic", record_trace=True).fit(X, y)
    seen = np.tile(np.arange(len(X)), 5)[: model.trace_.t[6]]
    early = novikoff.AveragedPerceptron().partial_fit(X[seen], y[seen], classes=[-1, 1])
    values = np.array(ask(algorithm="averaged", step=7, what="score").values)
    assert (np.sign(values) == np.sign(early.decision_function(grid))).all()
    pocket = novikoff.PocketPerceptron(max_iter=5, order="cyclic", record_trace=True).fit(X, y)
    first = pocket.trace_.replacements.k[1]
    theta, offset = pocket.trace_.hypothesis(int(first))
    values = np.array(ask(algorithm="pocket", step=int(first)).values)
    assert (np.sign(values) == np.sign(grid @ theta + offset)).all()


def test_what_cannot_be_shown_is_said():
    with pytest.raises(ValueError, match="have votes"):
        ask(algorithm="last", what="votes")
    with pytest.raises(ValueError, match="There is no update 4000"):
        ask(algorithm="last", step=4000)
    empty = Window(left=1.0, right=1.0, bottom=0.0, top=1.0)
    with pytest.raises(ValueError, match="window is empty"):
        field_answer(FieldQuestion(points=[], window=empty))


def test_points_of_one_class_give_an_empty_field():
    answer = field_answer(FieldQuestion(points=[], window=WINDOW, size=4))
    assert answer.values == [0] * 16
