"""The engine in the page against the library: what it computes is the same to the bit.

What is not unique (an obstruction, a support) is verified in exact arithmetic instead; margins and
bounds must lie within the library's certified intervals.
"""

import json
import math
import random
import shutil
import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import novikoff
from novikoff import Hyperplane, Trace
from tests.web.engine import Engine, Refusal, question_of

LINEAR = {
    "last": novikoff.Perceptron,
    "margin": novikoff.Perceptron,
    "averaged": novikoff.AveragedPerceptron,
    "voted": novikoff.VotedPerceptron,
    "pocket": novikoff.PocketPerceptron,
    "aggressive": novikoff.PassiveAggressiveClassifier,
}
FEW, MANY = range(30), range(30, 700)
LINE = {"left": -5, "right": 4.5, "bottom": -3, "top": 5}


@pytest.fixture(scope="module")
def engine():
    node = shutil.which("node")
    if node is None:
        pytest.skip("the engine is JavaScript, and there is no node to run it")
    engine = Engine(node)
    yield engine
    engine.close()


# ---------------------------------------------------------------------------- the library


def arrays(points):
    X = np.array([(point["x"], point["y"]) for point in points], float)
    return X, np.array([point["label"] for point in points])


def fitted(question, epochs):
    """The library's estimator for a question, given so many epochs."""
    chosen, (X, y) = question["settings"], arrays(question["points"])
    shared = {
        "ties": chosen["ties"], "order": chosen["order"], "max_iter": epochs,
        "random_state": chosen["seed"],
    }  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        if chosen["algorithm"] == "kernel":
            kernel = dict(chosen["kernel"])
            name = kernel.pop("name")
            return novikoff.KernelPerceptron(kernel=name, **kernel, **shared).fit(X, y)
        own = {
            "eta0": chosen["eta"], "margin": chosen["margin"] * (chosen["algorithm"] == "margin")
        }  # fmt: skip
        if chosen["algorithm"] == "aggressive":  # computes its step, and asks whether y s < 1
            own = {"C": chosen["C"]}
            shared.pop("ties")
        start = chosen.get("start") or [0, 0, 0]
        return LINEAR[chosen["algorithm"]](
            fit_intercept=chosen["offset"], record_trace=True, **own, **shared
        ).fit(
            X, y, coef_init=[start[:2]],
            intercept_init=[start[2]] if chosen["offset"] else None,
        )  # fmt: skip


def epochs_of(question, answer):
    return answer["n_epochs"] if answer["truncated"] else question["settings"]["epochs"]


def wrong(theta, offset, X, y):
    """(K,): how many points each hypothesis has wrong; the signs of the library are exact."""
    return [
        int((y * Hyperplane(t, float(b)).scores(X) <= 0).sum())
        for t, b in zip(theta, offset, strict=True)
    ]


# ------------------------------------------------------------------------------- the run


def assert_same_run(question, answer):
    clf = fitted(question, epochs_of(question, answer))
    trace = clf.trace_
    document = trace.document()
    document["classes"] = {"negative": "-1", "positive": "+1"}
    theirs = {k: v for k, v in answer["trace"].items() if k != "bound"}
    assert theirs == document
    assert answer["status"] == clf.status_
    assert (answer["n_updates"], answer["n_epochs"]) == (clf.n_updates_[0], clf.n_iter_)
    assert answer["alpha"] == clf.mistake_counts_.tolist()
    return clf, trace


