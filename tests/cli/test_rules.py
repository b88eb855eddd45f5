"""`--rule`, of `novikoff fit` and `novikoff trace`: other rules than the perceptron's."""

import json
import re
from fractions import Fraction

import numpy as np
import pytest

from novikoff import OnlineClassifier, PassiveAggressiveClassifier, Trace, load, rules
from novikoff.analysis.steps import compare_table
from novikoff.cli.training import CLASSES, estimator, impossible
from tests.cli.helpers import document, inside, pairs

PLAIN = ("--no-scale", "--holdout", 0, "--shuffle", 0)
FAMILY = {
    "alma": (rules.ALMA(alpha=0.5), ("alpha=0.5",)),
    "romma": (rules.ROMMA(), ()),
    "aromma": (rules.ROMMA(aggressive=True), ()),
    "second-order": (
        rules.SecondOrder(a=2.0, covariance="full"), ("a=2", "covariance=full")
    ),
    "cw": (rules.ConfidenceWeighted(eta=0.9), ("eta=0.9",)),
    "scw": (rules.SoftConfidenceWeighted(C=0.5), ("C=0.5",)),
    "scw2": (rules.SoftConfidenceWeighted(eta=0.6, variant="II"), ("eta=0.6",)),
    "nherd": (rules.NHERD(C=0.1), ("C=0.1",)),
}  # fmt: skip
LOSS = {"pa": "hinge", "pa2": "squared_hinge"}


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """Rows that overlap, in a CSV file: (path, X, y)."""
    random = np.random.RandomState(5)
    X = random.randint(-99, 100, (150, 3)) / 8.0
    y = np.where(X[:, 0] + 4.0 * random.normal(size=len(X)) > 0, "up", "down")
    path = tmp_path_factory.mktemp("rules") / "rows.csv"
    lines = [",".join([*map(repr, x), label]) for x, label in zip(X.tolist(), y, strict=True)]
    path.write_text("a,b,c,label\n" + "\n".join(lines) + "\n")
    return path, X, y


@pytest.mark.parametrize(
    ("model", "keep", "rule"),
    [("last", "last", "pa"), ("averaged", "mean", "pa2"), ("voted", "vote", "pa"),
     ("pocket", "pocket", "pa")],
)  # fmt: skip
def test_it_is_the_library_that_trains(rows, tmp_path, model, keep, rule):
    path, X, y = rows
    out = tmp_path / "model"
    found = document(
        "fit", path, *PLAIN, "--rule", rule, "--C", 0.1, "--model", model, "--epochs", 3, "--out",
        out,
    )  # fmt: skip
    ours = OnlineClassifier(
        rules.PassiveAggressive(0.1, LOSS[rule]), keep=keep, order="cyclic", max_iter=3
    ).fit(X, y)
    stored = load(out)[-1]
    np.testing.assert_array_equal(stored.decision_function(X), ours.decision_function(X))
    assert stored.learning_rule.get_params() == {"C": 0.1, "loss": LOSS[rule]}
    assert (found["model"], found["C"]) == (model, 0.1)
    assert found["rule"] == {"pa": "PA-I", "pa2": "PA-II"}[rule]
    assert found["updates"] == ours.n_updates_.sum()
    assert found["progressive_error"] == ours.progressive_error_
    assert found["separable"]["bound"] is None


@pytest.mark.parametrize(
    "name", ["arow", *(pytest.param(name, marks=pytest.mark.thorough) for name in FAMILY)]
)
def test_every_rule_has_a_name(rows, tmp_path, name):
    path, X, y = rows
    rule, told = FAMILY.get(name, (rules.AROW(r=0.25), ("r=0.25",)))
    options = [word for each in told for word in ("--set", each)]
    found = document("fit", path, *PLAIN, "--rule", name, *options, "--out", tmp_path / "m")
    ours = OnlineClassifier(rule, keep="mean", order="cyclic").fit(X, y)
    np.testing.assert_array_equal(load(tmp_path / "m")[-1].coef_, ours.coef_)
    assert found["rule"] == rule.noted()["rule"]
    assert found["parameters"] == rule.noted()["parameters"]


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_rule_that_errs_least_while_it_learns(rows):
    path, X, y = rows
    told = {"order": "cyclic", "max_iter": 1}
    errors = {
        name: OnlineClassifier(rule, **told).fit(X, y).progressive_error_
        for name, rule in {
            "perceptron": rules.Perceptron(), "pa": rules.PassiveAggressive(),
            "arow": rules.AROW(), "scw": rules.SoftConfidenceWeighted(),
        }.items()
    }  # fmt: skip
    best = min(errors, key=errors.get)
    done = inside("fit", path, *PLAIN, "--rule", "auto", "--json")
    assert f"rule: {best}, by the progressive error of one epoch: " in done.stderr
    named = document("fit", path, *PLAIN, "--rule", best)
    assert json.loads(done.stdout)["updates"] == named["updates"]


