"""The table a student hands in: its arithmetic is read back and checked."""

import re
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given

from novikoff import Perceptron, PocketPerceptron
from tests.examples import examples
from tests.test_reference import data_sets, options
from tests.test_seeds import LABELS, POINTS, SHIFTED, SHIFTED_LABELS

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

NUMBER = r"\(?(-?\d[\d.]*(?:e[+-]?\d+)?)\)?"


def rendered(text):
    """The cells of the table, as GitHub would render them; and the other blocks."""
    MarkdownIt = pytest.importorskip("markdown_it").MarkdownIt
    html = MarkdownIt("commonmark").enable("table").render(text)
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    cells = [[c.replace("&lt;", "<").replace("&gt;", ">") for c in row] for row in cells]
    rest = re.sub(r"<table>.*?</table>", "", html, flags=re.DOTALL)
    return cells, re.findall(r"<p>(.*?)</p>", rest, re.DOTALL)


def vector(text):
    return [Fraction(v) for v in text.split(", ")]


def check_arithmetic(trace, cells):
    """Every claim of the table, in fractions."""
    heads, *rows = cells
    assert len(rows) == len(trace)
    theta = vector(", ".join(map(str, trace.start_theta.tolist())))
    offset = Fraction(trace.start_offset)
    for e, row in enumerate(rows):
        assert len(row) == len(heads)
        k, epoch, t, number, y = (int(v) for v in row[:5])
        assert (k, epoch, t) == (e + 1, trace.epoch[e], trace.t[e])
        assert (number, y) == (trace.row[e], trace.y[e])
        x = [Fraction(float(v)) for v in np.asarray(trace.examples.X[number])]

        score = re.fullmatch(rf"([+-]1)·\((.*)\) = {NUMBER} ([≤<]) {NUMBER}", row[5])
        side, sum_, value, relation, beta = score.groups()
        assert int(side) == y
        total = Fraction(0)
        terms = sum_.split(" + ")
        for j, term in enumerate(terms[: len(x)]):
            a, b = re.fullmatch(f"{NUMBER}·{NUMBER}", term).groups()
            assert (Fraction(a), Fraction(b)) == (theta[j], x[j])
            total += Fraction(a) * Fraction(b)
        if trace.fit_intercept:
            assert Fraction(re.fullmatch(NUMBER, terms[-1]).group(1)) == offset
            total += offset
        assert Fraction(value) == y * total
        assert Fraction(beta) == Fraction(trace.margin)
        assert y * total <= Fraction(beta) if relation == "≤" else y * total < Fraction(beta)

        update = re.match(r"θ = \((.*?)\) \+ (\S+?)·\(([+-]1)\)·\((.*?)\) = \((.*?)\)", row[6])
        before, step, side, added, after = update.groups()
        assert vector(before) == theta
        assert vector(added) == x
        assert int(side) == y
        assert Fraction(step) == Fraction(trace.eta)
        theta = [a + Fraction(step) * y * b for a, b in zip(theta, x, strict=True)]
        assert vector(after) == theta
        if trace.fit_intercept:
            moved = re.search(rf"θ₀ = {NUMBER} \+ (\S+?)·\(([+-]1)\) = {NUMBER}$", row[6])
            assert Fraction(moved.group(1)) == offset
            offset += Fraction(step) * y
            assert Fraction(moved.group(4)) == offset
        then = sum((a * b for a, b in zip(theta, x, strict=True)), offset)
        assert Fraction(row[7]) == y * then
    return theta, offset


@pytest.mark.parametrize("points", [(POINTS, LABELS), (SHIFTED, SHIFTED_LABELS)])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize(
    "rule", [{}, {"margin": 2.0}, {"ties": "correct", "margin": 1.5}, {"eta0": 0.5}]
)
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_the_arithmetic_of_the_seeds_examples(points, fit_intercept, rule, order):
    X, y = np.array(points[0], float), points[1]
    clf = Perceptron(
        fit_intercept=fit_intercept, order=order, max_iter=12, record_trace=True, **rule
    ).fit(X, y)
    trace = clf.trace_
    cells, paragraphs = rendered(trace.markdown(limit=None))
    theta, offset = check_arithmetic(trace, cells)
    assert theta == [Fraction(v) for v in clf.coef_[0]]
    assert offset == clf.intercept_[0]
    last = paragraphs[-1]
    assert ("Separated" in last) == (clf.status_ == "separated")
    assert re.search(rf"\b{clf.n_updates_[0]} updates? in {clf.n_iter_} epochs?;", last)
    assert vector(re.search(r"θ = \((.*?)\)", last).group(1)) == theta


def test_the_sign_rule_compares_predictions():
    clf = Perceptron(ties="sign", order="cyclic", record_trace=True)
    trace = clf.fit(np.array(SHIFTED, float), SHIFTED_LABELS).trace_
    (heads, *rows), _ = rendered(trace.markdown())
    assert heads[5] == "mistake: h ≠ y"
    for row, y, s in zip(rows, trace.y, trace.score_before, strict=True):
        found = re.fullmatch(rf"s = .* = {NUMBER}, h = ([+-]1) ≠ y", row[5])
        assert float(found.group(1)) == s
        assert int(found.group(2)) == -y == (1 if s >= 0 else -1)