def assert_same_model(question, answer, clf, trace):
    X, y = arrays(question["points"])
    theta, offset = trace.hypotheses()
    each = wrong(theta, offset, X, y)
    assert answer["errors"] == each
    algorithm, total = question["settings"]["algorithm"], len(X) * epochs_of(question, answer)
    if algorithm == "voted":
        assert answer["survival"] == clf.survival_times_[0].tolist()
        assert answer["model_errors"] == votes_wrong(theta, offset, trace.t, X, y)
        return
    assert answer["model"]["theta"] == clf.coef_[0].tolist()
    assert answer["model"]["offset"] == (float(clf.intercept_[0]) if clf.fit_intercept else 0.0)
    found = wrong(clf.coef_, np.atleast_1d(answer["model"]["offset"]), X, y)
    assert [answer["model"]["errors"]] == found
    if algorithm == "averaged":
        assert answer["survival"] == np.diff([1, *trace.t, total + 1]).tolist()
        # The mean after update k is what a run that ended there would have returned.
        both = np.column_stack([theta, offset])
        moved = np.diff(both, axis=0, prepend=both[:1]) * np.array([0, *trace.t])[:, None]
        sums = np.cumsum(moved, axis=0)
        means = both - sums / (1.0 + np.array([0, *trace.t]))[:, None]
        assert answer["averaged"]["sums"] == sums[:, :2].tolist()
        assert answer["model_errors"] == wrong(means[:, :2], means[:, 2], X, y)
    if algorithm == "pocket":
        k, error = trace.replacements
        at = np.searchsorted(k, np.arange(len(each)), side="right") - 1
        assert answer["model_errors"] == error[at].tolist()
        assert answer["model"]["k"] == k[-1]


def votes_wrong(theta, offset, t, X, y):
    """How many points the vote has wrong right after each update, at which the new one has 1."""
    votes, found = np.zeros(len(y)), [len(y)]
    for k in range(len(t)):
        for at, weight in ((k, t[k] - (t[k - 1] if k else 1)), (k + 1, 1)):
            plane = Hyperplane(theta[at], float(offset[at]))
            now = weight * y * plane.predict(X)
            if at == k:
                votes += now
        found.append(int((votes + now <= 0).sum()))
    return found


# --------------------------------------------------------------------------- what is known


def assert_known(engine, question, answer, trace):
    (X, y), offset = arrays(question["points"]), question["settings"]["offset"]
    verdict = answer["verdict"]
    assert verdict["kind"] == novikoff.separability(X, y, fit_intercept=offset).verdict
    exact = engine.ask("exact", points=question["points"], offset=offset)
    if verdict["kind"] == "separable":
        assert_street(X, y, offset, verdict["street"], exact["street"])
        if trace is not None:
            assert_bound(X, y, offset, answer, trace)
        return
    assert_obstruction(X, y, offset, verdict["obstruction"], exact["obstruction"])
    assert answer["bound"]["value"] is None
    assert (verdict["weak"] is not None) == (verdict["kind"] == "quasi-separable")
    if verdict["weak"] is not None:
        assert_weak(X, y, offset, verdict["weak"], exact["weak"]["exact"])


def signed_rows(X, y, offset):
    """The y (x, 1), or y x through the origin, as fractions."""
    rows = np.column_stack([X, np.ones(len(X))]) if offset else X
    return [[int(label) * Fraction(v) for v in row] for row, label in zip(rows, y, strict=True)]


def dot(a, b):
    return sum(one * other for one, other in zip(a, b, strict=True))


def total_of(rows, weights):
    return [dot(weights, [row[j] for row in rows]) for j in range(len(rows[0]))]


def assert_obstruction(X, y, offset, shown, exact):
    weights = [int(weight) for weight in exact["weights"]]
    chosen = [signed_rows(X, y, offset)[row] for row in exact["rows"]]
    assert all(weight > 0 for weight in weights)
    assert not any(total_of(chosen, weights))
    assert len(weights) <= (4 if offset else 3)
    assert shown["rows"] == exact["rows"]
    assert sorted(shown["positive"] + shown["negative"]) == shown["rows"]
    if offset:
        plus = [(w, X[row]) for w, row in zip(weights, exact["rows"], strict=True) if y[row] > 0]
        middle = [
            sum(w * Fraction(x[j]) for w, x in plus) / sum(w for w, _ in plus) for j in (0, 1)
        ]
        assert shown["point"] == [float(part) for part in middle]