def test_people_are_told_the_rule_and_the_progressive_error(rows):
    path, X, y = rows
    said = pairs(inside("fit", path, *PLAIN, "--rule", "pa").stdout)
    ours = PassiveAggressiveClassifier(order="cyclic", average=True).fit(X, y)
    assert said["rule"] == "PA-I, C = 1"
    assert said["progressive error"].startswith(f"{100 * ours.progressive_error_:.1f} %")
    assert said["status"] == "epoch limit: the last epoch still made updates"
    assert pairs(inside("fit", path, *PLAIN, "--rule", "pa2", "--C", "inf").stdout)["rule"] == "PA"
    plain = pairs(inside("fit", path, *PLAIN).stdout)
    assert "rule" not in plain
    assert "progressive error" in plain
    # With three classes one against the rest nothing is predicted while learning.
    assert document("fit", "iris", "--rule", "pa")["progressive_error"] is None
    assert document("fit", "iris", "--multi-class", "joint")["progressive_error"] > 0


def test_that_no_row_asks_for_an_update_does_not_prove_that_rows_are_separable():
    """A row of zeros asks a rule that divides by its length for nothing, on whichever side."""
    text = "0 1:0\n1 1:0\n" + "0 1:-1\n1 1:1\n" * 4
    found = document("fit", "-", "--rule", "pa", "--through-origin", "--holdout", 0, stdin=text)
    assert found["status"] == "separated"
    assert found["separable"]["verdict"] is False


def test_a_checkpoint_belongs_to_its_rule(rows, tmp_path):
    path, X, y = rows
    state, out = tmp_path / "state", tmp_path / "model"
    options = ("fit", path, *PLAIN, "--rule", "pa", "--epochs", 2, "--checkpoint", state)
    first = document(*options)
    again = document(*options, "--out", out)
    ours = PassiveAggressiveClassifier(order="cyclic", average=True, max_iter=2).fit(X, y)
    assert first["updates"] == again["updates"] == ours.n_updates_.sum()
    np.testing.assert_array_equal(load(out)[-1].coef_, ours.coef_)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fit", "--rule", "pa", "--eta0", 2), "--eta0 means nothing to --rule pa."),
        (("fit", "--rule", "pa2", "--ties", "sign"), "--ties means nothing to --rule pa2."),
        (("fit", "--rule", "pa", "--margin", 1), "--margin means nothing to --rule pa."),
        (("fit", "--C", 2), "--C means nothing to --rule perceptron"),
        (("fit", "--rule", "pa", "--C", 0), "must be a number above 0"),
        (("fit", "--rule", "pa", "--C", "nan"), "must be a number above 0"),
        *(
            (("fit", "--rule", "pa", "--model", kind), f"--model {kind} has no --rule pa")
            for kind in ("margin", "max-margin", "kernel")
        ),
        (
            ("fit", "--rule", "pa", "--model", "pocket", "--checkpoint", "nowhere"),
            "--model pocket is not possible on a stream: the pocket measures",
        ),
        (("trace", "sonar", "--rule", "pa", "--margin", 1), "--margin means nothing to --rule pa."),
        (("trace", "sonar", "--C", 1), "--C means nothing to --rule perceptron"),
        (
            ("trace", "sonar", "--rule", "arow"),
            "--rule arow leaves no trace: a trace",
        ),
        (
            ("fit", "--rule", "arow", "--C", 1),
            "C means nothing to --rule arow. It has covariance, r.",
        ),
        (("fit", "--rule", "romma", "--set", "b=1"), "b means nothing to --rule romma."),
        (("fit", "--rule", "auto", "--C", 1), "name it instead of --rule auto"),
        (("trace", "sonar", "--rule", "auto"), "--rule auto is for novikoff fit"),
        (("fit", "--rule", "cw", "--set", "eta"), "a parameter is set by NAME=VALUE"),
        (("fit", "--rule", "cw", "--set", "eta=0.5"), "'eta' parameter of ConfidenceWeighted"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments, said):
    told = inside(*arguments, code=2).stderr
    assert said in " ".join(told.replace("│", " ").split())