@examples(30)
@given(data_sets(), options)
def test_equal_signs_are_right_as_printed(data, o):
    """Where a result was rounded the table says ≈, never =."""
    X, y = data
    trace = PocketPerceptron(**o, record_trace=True).fit(X, y).trace_
    (_, *rows), _ = rendered(trace.markdown(None)) if len(trace) else ([[]], [])
    for row in rows:
        update = row[6].split(";")[0]
        found = re.fullmatch(
            r"θ = \((.*?)\) \+ (\S+?)·\((.*?)\)·\((.*?)\) ([=≈]) \((.*?)\)", update
        )
        before, step, side, x, equals, after = found.groups()
        exact = [
            a + Fraction(step) * int(side) * b
            for a, b in zip(vector(before), vector(x), strict=True)
        ]
        assert (exact == vector(after)) == (equals == "=")
        by_sign = re.fullmatch(rf"s = (.*?) ([=≈]) {NUMBER}, h .*", row[5])
        by_score = re.fullmatch(rf"[+-]1·\((.*)\) ([=≈]) {NUMBER} [≤<] .*", row[5])
        terms, equals, value = (by_sign or by_score).groups()
        total = sum(
            np.prod([Fraction(v) for v in re.findall(r"-?\d[\d.]*(?:e[+-]?\d+)?", term)])
            for term in terms.split(" + ")
        )
        factor = 1 if by_sign else int(row[4])
        assert (factor * total == Fraction(value)) == (equals == "=")


def test_the_pocket_has_a_column():
    random = np.random.RandomState(0)
    X, y = random.randint(-4, 5, (30, 2)).astype(float), random.randint(0, 2, 30)
    trace = PocketPerceptron(max_iter=3, record_trace=True).fit(X, y).trace_
    (heads, *rows), paragraphs = rendered(trace.markdown(None))
    assert heads[-1] == "pocket"
    k, error = trace.replacements
    found = {int(r[0]): r[-1] for r in rows if r[-1]}
    assert found == {int(a): f"in: error {int(b)}" for a, b in zip(k[1:], error[1:], strict=True)}
    assert f"in the pocket: error {int(error[0])}" in " ".join(paragraphs)
    assert f"hypothesis {k[-1]}, with error {int(error[-1])}" in paragraphs[-1]


def test_wide_rows_and_long_runs_are_abridged():
    random = np.random.RandomState(0)
    X, y = random.randint(-3, 4, (40, 9)), random.randint(0, 2, 40)
    for form in (X, sp.csr_array(X)):
        trace = Perceptron(max_iter=9, record_trace=True).fit(form, y).trace_
        (_, *rows), paragraphs = rendered(trace.markdown(limit=3))
        assert len(rows) == 3
        assert paragraphs[-2] == f"… {len(trace) - 3} more updates."
        theta = trace.hypotheses()[0]
        for row, new in zip(rows, theta[1:], strict=False):
            shown = ", ".join([*(str(int(v)) for v in new[:3]), "…", str(int(new[-1]))])
            assert f"= ({shown})" in row[6]
            assert "≈" not in row[5]  # whole numbers
        assert len(trace.markdown(0)) < len(trace.markdown(1)) < len(trace.markdown(None))


def test_labels_are_text_and_nothing_else():
    y = np.array(["a|b *c*", "<i>_x_"])[[0, 1, 0]]
    trace = Perceptron(record_trace=True).fit([[1.0], [-1.0], [2.0]], y).trace_
    cells, paragraphs = rendered(trace.markdown())
    assert paragraphs[0].startswith(
        "<strong>a|b *c*</strong> (y = +1) against <strong>&lt;i&gt;_x_</strong> (y = -1)"
    )
    assert all(len(row) == 8 for row in cells)


def test_weights_multiply_the_step():
    clf = Perceptron(order="cyclic", record_trace=True)
    trace = clf.fit([[1.0], [-1.0]], [0, 1], sample_weight=[1.0, 2.5]).trace_
    text = trace.markdown()
    assert "times the example's weight" in text
    assert "θ = (-1) + 2.5·(+1)·(-1) = (-3.5)" in text


@pytest.mark.parametrize("status", ["separated", "epoch_limit", "early_stopped"])
def test_the_last_line_says_how_the_run_ended(status):
    random = np.random.RandomState(0)
    X = random.standard_normal((40, 2))
    y = (X[:, 0] > 0) ^ (random.uniform(size=40) < 0.2 * (status != "separated"))
    clf = Perceptron(
        early_stopping=status == "early_stopped", n_iter_no_change=2, record_trace=True
    ).fit(X, y)
    assert clf.status_ == status
    said = {
        "separated": "made no mistake", "epoch_limit": "At its limit of epochs",
        "early_stopped": "Stopped early",
    }  # fmt: skip
    assert said[status] in clf.trace_.markdown().splitlines()[-1]


@pytest.mark.parametrize("ties", ["mistake", "sign"])
def test_a_class_of_a_joint_run_is_told_with_the_other_that_moved(ties):
    X, y = np.random.RandomState(3).randint(-5, 6, (12, 2)).astype(float), np.arange(12) % 3
    clf = PocketPerceptron(multi_class="joint", ties=ties, max_iter=3, record_trace=True).fit(X, y)
    for trace in clf.trace_:
        (heads, *rows), texts = rendered(trace.markdown(None))
        assert heads[5:] == ["s = θ·x + θ₀", "update", "s after", "other class", "pocket"]
        assert "y·s" not in " ".join(texts)
        theta, offset = trace.hypotheses()
        for e, (row, cells) in enumerate(zip(trace.row, rows, strict=True)):
            for cell, k in ((cells[5].split(" = ")[-1], e), (cells[7], e + 1)):
                assert Fraction(cell) == Fraction(float(theta[k] @ X[row] + offset[k]))
            assert cells[8] == trace.other[e]