def assert_weak(X, y, offset, shown, exact):
    theta = [Fraction(int(part)) for part in exact]
    products = [dot(theta, row) for row in signed_rows(X, y, offset)]
    assert min(products) == 0 < max(products)
    both = np.array([*shown["theta"], shown["offset"]][: len(theta)])
    scale = max(map(abs, theta))
    assert np.allclose(both / abs(both).max(), [float(part / scale) for part in theta], atol=1e-15)


def assert_street(X, y, offset, shown, exact):
    """It lies half way between the nearest points of the hulls, and its margin is rounded down."""
    certified = novikoff.max_margin(X, y, fit_intercept=offset)
    assert certified.margin <= shown["margin"] <= certified.upper_bound
    weights = [Fraction(int(weight)) for weight in exact["weights"]]
    assert all(weight > 0 for weight in weights)
    support = shown["support"]
    signs = [int(y[row]) for row in support]
    every = signed_rows(X, y, False)
    v = total_of([every[row] for row in support], weights)
    square = sum(part**2 for part in v)
    products = [dot(v, row) for row in every]
    if offset:  # v is a difference of points of the hulls, and the hulls are no nearer along it
        total = sum(weights) / 2
        assert dot(weights, signs) == 0
        low, high = (
            min(products[row] for row in np.flatnonzero(y > 0)),
            max(-products[row] for row in np.flatnonzero(y < 0)),
        )
        assert (low - high) * total == square
        middle, margin = -(low + high) / 2, square / (2 * total) ** 2
    else:  # v is a point of the hull, and no point is nearer to the origin along it
        total = sum(weights)
        assert min(products) * total == square
        middle, margin = Fraction(0), square / total**2
    above = math.nextafter(shown["margin"], math.inf)
    assert Fraction(shown["margin"]) ** 2 <= margin < Fraction(above) ** 2
    scale = Fraction(max(map(abs, shown["theta"]))) / max(map(abs, v))
    assert shown["theta"] == pytest.approx([float(part * scale) for part in v], rel=1e-14)
    assert shown["offset"] == pytest.approx(float(middle * scale), rel=1e-14)


def assert_bound(X, y, offset, answer, trace):
    lifted = np.column_stack([X, np.ones(len(X))]) if offset else X
    certified = novikoff.max_margin(lifted, y, fit_intercept=False)
    audit = trace.audit(max_margin=certified)
    bound = answer["bound"]
    if trace.rule == "PA-I":  # of its theorem the page says nothing
        assert not bound["covered"]
        assert audit.holds is not False, audit.violation
        return
    assert bound["covered"] == audit.covered
    assert bound["radius"] == audit.radius
    if not audit.covered:
        return
    assert audit.holds
    assert certified.margin <= bound["margin"] <= certified.upper_bound
    least = audit.bound * (certified.margin / certified.upper_bound) ** 2
    assert least * (1 - 1e-15) <= bound["value"] <= audit.bound
    if not len(trace):
        assert answer["proof"] is None
        return
    unit, proof = audit.eta**2, {name: np.array(part) for name, part in answer["proof"].items()}
    assert np.allclose(proof["least"], audit.progress_bound**2 / unit, rtol=1e-6, atol=0)
    assert np.allclose(proof["norm"], audit.squared_norm / unit, rtol=1e-12, atol=0)
    assert np.allclose(proof["most"], audit.squared_norm_bound / unit, rtol=1e-12, atol=0)
    assert np.allclose(proof["floor"], audit.cosine_bound, rtol=1e-6, atol=0)
    # Both sides are sums that may cancel; the library says how far off they may be.
    off = 2 * audit.progress_allowance + 1e-6 * abs(audit.progress)
    assert (abs(np.sqrt(proof["progress"] * unit) - abs(audit.progress)) <= off).all()
    assert (abs(proof["cosine"] - audit.cosine) * np.sqrt(audit.squared_norm) <= off).all()


# ------------------------------------------------------------------------------ the tests


def compare(engine, question):
    answer = engine.ask("run", **question)
    clf, trace = assert_same_run(question, answer)
    assert_same_model(question, answer, clf, trace)
    assert_known(engine, question, answer, trace)


