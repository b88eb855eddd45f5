"""Updates, as drawn and as they were."""

import re
import shutil

import numpy as np
import pytest

from novikoff import AveragedPerceptron, PassiveAggressiveClassifier, Perceptron, Trace
from novikoff.displays import BoundDisplay, ThetaSpaceDisplay, TraceDisplay
from tests.displays.data import arrow_ends, clouds, fan, on_screen, traced


def test_hypotheses_are_those_of_the_trace():
    X, y = fan(12)
    trace = traced(X, y, fit_intercept=False)
    display = TraceDisplay.from_trace(trace)
    np.testing.assert_array_equal(display.theta, trace.hypotheses()[0])
    assert display.frame()["row"].tolist() == trace.row.tolist()


@pytest.mark.parametrize("d", [2, 5])
def test_the_angle_turned_is_the_arc_cosine(d):
    random = np.random.RandomState(0)
    X = random.randn(40, d)
    y = (X[:, 0] + 0.2 * X[:, 1] > 0.1).astype(int)
    trace = traced(X, y)
    display = TraceDisplay.from_trace(trace)
    theta = trace.hypotheses()[0]
    norms = np.linalg.norm(theta, axis=1)
    cosines = np.sum(theta[1:-1] * theta[2:], axis=1) / norms[1:-1] / norms[2:]
    np.testing.assert_allclose(display.angle[1:], np.arccos(cosines), atol=1e-7)
    assert np.isnan(display.angle[0])  # from theta = 0


def test_the_arc_is_as_wide_as_the_angle_and_the_step_is_the_difference():
    X, y = fan(12)
    display = TraceDisplay.from_trace(traced(X, y, fit_intercept=False))
    for k in range(2, display.n_updates + 1):
        display.plot(k=k)
        arc = display.arc_.get_xydata()  # around the origin, where all lines meet
        ends = arc[[0, -1]] / np.linalg.norm(arc[[0, -1]], axis=1)[:, None]
        assert np.arccos(ends[0] @ ends[1]) == pytest.approx(display.angle[k - 1], abs=1e-6)
        before, after = arrow_ends(display.theta_before_), arrow_ends(display.theta_after_)
        step = arrow_ends(display.step_)
        np.testing.assert_allclose(step, [before[1], after[1]])
        # and points along y x, the example, as the update does
        example = display.points[display.position[k - 1]] * display.y[k - 1]
        along = step[1] - step[0]
        cosine = along @ example / np.linalg.norm(along) / np.linalg.norm(example)
        assert cosine == pytest.approx(1.0)


@pytest.mark.parametrize("units", [(1.0, 1.0), (100.0, 0.1)])
def test_theta_is_perpendicular_to_its_line_before_and_after(units):
    X, y = clouds(30, 2.0)
    display = TraceDisplay.from_trace(traced(X * units, y))
    seen = 0
    for k in range(1, min(display.n_updates, 12) + 1):
        display.plot(k=k)
        for line, arrow in (
            (display.before_, display.theta_before_),
            (display.after_, display.theta_after_),
        ):
            if line is None or arrow is None:
                continue
            a, b = on_screen(display.ax_, line.get_xydata())
            c, d = on_screen(display.ax_, arrow_ends(arrow))
            cosine = (b - a) @ (d - c) / np.linalg.norm(b - a) / np.linalg.norm(d - c)
            assert abs(cosine) < 1e-5
            seen += 1
    assert seen > 0


def test_arrows_stay_in_the_window():
    X, y = clouds(30, 2.0)
    display = TraceDisplay.from_trace(traced(X, y))
    for k in range(1, display.n_updates + 1):
        display.plot(k=k)
        for arrow in (display.theta_before_, display.theta_after_):
            if arrow is not None:
                low, high = display.box
                ends = arrow_ends(arrow)
                assert (low <= ends).all()
                assert (ends <= high).all()


def test_an_update_that_undershoots_says_so():
    # One update cannot undo many: the first row is long, the second short.
    X, y = [[10.0, 0.0], [1.0, 1.0]], [1, 0]
    trace = traced(X, y, fit_intercept=False)
    display = TraceDisplay.from_trace(trace)
    np.testing.assert_array_equal(display.undershot, trace.y * trace.score_after <= 0)
    k = int(np.argmax(display.undershot)) + 1
    assert display.undershot.any()
    assert "undershot" in display.caption(k)
    display.plot(k=k)
    assert "undershot" in display.ax_.get_title(loc="left")


@pytest.mark.parametrize("ties", ["mistake", "sign"])
def test_undershooting_follows_the_run_s_own_rule(ties):
    X, y = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.5]], [0, 1, 1]
    trace = traced(X, y, fit_intercept=False, ties=ties)
    display = TraceDisplay.from_trace(trace)
    for k in range(len(trace)):
        s, side = trace.score_after[k], trace.y[k]
        wrong = side * s <= 0 if ties == "mistake" else (1 if s >= 0 else -1) != side
        assert display.undershot[k] == wrong


def test_the_start_at_zero_is_an_undivided_plane():
    X, y = clouds(12, 2.0)
    display = TraceDisplay.from_trace(traced(X, y)).plot(k=0)
    assert len(display.half_spaces_) == 1
    assert display.after_ is display.theta_after_ is None
    assert "no boundary" in display.ax_.get_title(loc="left")


