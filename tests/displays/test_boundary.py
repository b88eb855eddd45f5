"""What a boundary's picture shows is what the estimator does."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from matplotlib.path import Path
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from novikoff import (
    AveragedPerceptron,
    Hyperplane,
    KernelPerceptron,
    MaxMarginClassifier,
    Perceptron,
    VotedPerceptron,
    max_margin,
)
from novikoff.displays import BoundaryDisplay
from tests.displays.data import arrow_ends, clouds, on_screen


def of(clf, X, y, **options):
    return BoundaryDisplay.from_estimator(clf.fit(X, y), X, y, **options)


@pytest.mark.parametrize("units", [(1.0, 1.0), (1000.0, 0.01)])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_theta_is_perpendicular_to_the_boundary_on_the_screen(units, theme):
    X, y = clouds(40)
    display = of(MaxMarginClassifier(), X * units, y).plot(theme=theme)
    line = on_screen(display.ax_, display.boundary_.get_xydata())
    arrow = on_screen(display.ax_, arrow_ends(display.theta_))
    along, up = line[1] - line[0], arrow[1] - arrow[0]
    cosine = along @ up / np.linalg.norm(along) / np.linalg.norm(up)
    assert abs(cosine) < 1e-6
    # and it stands on the boundary
    away = np.linalg.det([along, arrow[0] - line[0]]) / np.linalg.norm(along)
    assert abs(away) < 1e-3


def test_theta_points_to_the_positive_side():
    X, y = clouds(40)
    display = of(Perceptron(), X, y).plot()
    foot, tip = arrow_ends(display.theta_)
    score = np.array([foot, tip]) @ display.theta + display.offset
    assert abs(score[0]) < 1e-9
    assert score[1] > 0


def test_half_spaces_hold_the_points_that_are_predicted_there():
    X, y = clouds(200, 0.8)
    display = of(AveragedPerceptron(), X, y).plot()
    for code, patch in enumerate(display.half_spaces_):
        inside = Path(patch.get_xy()).contains_points(X)
        np.testing.assert_array_equal(inside, display.predicted == code)


def test_the_distance_in_the_picture_is_the_distance_among_all_features():
    random = np.random.RandomState(5)
    X = random.randn(60, 5)
    y = (X @ [1.0, -2.0, 0.5, 0.0, 1.0] + 0.3 > 0).astype(int)
    clf = Perceptron(max_iter=1000).fit(X, y)
    display = BoundaryDisplay.from_estimator(clf, X, y, standardize=False).plot()
    expected = Hyperplane.from_estimator(clf).distances(X)
    np.testing.assert_allclose(display.distances, expected, rtol=1e-9)
    line = on_screen(display.ax_, display.boundary_.get_xydata())
    points = on_screen(display.ax_, display.points)
    along = (line[1] - line[0]) / np.linalg.norm(line[1] - line[0])
    pixels = np.abs((points - line[0]) @ [-along[1], along[0]])
    unit = np.diff(on_screen(display.ax_, [[0.0, 0.0], [1.0, 0.0]])[:, 0])
    np.testing.assert_allclose(pixels / unit, np.abs(expected), rtol=1e-6, atol=1e-6)


def test_the_margin_band_touches_the_nearest_points_only():
    X, y = clouds(60)
    display = of(MaxMarginClassifier(), X, y).plot()
    best = max_margin(X, y)
    assert display.margin == pytest.approx(best.margin, rel=1e-6)
    ringed = {tuple(point) for point in display.rings_.get_offsets().tolist()}
    assert ringed == {tuple(point) for point in X[best.support].tolist()}
    for line in display.band_:
        distance = Hyperplane(display.theta, display.offset).distances(line.get_xydata())
        np.testing.assert_allclose(np.abs(distance), best.margin, rtol=1e-6)


def test_the_offset_is_marked_from_the_origin_to_the_boundary():
    X, y = clouds(60)
    display = of(Perceptron(), X, y).plot()
    origin, mark = display.offset_mark_.get_xydata()
    theta, offset = display.theta, display.offset
    assert origin.tolist() == [0.0, 0.0]
    np.testing.assert_allclose(mark, -offset * theta / (theta @ theta), rtol=1e-9)
    np.testing.assert_allclose(display.origin_line_.get_xydata() @ theta, 0.0, atol=1e-6)


def test_without_an_offset_there_is_none_to_mark():
    X, y = clouds(60)
    display = of(Perceptron(fit_intercept=False, max_iter=500), X - 1.0, y).plot()
    assert display.offset_mark_ is None
    assert display.origin_line_ is None


def test_mistakes_are_those_of_the_training_error():
    X, y = clouds(300, 0.6)
    clf = AveragedPerceptron().fit(X, y)
    display = BoundaryDisplay.from_estimator(clf, X, y).plot()
    assert display.mistakes.mean() == Hyperplane.from_estimator(clf).training_error(X, 2 * y - 1)
    np.testing.assert_array_equal(display.crosses_.get_offsets(), X[display.mistakes])
    assert display.margin == -np.inf
    assert display.rings_ is None
    assert display.band_ == []


@pytest.mark.parametrize(("offset", "colour"), [(0.0, 1), (2.0, 1), (-2.0, 0)])
def test_theta_zero_leaves_the_plane_undivided(offset, colour):
    X, y = clouds(20)
    clf = Perceptron(max_iter=500).fit(X, y)
    clf.coef_, clf.intercept_ = np.zeros((1, 2)), np.array([offset])
    display = BoundaryDisplay.from_estimator(clf, X, y).plot()
    (whole,) = display.half_spaces_
    assert Path(whole.get_xy()).contains_points(X).all()
    assert set(display.predicted) == {colour} == set(clf.predict(X))
    assert display.boundary_ is display.theta_ is None
    assert "θ = 0: no boundary" in display.ax_.get_title(loc="left")
    assert "distance" not in display.frame()


def test_theta_zero_in_four_features_is_drawn_too():
    X = np.random.RandomState(0).randn(30, 4)
    y = np.arange(30) % 2
    clf = AveragedPerceptron().fit(X, y)
    clf.coef_, clf.intercept_ = np.zeros((1, 4)), np.array([0.0])
    display = BoundaryDisplay.from_estimator(clf, X, y).plot()
    assert "θ = 0" in display.ax_.get_title(loc="left")


@pytest.mark.parametrize(
    "clf",
    [
        KernelPerceptron(kernel="rbf", gamma=1.0, max_iter=30),
        VotedPerceptron(),
        make_pipeline(StandardScaler(), LogisticRegression()),
    ],
    ids=lambda clf: type(clf).__name__,
)
def test_regions_are_what_is_predicted(clf):
    X, y = clouds(150, 0.5)
    display = of(clf, X, y).plot()
    x, up, scores = display.grid
    mesh = np.stack(np.meshgrid(x, up), axis=-1).reshape(-1, 2)
    clear = np.ptp(scores.reshape(-1, 2), axis=1) > 1e-9
    np.testing.assert_array_equal(
        scores.reshape(-1, 2).argmax(axis=1)[clear], clf.predict(mesh)[clear]
    )
    np.testing.assert_array_equal(display.mistakes, clf.predict(X) != y)


@pytest.mark.parametrize("multi_class", ["ovr", "ovo", "joint"])
def test_three_classes(multi_class):
    random = np.random.RandomState(0)
    y = np.arange(90) % 3
    X = random.randn(90, 2) + 3.0 * np.array([[0, 1], [1, 0], [-1, -1]])[y]
    clf = AveragedPerceptron(multi_class=multi_class).fit(X, y)
    display = BoundaryDisplay.from_estimator(clf, X, y).plot()
    np.testing.assert_array_equal(display.predicted, clf.predict(X))
    assert len(display.ax_.get_legend().get_texts()) >= 4


def test_ticks_stay_in_original_units_where_units_are_unlike():
    X, y = clouds(60)
    raw = X * [1000.0, 0.01] + [20000.0, 0.0]
    display = of(MaxMarginClassifier(), raw, y).plot()
    low, high = display.ax_.get_xlim()
    assert low < raw[:, 0].min() < raw[:, 0].max() < high
    np.testing.assert_allclose(display.frame()[["x", "y"]].to_numpy(), raw)
    np.testing.assert_allclose(display.units, raw.std(axis=0))
    one = on_screen(display.ax_, np.array([[0, 0], [1, 0], [0, 1]]) * raw.std(axis=0))
    assert np.linalg.norm(one[1] - one[0]) == pytest.approx(np.linalg.norm(one[2] - one[0]))


def test_names_come_from_the_frame_and_stay_text():
    X, y = clouds(20)
    frame = pd.DataFrame(X, columns=["$price$", "_hidden"])
    clf = KernelPerceptron(kernel="rbf", gamma=1.0).fit(frame, np.where(y, "_yes", "$x^2$"))
    labels = np.where(y, "_yes", "$x^2$")
    display = BoundaryDisplay.from_estimator(clf, frame, labels).plot()
    display.figure_.canvas.draw()
    assert display.ax_.get_xlabel() == r"\$price\$"
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts[0] == r"\$x^2\$ (−)"
    assert "_yes (+)" in texts[1]


def test_a_pair_of_four_features_shows_no_distances():
    X = np.random.RandomState(1).randn(50, 4)
    y = (X.sum(axis=1) > 0).astype(int)
    display = of(Perceptron(max_iter=1000), X, y, features=(1, 3)).plot()
    assert display.distances is None
    assert display.band_ == []
    assert "mean of the other 2 features" in display.ax_.get_title(loc="left")


def test_axes_of_the_user_are_drawn_on():
    import matplotlib.pyplot as plt

    X, y = clouds(20)
    figure, ax = plt.subplots(layout="constrained")
    display = of(Perceptron(max_iter=500), X, y).plot(ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert figure.get_size_inches().tolist() == [6.4, 4.8]


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.ones((4, 1)), [0, 1, 0, 1], "at least two features"),
        (np.ones((4, 2)), [0, 1, 0, 7], "y is 7 at row 3"),
        (np.full((2, 2), 1e200), [0, 1], "up to 1e\\+200, too large for a picture"),
        ([[1, 2], [3, "x"]], [0, 1], "'x' at row 1, column 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(X, y, message):
    clf = Perceptron(max_iter=2).fit(*clouds(10))
    with pytest.raises(ValueError, match=message):
        BoundaryDisplay.from_estimator(clf, X, y)


def test_labels_of_another_type_are_refused():
    X, y = clouds(10)
    clf = Perceptron(max_iter=500).fit(X, np.where(y == 1, "yes", "no").astype(object))
    with pytest.raises(
        ValueError, match=r"y is -?\d at row 0; the estimator knows \['no', 'yes'\]"
    ):
        BoundaryDisplay.from_estimator(clf, X, y)


def test_an_unfitted_estimator_is_refused():
    with pytest.raises(ValueError, match="after fit"):
        BoundaryDisplay.from_estimator(Perceptron(), [[1.0, 2.0]], [0])


@pytest.mark.parametrize("clf", [Perceptron(max_iter=1000), VotedPerceptron(max_iter=3)])
def test_sparse_rows_are_drawn_as_they_are(clf):
    random = np.random.RandomState(0)
    X = sp.random_array((60, 1000), density=0.02, random_state=random, format="csr")
    y = np.arange(60) % 2
    clf.fit(X, y)
    display = BoundaryDisplay.from_estimator(clf, X, y, features=(3, 7)).plot()
    np.testing.assert_array_equal(display.predicted, clf.predict(X))


def test_a_kernel_of_four_features_is_seen_in_a_plane_through_the_mean():
    X = np.random.RandomState(1).randn(60, 4) * [5.0, 4.0, 1.0, 1.0]
    y = (np.linalg.norm(X / [5.0, 4.0, 1.0, 1.0], axis=1) > 2).astype(int)
    clf = KernelPerceptron(kernel="rbf", gamma=0.1, max_iter=50).fit(X, y)
    display = BoundaryDisplay.from_estimator(clf, X, y).plot()
    assert "plane through the mean" in display.ax_.get_title(loc="left")
    np.testing.assert_array_equal(display.predicted, clf.predict(X))


def test_a_data_frame_with_names_is_drawn_without_a_warning():
    X, y = clouds(30)
    frame = pd.DataFrame(X, columns=["left", "right"])
    for clf in (Perceptron(max_iter=500), VotedPerceptron()):
        display = BoundaryDisplay.from_estimator(clf.fit(frame, y), frame, y).plot()
        assert display.names == ("left", "right")
