"""The chain of inequalities, and where it ends."""

import numpy as np
import pytest

from novikoff import Perceptron, PocketPerceptron, mistake_bound
from novikoff.displays import BoundDisplay
from tests.displays.data import clouds, fan, traced


@pytest.mark.parametrize("eta0", [1.0, 0.25])
@pytest.mark.parametrize("margin", [0.0, 3.0])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_the_chain_of_inequalities_holds(eta0, margin, fit_intercept):
    X, y = fan(12)
    trace = traced(X, y, eta0=eta0, margin=margin, fit_intercept=fit_intercept)
    table = BoundDisplay.from_trace(trace).frame()
    slack = 1 + 1e-9
    assert len(table) > 3
    assert (table["least"] <= table["progress_squared"] * slack).all()
    assert (table["progress_squared"] <= table["squared_norm"] * slack).all()
    assert (table["squared_norm"] <= table["most"] * slack).all()
    assert (table["floor"] <= table["cosine"] * slack).all()
    np.testing.assert_allclose(
        table["cosine"], np.sqrt(table["progress_squared"] / table["squared_norm"])
    )


def test_theta_is_measured_in_steps_in_the_space_of_the_run():
    X, y = clouds(40, 2.0)
    trace = traced(X, y, eta0=0.5)
    theta, offset = trace.hypotheses()
    joined = np.column_stack([theta, offset])[1:] / 0.5
    display = BoundDisplay.from_trace(trace)
    np.testing.assert_allclose(display.squared_norm, np.sum(joined**2, axis=1))
    assert display.radius == pytest.approx(np.sqrt((X**2).sum(axis=1) + 1).max())


@pytest.mark.parametrize("margin", [0.0, 3.0])
def test_the_outer_lines_meet_at_the_bound(margin):
    X, y = fan(40)
    display = BoundDisplay.from_trace(traced(X, y, margin=margin, eta0=0.5)).plot()
    if margin == 0.0:
        assert display.bound == pytest.approx(mistake_bound(X, y).value, rel=1e-5)
    upper, lower = display.upper_line_.get_xydata(), display.lower_line_.get_xydata()
    # Straight lines on logarithmic axes, of slope 1 and 2.
    slopes = [np.polyfit(*np.log(line).T, 1) for line in (upper, lower)]
    assert slopes[0][0] == pytest.approx(1.0)
    assert slopes[1][0] == pytest.approx(2.0)
    k = np.exp((slopes[0][1] - slopes[1][1]) / (slopes[1][0] - slopes[0][0]))
    assert k == pytest.approx(display.bound, rel=1e-6)
    (meeting,) = display.meeting_.get_xydata()
    assert meeting[0] == pytest.approx(display.bound)
    assert meeting[1] == pytest.approx((display.bound * display.gamma) ** 2, rel=1e-6)


def test_no_run_goes_beyond_it():
    X, y = fan(40)
    display = BoundDisplay.from_trace(traced(X, y, fit_intercept=False))
    assert display.k[-1] <= display.bound
    assert display.frame()["floor"].iloc[-1] <= 1.0


def test_one_axes_gets_the_chain_and_two_get_the_cosine_too():
    import matplotlib.pyplot as plt

    display = BoundDisplay.from_trace(traced(*fan(12)))
    _, ax = plt.subplots()
    assert display.plot(ax=ax).cosine_ is None
    _, axes = plt.subplots(2)
    np.testing.assert_allclose(
        display.plot(ax=axes).cosine_.get_xydata(), np.column_stack([display.k, display.cosine])
    )
    with pytest.raises(ValueError, match="one Axes or 2"):
        display.plot(ax=plt.subplots(3)[1])


def test_a_long_run_is_thinned_but_keeps_its_ends():
    k = np.arange(1, 100_001)
    display = BoundDisplay(
        k=k, progress=1.0 * k, squared_norm=1.0 * k * k, cosine=np.ones(len(k)), radius=1000.0,
        gamma=1.0, beta=0.0, eta=1.0, bound=1e6,
    ).plot()  # fmt: skip
    drawn = display.progress_.get_xdata()
    assert len(drawn) <= 2000
    assert (drawn[0], drawn[-1]) == (1, 100_000)


def test_runs_without_a_bound_say_why():
    X, y = clouds(40, 0.3)
    overlapping = PocketPerceptron(record_trace=True, max_iter=2).fit(X, y).trace_
    with pytest.raises(ValueError, match="not separable"):
        BoundDisplay.from_trace(overlapping)
    X, y = clouds(40)
    started = Perceptron(record_trace=True).fit(X, y, coef_init=[[-1.0, 0.0]]).trace_
    with pytest.raises(ValueError, match="did not start at zero"):
        BoundDisplay.from_trace(started)