def test_four_features_are_seen_in_the_heaviest_two():
    random = np.random.RandomState(2)
    X = random.randn(60, 4)
    y = (3 * X[:, 3] - 2 * X[:, 1] > 0).astype(int)
    display = TraceDisplay.from_trace(traced(X, y), feature_names=["a", "b", "c", "d"])
    assert display.names == ("b", "d")
    assert "mean of the other 2" in display.plot().ax_.get_title(loc="left")


def test_a_run_is_shown_in_so_many_panels():
    X, y = fan(12)
    display = TraceDisplay.from_trace(traced(X, y, fit_intercept=False))
    assert display.n_updates == 10
    assert len(display.plot_run().axes_) == 10
    shown = display.plot_run(panels=4).axes_
    titles = [ax.get_title(loc="left") for ax in shown]
    assert titles[0].startswith("1: row")
    assert titles[-1].startswith("10: row")
    assert len(titles) == 4


def test_a_run_without_updates_is_its_start():
    X, y = clouds(10)
    clf = Perceptron(record_trace=True).fit(X, y, coef_init=[[1.0, 1.0]], intercept_init=[-2.0])
    display = TraceDisplay.from_trace(clf.trace_)
    assert display.n_updates == 0
    assert "Start" in display.plot().ax_.get_title(loc="left")
    assert len(display.plot_run().axes_) == 1


def test_a_gif_has_a_frame_per_update_and_one_for_the_start(tmp_path):
    from PIL import Image

    X, y = fan(12)
    display = TraceDisplay.from_trace(traced(X, y, fit_intercept=False))
    for options, n_frames in (({}, 11), ({"max_frames": 5}, 5)):
        display.animate(tmp_path / "run.gif", dpi=50, **options)
        with Image.open(tmp_path / "run.gif") as image:
            assert image.n_frames == n_frames


def test_a_page_needs_nothing_but_itself(tmp_path):
    X, y = fan(12)
    labels = np.where(y, "</script><script>alert(1)", "no")
    display = TraceDisplay.from_trace(traced(X, labels, fit_intercept=False))
    display.animate(tmp_path / "run.html", dpi=50)
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=.(https?:)?//|url\(|@import|\bfetch\b", page)
    assert page.count("data:image/png;base64,") == 11 + 1  # and the first, before any script
    assert "<script>alert" not in page
    assert page.count("</script>") == 2


def test_mp4_without_ffmpeg_says_what_to_do(tmp_path):
    import matplotlib as mpl

    mpl.rcParams["animation.ffmpeg_path"] = "no-such-program"
    display = TraceDisplay.from_trace(traced(*fan(12), fit_intercept=False))
    with pytest.raises(RuntimeError, match=r"needs the program ffmpeg.*\.gif or \.html"):
        display.animate(tmp_path / "run.mp4")


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="needs the program ffmpeg")
def test_mp4(tmp_path):
    TraceDisplay.from_trace(traced(*fan(12), fit_intercept=False)).animate(tmp_path / "run.mp4")
    assert b"ftyp" in (tmp_path / "run.mp4").read_bytes()[:12]


def test_other_suffixes_are_refused(tmp_path):
    display = TraceDisplay.from_trace(traced(*fan(12), fit_intercept=False))
    with pytest.raises(ValueError, match=r"\.gif, \.mp4 or \.html"):
        display.animate(tmp_path / "run.png")


def test_an_update_that_was_not_is_refused():
    display = TraceDisplay.from_trace(traced(*fan(12), fit_intercept=False))
    with pytest.raises(ValueError, match=r"0 \.\.\. 10"):
        display.plot(k=11)


@pytest.mark.parametrize("kind", [TraceDisplay, BoundDisplay, ThetaSpaceDisplay])
def test_of_several_hyperplanes_one_is_to_be_chosen(kind):
    random = np.random.RandomState(0)
    y = np.arange(60) % 3
    X = random.randn(60, 2) + 9.0 * np.array([[0, 1], [1, 0], [-1, -1]])[y]
    traces = Perceptron(record_trace=True, fit_intercept=False).fit(X, y).trace_
    with pytest.raises(ValueError, match=r"3 hyperplanes.*trace_\[0\] to trace_\[2\]"):
        kind.from_trace(traces)
    assert kind.from_trace(traces[0]).plot().ax_ is not None


@pytest.mark.parametrize("kind", [BoundDisplay, ThetaSpaceDisplay, TraceDisplay])
def test_a_class_of_a_joint_run_has_no_picture(kind):
    X, y = clouds(30)[0], np.arange(30) % 3
    joint = AveragedPerceptron(multi_class="joint", max_iter=3, record_trace=True).fit(X, y)
    with pytest.raises(ValueError, match="one of several joint classes"):
        kind.from_trace(joint.trace_[0])


def test_the_chain_of_the_perceptron_is_not_drawn_of_another_rule():
    X, y = clouds(30)
    pa = PassiveAggressiveClassifier(record_trace=True).fit(X, y)
    with pytest.raises(ValueError, match="the numbers of PA-I"):
        BoundDisplay.from_trace(pa.trace_)


def test_a_trace_without_its_examples_says_what_to_do():
    trace = traced(*fan(12), fit_intercept=False)
    bare = Trace.from_json(trace.to_json(examples=False))
    with pytest.raises(ValueError, match="with_examples"):
        TraceDisplay.from_trace(bare)