def refused(engine, question):
    """Whether the library refuses the settings; then the engine must, with the same words."""
    try:
        fitted(question, 1)
    except ValueError as error:
        words = str(error)
    else:
        return False
    with pytest.raises(Refusal) as found:
        engine.ask("run", **question)
    assert str(found.value) == words
    return True


def test_a_score_is_the_exact_sum_rounded_once(engine):
    rng = random.Random(0)

    def double(low, high):
        return rng.choice((-1, 1)) * math.ldexp(rng.random(), rng.randint(low, high))

    cases = []
    for _ in range(3000):
        a, b, x, y = (double(*rng.choice(((-3, 3), (-80, 80), (-540, -500)))) for _ in range(4))
        # What nearly cancels the products, or lies half way between two doubles beside them.
        c = rng.choice((0.0, -(a * x), -(a * x) - b * y, a * x * 2.0**53, double(-60, 60)))
        level = rng.choice((0.0, 0.0, c, double(-3, 3)))
        cases.append(([a, b, c], x, y, level))
    for (theta, x, y, level), found in zip(cases, engine.ask("scores", cases=cases), strict=True):
        exact = dot(map(Fraction, theta), map(Fraction, (x, y, 1))) - Fraction(level)
        tiny = math.copysign(5e-324, exact) if exact else 0.0  # a sign is never rounded away
        assert found == (float(exact) or tiny)


@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e-160])
def test_points_that_hardly_differ_are_still_decided(engine, scale):
    places = [(scale, 0.0, 1), (-scale, 0.0, -1), (0.0, 3 * scale, 1)]
    answer = engine.ask("known", points=[{"x": x, "y": y, "label": z} for x, y, z in places])
    assert answer["verdict"]["kind"] == "separable"
    if scale > 1e-308:
        found = novikoff.max_margin([place[:2] for place in places], [z for *_, z in places])
        assert found.margin <= answer["verdict"]["margin"] <= found.upper_bound


@pytest.mark.parametrize("algorithm", LINEAR)
def test_every_answer_is_the_librarys(engine, algorithm):
    for seed in FEW:
        question = question_of(seed, algorithm)
        if not refused(engine, question):
            compare(engine, question)


@pytest.mark.thorough
@pytest.mark.parametrize("algorithm", LINEAR)
def test_thousands_of_answers_are_the_librarys(engine, algorithm):
    for seed in MANY:
        question = question_of(seed, algorithm)
        if not refused(engine, question):
            compare(engine, question)


@pytest.mark.thorough
@pytest.mark.parametrize("algorithm", LINEAR)
@pytest.mark.parametrize("seed", range(2))
def test_two_thousand_points(engine, algorithm, seed):
    question = question_of(seed, algorithm, sizes=(500, 2000))
    question["settings"]["epochs"] = 2
    if not refused(engine, question):
        compare(engine, question)


@pytest.mark.parametrize("algorithm", ["last", "pocket"])
def test_a_run_too_long_for_an_answer_is_one_of_fewer_epochs(engine, algorithm):
    question = question_of(3, algorithm, kinds=("whole",), sizes=(60,))
    question["settings"] |= {"ties": "mistake", "epochs": 2000, "order": "shuffled"}
    for point in question["points"][::2]:  # contradictory, so that it never ends
        point["label"] = -point["label"]
    answer = engine.ask("run", **question)
    assert answer["truncated"]
    assert "updates are the most" in answer["why"]
    compare(engine, question)
    assert answer["n_updates"] <= 5000 < int(fitted(question, answer["n_epochs"] + 1).n_updates_[0])


# ---------------------------------------------------------------------------- the kernel


def kernel_question(seed, kernel, kinds):
    question = question_of(seed, "kernel", kinds=kinds)
    question["settings"]["kernel"] = kernel
    return question