def test_the_help_names_what_learns_from_a_stream():
    settings = {"epochs": 1, "seed": 0, "order": "cyclic", "ties": "mistake", "margin": None}
    models = {kind: estimator(kind, **settings) for kind in CLASSES}
    streamed = [k for k, model in models.items() if impossible(model, k, "stream") is None]
    told = " ".join(inside("fit", "--help").stdout.split())
    *most, last = streamed
    assert f"{', '.join(most)} and {last} learn from files larger than memory" in told


# ------------------------------------------------------------------------------ trace

SQUARED = {"pa": lambda loss, square, C: min(C, loss / square),
           "pa2": lambda loss, square, C: loss / (square + 1 / (2 * C))}  # fmt: skip
NUMBER = r"\(?(-?\d[\d.]*(?:e[+-]?\d+)?)\)?"


@pytest.mark.parametrize("rule", ["perceptron", "pa", "pa2"])
@pytest.mark.parametrize("origin", [True, False])
def test_every_step_with_its_arithmetic(four, rule, origin):
    """What the table says is read back, and computed again in fractions."""
    more = () if rule == "perceptron" else ("--rule", rule, "--C", 0.125)
    arguments = ("trace", four, *more, "--epochs", 3, *["--through-origin"] * origin)
    told = Trace.from_json(inside(*arguments, "--json").stdout)
    text = inside(*arguments, "--format", "markdown").stdout
    heads, _, *lines = [line for line in text.splitlines() if line.startswith("|")]
    assert len(lines) == len(told)
    assert ("τ" in heads) == ("‖x̃‖²" in text) == bool(more)
    if not more:
        assert told.rule == "perceptron"
        return
    assert (told.rule, told.parameters) == ({"pa": "PA-I", "pa2": "PA-II"}[rule], {"C": 0.125})
    ours = OnlineClassifier(
        rules.PassiveAggressive(0.125, LOSS[rule]), order="cyclic", max_iter=3,
        fit_intercept=not origin, record_trace=True,
    )  # fmt: skip
    X = told.examples.X
    assert told.final[0].tolist() == ours.fit(X, told.examples.side).coef_[0].tolist()
    for e, line in enumerate(lines):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        m = Fraction(re.search(rf"[=≈] {NUMBER} < 1$", cells[5])[1])
        arithmetic, sign, tau = re.fullmatch(rf"(.*) ([=≈]) {NUMBER}", cells[6]).groups()
        numbers = [Fraction(n) for n in re.findall(r"-?\d[\d.e-]*", arithmetic)]
        square = sum(Fraction(v) ** 2 for v in X[told.row[e]]) + (not origin)
        assert numbers == ([Fraction(1, 8), 1, m, square] if rule == "pa" else
                           [1, m, square, 1, 2, Fraction(1, 8)])  # fmt: skip
        exact = SQUARED[rule](1 - m, square, Fraction(1, 8))
        assert (sign == "=") == (exact == Fraction(tau))
        assert float(tau) == pytest.approx(float(exact), rel=1e-15)
        assert float(tau) == abs(told.step[e])
        assert f" + {tau}·({told.y[e]:+d})·(" in cells[7]


def test_weights_multiply_C_and_the_table_says_so(four):
    X, y = [[2.0, 1.0], [-1.0, 2.0], [3.0, -4.0]], [1, 0, 1]
    clf = PassiveAggressiveClassifier(C=0.125, order="cyclic", max_iter=1, record_trace=True)
    trace = clf.fit(X, y, sample_weight=[0.5, 1.0, 1.0]).trace_
    text = trace.markdown()
    assert "C = 0.125 times the example's weight" in text
    assert "| min(C, (1 - 0)/6) ≈ 0.0625 |" in text
    assert "times the example's weight" not in clf.fit(X, y).trace_.markdown()


def test_a_table_made_by_hand_may_have_the_step(four, tmp_path):
    ours = ("trace", four, "--rule", "pa", "--C", "inf", "--epochs", 1)
    whole = tmp_path / "whole.md"
    whole.write_text(inside(*ours, "--format", "markdown").stdout)
    assert "All right" in inside(*ours, "--check", whole).stdout
    told = Trace.from_json(inside(*ours, "--json").stdout)
    table = "k,tau,theta_1\n" + "".join(
        f"{k},{abs(step)!r},{theta!r}\n"
        for k, step, theta in zip(
            told.k.tolist(), told.step.tolist(), told.hypotheses()[0][1:, 0].tolist(), strict=True
        )
    )
    assert compare_table(told, table).wrong is None
    wrong = compare_table(told, table.replace("1,0.1666", "1,0.2666", 1)).wrong
    assert [cell["column"] for cell in wrong["cells"]] == ["tau"]
    assert wrong["cells"][0]["expected"].startswith("(1 - 0)/6 ")