def assert_same_dual(engine, question):
    answer = engine.ask("run", **question)
    clf = fitted(question, epochs_of(question, answer))
    row, step, time = clf.updates()
    updates = answer["dual"]["updates"]
    assert (updates["row"], updates["step"], updates["t"]) == (
        row.tolist(), step.tolist(), time.tolist(),
    )  # fmt: skip
    assert (answer["status"], answer["n_epochs"]) == (clf.status_, clf.n_iter_)
    assert_known(engine, question, answer, None)
    return answer


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_a_kernel_of_whole_numbers_is_exact(engine, degree):
    kernel = {"name": "poly", "degree": degree, "gamma": 2.0, "coef0": 1.0}
    for seed in range(15):
        question = kernel_question(seed, kernel, ("whole", "touching"))
        answer = assert_same_dual(engine, question)
        X, y = arrays(question["points"])
        values = (2 * X.astype(int) @ X.astype(int).T + 1).astype(object) ** degree
        scores = np.zeros(len(y), object)
        errors = [len(y)]
        for e, row in enumerate(answer["dual"]["updates"]["row"]):
            assert answer["dual"]["updates"]["score_before"][e] == scores[row]
            scores = scores + int(y[row]) * values[row]
            assert answer["dual"]["updates"]["score_after"][e] == scores[row]
            errors.append(int((y * scores <= 0).sum()))
        assert answer["errors"] == errors


def nearest_to_zero(question, answer):
    """The smallest |score| that a run with the RBF kernel decided by, after its first update."""
    X, y = arrays(question["points"])
    gamma = question["settings"]["kernel"]["gamma"]
    values = np.exp(-gamma * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    made = dict(zip(answer["dual"]["updates"]["t"], answer["dual"]["updates"]["row"], strict=True))
    orders = answer["dual"]["orders"] or [range(len(y))] * answer["n_epochs"]
    scores, least = np.zeros(len(y)), np.inf
    for t, row in enumerate((row for order in orders for row in order), start=1):
        if scores.any():
            least = min(least, abs(scores[row]))
        if t in made:
            scores += y[row] * values[row]
    return least


def test_the_rbf_kernel_decides_alike_where_no_score_is_near_zero(engine):
    kernel = {"name": "rbf", "gamma": 0.7, "degree": 3, "coef0": 1.0}
    compared = 0
    for seed in range(40):
        question = kernel_question(seed, kernel, ("whole", "real", "tenths"))
        if nearest_to_zero(question, engine.ask("run", **question)) > 1e-9:
            assert_same_dual(engine, question)
            compared += 1
    assert compared >= 20


# ---------------------------------------------------------------- what students are shown


def plain_question(algorithm="last", **chosen):
    question = question_of(5, algorithm, kinds=("tenths",), sizes=(12,))
    return question | {"settings": question["settings"] | {"ties": "mistake"} | chosen}


@pytest.mark.parametrize(
    ("algorithm", "ties"),
    # The sign rule knows no margin.
    [(algorithm, "mistake") for algorithm in LINEAR] + [("last", "sign"), ("pocket", "sign")],
)
def test_files_say_what_the_library_says(engine, algorithm, ties):
    question = plain_question(algorithm, ties=ties, start=None)
    clf = fitted(question, question["settings"]["epochs"])
    trace = replace(clf.trace_, classes=("-1", "+1"))
    assert engine.ask("export", **question, kind="markdown")["text"] == trace.markdown(None)
    saved = Trace.from_json(engine.ask("export", **question, kind="trace")["text"])
    assert saved.row.tolist() == trace.row.tolist()
    assert np.array_equal(saved.final[0], trace.final[0])
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        exec(engine.ask("export", **question, kind="python")["text"], names)
    assert np.array_equal(names["clf"].coef_, clf.coef_)
    assert np.array_equal(names["clf"].intercept_, clf.intercept_)


@pytest.mark.parametrize("offset", [True, False])
def test_a_students_table_is_right_or_wrong_in_the_row_that_is(engine, offset):
    question = plain_question(offset=offset, epochs=5)
    trace = fitted(question, 5).trace_
    table = trace.frame().round(4)
    answer = engine.ask("check", **question, table=table.to_csv(index=False))
    assert answer["right"]
    assert answer["right_rows"] == len(trace)
    assert engine.ask("check", **question, table=trace.markdown(None))["right"]
    changed = table.copy()
    changed.loc[2, "theta_1"] += 0.5
    answer = engine.ask("check", **question, table=changed.to_csv(index=False))
    assert (answer["wrong"]["step"], answer["wrong"]["what"]) == (3, "wrong")
    assert [cell["column"] for cell in answer["wrong"]["cells"]] == ["theta_1"]
    shorter = engine.ask("check", **question, table=table[:-1].to_csv(index=False))
    assert (shorter["wrong"]["step"], shorter["wrong"]["what"]) == (len(trace), "missing")
    longer = table.loc[[*table.index, table.index[-1]]].to_csv(index=False, sep=";")
    assert engine.ask("check", **question, table=longer)["wrong"]["what"] == "surplus"


def test_challenges_are_solved_exactly_when_they_are(engine):
    for seed in range(60):
        question = question_of(seed, "last", sizes=(2, 3, 5))
        question["settings"]["ties"] = "mistake"
        X, y = arrays(question["points"])
        lines = [
            novikoff.separability(X, y, fit_intercept=offset).verdict == "separable"
            for offset in (True, False)
        ]
        answer = engine.ask("challenge", **question, name="offset")
        assert answer["solved"] == (lines == [True, False])
        trace = fitted(question, question["settings"]["epochs"]).trace_
        answer = engine.ask("challenge", **question, name="undershoot")
        assert answer["solved"] == bool((trace.y * trace.score_after <= 0).any())


@pytest.mark.parametrize("algorithm", [*LINEAR, "kernel"])
def test_the_plane_is_shaded_as_it_is_predicted(engine, algorithm):
    kernel = {"name": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0}
    question = plain_question(algorithm, epochs=4, kernel=kernel)
    size = 24
    answer = engine.ask("field", **question, window=LINE, size=size)
    clf = fitted(question, 4)
    x = LINE["left"] + (LINE["right"] - LINE["left"]) * (np.arange(size) + 0.5) / size
    y = LINE["bottom"] + (LINE["top"] - LINE["bottom"]) * (np.arange(size) + 0.5) / size
    grid = np.column_stack([np.tile(x, size), np.repeat(y, size)])
    if algorithm == "averaged":  # the share of the votes is what is shown
        clf = fitted(question | {"settings": question["settings"] | {"algorithm": "voted"}}, 4)
    values = np.array(answer["values"])
    sides = np.where(clf.predict(grid) > 0, 1, -1)
    assert (np.sign(values)[values != 0] == sides[values != 0]).all()
    assert np.abs(values).max() == 127


def test_what_the_page_offers_can_be_run(engine):
    offered = engine.ask("presets")
    for preset in offered["presets"]:
        question = {"points": preset["points"], "settings": preset["settings"]}
        compare(engine, question)
    assert {challenge["name"] for challenge in offered["challenges"]} == {"undershoot", "offset"}


def test_nothing_to_learn_from_is_no_error(engine):
    assert engine.ask("run", points=[])["verdict"]["kind"] == "empty"
    alone = engine.ask("run", points=[{"x": 1, "y": 2, "label": 1}])
    assert (alone["verdict"]["kind"], alone["status"]) == ("one class", "idle")
    Trace.from_json(json.dumps(alone["trace"]))


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ({}, "points"),
        ({"points": [{"x": 1, "y": 2}]}, "points[0].label"),
        ({"points": [{"x": "1", "y": 2, "label": 1}]}, "points[0].x"),
        ({"points": [{"x": 1e10, "y": 2, "label": 1}]}, "points[0].x"),
        ({"points": [], "settings": {"eta": 0}}, "settings.eta"),
        ({"points": [], "settings": {"kernel": {"degree": 1.5}}}, "settings.kernel.degree"),
        ({"points": [], "shape": 1}, "shape"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused_by_its_field(engine, question, field):
    with pytest.raises(Refusal, match=r"^" + field.replace("[", r"\[").replace("]", r"\]") + ": "):
        engine.ask("run", **question)
