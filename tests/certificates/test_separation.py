"""Whether estimates exist: every family against its definition in fractions, and known data."""

from __future__ import annotations

import datetime
from contextlib import nullcontext
from dataclasses import replace
from decimal import Decimal
from typing import ClassVar

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import data
from novikoff import CertificateError, separation
from novikoff.certificates import Separation
from novikoff.certificates.design import Design
from novikoff.certificates.formulas import quoted
from tests.certificates.oracle import nothing_is_few
from tests.certificates.regressions import Regression
from tests.certificates.test_vipr import Reader

VERDICTS = ("estimates exist", "complete separation", "quasi-complete separation")
FAMILIES = ("binomial", "poisson", "multinomial", "ordinal", "conditional", "cox")


def outcomes(draw, family, n):
    """Outcomes of n rows, and what else the family takes."""

    def several(values):
        return draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))

    if family == "binomial":
        return [list(pair) for pair in several([(1, 0), (0, 1), (0, 1), (2, 1)])], {}
    if family == "poisson":
        return several([0, 0, 0, 1, 3]), {}
    if family in ("multinomial", "ordinal"):
        classes = draw(st.integers(2, 3))
        y = several(range(classes))
        y[:classes] = range(classes)
        return y, {}
    if family == "conditional":
        y, groups = several([0, 0, 1]), several([0, 0, 1])
        y[:2], groups[:2] = [0, 1], [0, 0]
        return y, {"groups": groups}
    times, events = several([1, 2, 3, 4, 5]), several([0, 1])
    times[:2], events[0] = [1, 2], 1
    details = {}
    if draw(st.booleans()):
        details["strata"] = several([0, 0, 1])
        details["strata"][:2] = [0, 0]
    if draw(st.booleans()):
        entry = [min(e, t - 1) for e, t in zip(several([0, 1, 2, 3]), times, strict=True)]
        details["entry"] = entry
        entry[1] = 0
    return [list(pair) for pair in zip(times, events, strict=True)], details


@st.composite
def regressions(draw, family):
    """A few rows of small integers, or of decimals whose differences are no doubles."""
    n, d = draw(st.integers(3, 6)), draw(st.integers(1, 1 if family == "multinomial" else 2))
    values = draw(st.sampled_from([[-1, 0, 1], [0, 1], [-2, -1, 0, 1, 2], [0.1, 0.7, 5.3, 0]]))
    X = draw(st.lists(st.lists(st.sampled_from(values), min_size=d, max_size=d),
                      min_size=n, max_size=n))  # fmt: skip
    y, details = outcomes(draw, family, n)
    if draw(st.integers(0, 3)) == 0:
        details["absorb"] = [draw(st.lists(st.sampled_from("aab"), min_size=n, max_size=n))]
    return np.array(X, float), y, draw(st.booleans()), details


def agrees_with_the_definition(family, X, y, fit_intercept, details):
    truth = Regression(family, X.tolist(), y, fit_intercept=fit_intercept, **details)
    for matrix, guesses in ((X, nullcontext), (sp.csr_array(X), nothing_is_few)):
        with guesses():
            result = separation(matrix, y, family=family, fit_intercept=fit_intercept, **details)
        assert result.verdict == truth.verdict
        assert result.separated_rows.tolist() == truth.separated_rows
        assert list(result.coefficients) == truth.coefficients
        assert result.verify(matrix, y, **details)
        again = Separation.from_json(result.to_json())
        assert again.verify(X, y, **details)
        assert again.to_json() == result.to_json()


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_agrees_with_the_definition(family, data):
    agrees_with_the_definition(family, *data.draw(regressions(family)))


@pytest.mark.thorough
@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_agrees_with_the_definition_often(family, data):
    agrees_with_the_definition(family, *data.draw(regressions(family)))


@pytest.mark.parametrize("seed", range(4))
def test_large_groups_have_thresholds(seed):
    """17 chosen and 17 not: that all pairs are ordered is said by 34 rows, not by 289."""
    random = np.random.RandomState(seed)
    X = random.randint(0, 3, (40, 2)).astype(float)
    y, groups = np.r_[np.ones(17), np.zeros(17), [1, 0, 0, 1, 0, 0]], np.r_[[5] * 34, [7] * 6]
    X[:17, 0] += random.choice([1, 2, 3])
    X[34:, 0] = [3, 2, 2, 3, 1, 1]
    result = separation(X, y, family="conditional", groups=groups)
    assert result.proof.shape[0] < 34 + 6 * 6
    agrees_with_the_definition("conditional", X, y.tolist(), False, {"groups": groups.tolist()})


class TestKnownData:
    """Data of which the answer has been published."""

    def frame(self, *path):
        pd = pytest.importorskip("pandas")
        file = data.FOLDER.joinpath("separation", *path)
        if not file.exists():
            pytest.skip(f"{file.name} is not in the data folder")
        return pd.read_csv(file)

    @pytest.mark.parametrize("number", range(1, 19))
    def test_the_poisson_sets_of_ppmlhdfe(self, number):
        """Correia, Guimarães and Zylkin (2019); ids are fixed effects, `separated` is the truth."""
        table = self.frame("poisson", f"{number:02}.csv")
        X = table.drop(columns=["y", "separated"])
        absorb = [name for name in X.columns if name.startswith("id")]
        result = separation(X, table["y"], family="poisson", absorb=absorb)
        assert (~result.keep == table["separated"].to_numpy(bool)).all()
        assert result.verify(X, table["y"], absorb=absorb)
        # What is left has estimates, up to coefficients that nothing is left of.
        rest = separation(X[result.keep], table["y"][result.keep], family="poisson", absorb=absorb)
        assert rest.verdict == "estimates exist"

    def test_endometrial(self):
        """Heinze and Schemper (2002): the estimate of NV is infinite, the others are not."""
        table = self.frame("endometrial.csv")
        result = separation(table[["NV", "PI", "EH"]], table["HG"])
        assert result.verdict == "quasi-complete separation"
        told = result.frame().set_index("name")["estimate"].to_dict()
        assert told == {"NV": "+inf", "PI": "finite", "EH": "finite", "(Intercept)": "finite"}
        assert "Quasi-complete separation" in str(result)
        assert (table["NV"][result.separated_rows] == 1).all()

    def test_lizards(self):
        """detectseparation's vignette: counts of two species, and all estimates are finite."""
        table = self.frame("lizards.csv")
        formula = "grahami + opalinus ~ height + diameter + light + time"
        pytest.importorskip("formulaic")
        result = separation.from_formula(formula, table)
        assert result.verdict == "estimates exist"
        assert set(result.coefficients) == {"finite"}
        assert result.verify(separation.design(formula, table))

    def test_iris(self):
        """Setosa can be separated from both others, which overlap."""
        table = data.FOLDER / "small" / "iris.csv"
        if not table.exists():
            pytest.skip("iris.csv is not in the data folder")
        rows = [line.split(",") for line in table.read_text().split()]
        X, y = np.array([row[:4] for row in rows], float), np.array([row[4] for row in rows])
        result = separation(X, y, family="multinomial")
        assert result.verdict == "quasi-complete separation"
        assert (y[result.separated_rows] == "Iris-setosa").all()
        assert len(result.separated_rows) == 50
        assert result.outcomes == ("Iris-versicolor", "Iris-virginica")
        assert len(result.frame()) == 2 * 5
        assert result.verify(X, y)


def examples():
    """Regressions of each family, some of them separated."""
    x = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    yield "binomial", x, [0, 0, 1, 0, 1, 1], {}
    yield "binomial", x, [0, 0, 1, 1, 1, 1], {}
    yield "poisson", np.minimum(x, 3), [0, 0, 1, 2, 5, 1], {}
    yield "multinomial", x, list("aabbcc"), {}
    yield "ordinal", x, [1, 1, 2, 1, 3, 3], {}
    yield "conditional", x, [0, 1, 0, 1, 0, 0], {"groups": list("ppqqqr")}
    times = [[1, 1], [2, 0], [3, 1], [3, 0], [5, 1], [6, 0]]
    yield "cox", 0.1 * x, times, {"strata": [1, 1, 2, 1, 1, 1], "entry": [0, 1, 0, 0, 0, 4]}
    yield "poisson", x, [0, 0, 1, 0, 0, 2], {"absorb": [list("aabbcc")]}


@pytest.mark.parametrize(("family", "X", "y", "details"), list(examples()))
class TestForgery:
    """Everything that a certificate says is checked, and all of the data."""

    def test_what_it_says(self, family, X, y, details):
        result = separation(X, y, family=family, **details)
        assert result.verify(X, y, **details)
        states = ("finite", "+inf", "-inf", "undetermined", "not identified")
        part = "spanning" if result.proof.separator is None else "separator"
        forgeries = [
            *({"verdict": v} for v in VERDICTS if v != result.verdict),
            *({"coefficients": (s, *result.coefficients[1:])} for s in states
              if s != result.coefficients[0]),
            {"separated_rows": np.setxor1d(result.separated_rows, [0])},
            {"separated_rows": np.setxor1d(result.separated_rows, [5])},
            {"family": next(f for f in FAMILIES if f != family)},
            {"fit_intercept": not result.fit_intercept},
            {"proof": replace(result.proof, **{part: None})},
            {"digest": "0" * 64},
        ]  # fmt: skip
        for forgery in forgeries:
            with pytest.raises((CertificateError, ValueError)):
                replace(result, **forgery).verify(X, y, **details)

    def test_what_it_speaks_of(self, family, X, y, details):
        result = separation(X, y, family=family, **details)
        for i in range(len(y)):
            moved = X.copy()
            moved[i, 0] = np.nextafter(moved[i, 0], np.inf)
            with pytest.raises(CertificateError, match="digest"):
                result.verify(moved, y, **details)
            if y[i] != y[i - 1]:
                other = [*y[:i], y[i - 1], *y[i + 1 :]]
                with pytest.raises(ValueError, match=r"digest|kinds"):
                    result.verify(X, other, **details)


@pytest.mark.parametrize(("family", "X", "y", "details"), list(examples()))
def test_proofs_for_strangers(family, X, y, details, tmp_path):
    """VIPR's question whether any inequality can be strict is that for separation.

    It is asked of the rows that no level of a factor separates alone.
    """
    result = separation(X, y, family=family, **details)
    paths = result.to_vipr(tmp_path / "proof.vipr", X, y, **details)
    files = [Reader(path.read_text()) for path in paths]
    assert all(file.holds() for file in files)
    assert (files[1].claim == "infeas") == (result.proof.verdict == "overlapping")
    if "absorb" not in details:
        assert (files[1].claim == "infeas") == (result.verdict == "estimates exist")
    with pytest.raises(ValueError, match="digest"):
        result.to_vipr(tmp_path / "proof.vipr", 3 * X, y, **details)


def test_what_is_undecided_says_so():
    random = np.random.RandomState(0)
    X, y = random.standard_normal((400, 300)), random.randint(0, 3, 400)
    result = separation(X, y, family="multinomial", time_limit=1e-3)
    assert result.verdict == "undecided"
    assert set(result.coefficients) == {"undecided"}
    assert "Undecided" in str(result)
    assert "time limit" in result.notes[-2]
    assert "rows are the 800 inequalities" in result.notes[-1]  # two per row, for three classes
    assert Separation.from_json(result.to_json()).verdict == "undecided"
    with pytest.raises(CertificateError, match="undecided"):
        result.verify(X, y)
    with pytest.raises(ValueError, match="undecided"):
        result.to_vipr("proof.vipr", X, y)


def test_a_panel_is_as_wide_as_its_other_factors():
    """A Poisson model's largest factor has no columns; levels without a positive y drop out."""
    random = np.random.RandomState(0)
    firm, year = np.arange(3000) % 300, random.randint(0, 4, 3000)
    X, y = random.standard_normal((3000, 2)), random.poisson(1.0, 3000)
    y[firm == 7] = 0
    y[firm == 8] = 0
    result = separation(X, y, family="poisson", absorb=[year, firm])
    assert result.proof.shape[1] == 2 + 3 + 2  # X, years, what is rounded off
    assert result.separated_rows.tolist() == np.flatnonzero(np.isin(firm, [7, 8])).tolist()
    assert result.verify(X, y, absorb=[year, firm])


def test_a_larger_count_is_other_data():
    """It would not change the cone: the digest speaks of the outcomes as they are."""
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 3]
    result = separation(X, y, family="poisson")
    with pytest.raises(CertificateError, match="digest"):
        result.verify(X, [0, 1, 4])


def test_ordered_classes_of_data_frames():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["low", "mid", "mid", "high"]
    order = ["low", "mid", "high"]
    expected = separation(X, [0, 1, 1, 2], family="ordinal")
    for labels in (
        pd.Series(pd.Categorical(y, categories=order, ordered=True)),
        pd.Categorical(y, categories=order, ordered=True),
        pl.Series(y, dtype=pl.Enum(order)),
    ):
        result = separation(X, labels, family="ordinal")
        assert result.coefficients == expected.coefficients
        assert result.names == ("x1", "low/mid", "mid/high")
        assert result.verify(X, labels)
    with pytest.raises(ValueError, match="'top' never occurs"):
        separation(X, pd.Categorical(y, [*order, "top"], ordered=True), family="ordinal")
    with pytest.raises(ValueError, match="whose order is not known"):
        separation(X, pd.Series(y).astype("category"), family="ordinal")
    rated = pd.Series([1, 2, 2, 3]).astype("category")  # numbers have an order of their own
    assert separation(X, rated, family="ordinal").coefficients == expected.coefficients


def test_columns_of_frames_by_name():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns = {"dose": [1.0, 2.0, 1.0, 3.0, 2.0, 2.0], "firm": list("aabbcc")}
    y = [0, 1, 0, 2, 0, 0]
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns)):
        result = separation(frame, y, family="poisson", absorb=["firm"])
        assert result.names == ("dose",)
        assert result.separated_rows.tolist() == [0, 2, 4, 5]
        assert result.verify(frame, y, absorb=["firm"])
        assert result.verify(np.array(columns["dose"])[:, None], y, absorb=[columns["firm"]])
        whole = type(frame)({**columns, "y": y})
        named = separation(whole, "y", family="poisson", absorb=["firm"])
        assert named.digest == result.digest
        with pytest.raises(ValueError, match=r"no column 'form'. There are 'dose', 'firm'"):
            separation(frame, y, family="poisson", absorb=["form"])


def test_which_of_two_classes_is_meant_is_said():
    X, y = [[0.0], [0.0], [1.0]], ["low", "high", "low"]
    result = separation(X, y)  # as numbers in the order of the alphabet
    assert result.coefficients == separation(X, [1, 0, 1]).coefficients == ("+inf", "finite")
    assert result.notes == ("The coefficients are those of the outcome low, against high.",)
    times = np.array([[1, "dead"], [2, "alive"], [3, "dead"]], object)
    for told in (times, ([1, 2, 3], times[:, 1]), ([1, 2, 3], list(times[:, 1]))):
        found = separation(X, told, family="cox")
        assert found.notes == ("dead is an event, alive is none.",)
        assert found.verify(X, told)
    codes = separation(X, ([1, 2, 3], [2, 1, 2]), family="cox")  # as R codes them
    assert codes.notes == ("2 is an event, 1 is none.",)
    assert not separation(X, ([1, 2, 3], [True, False, True]), family="cox").notes
    assert separation(X, [1, -1, 1]).notes == (
        "The coefficients are those of the outcome 1, against -1.",
    )


def test_columns_that_are_dependent_but_for_rounding_are_told_of():
    """Shares that add up to 1 on paper: in tenths they do, as doubles they do not."""
    tenths = np.array([
        [4, 2, 4], [2, 2, 6], [2, 2, 6], [5, 2, 3], [1, 1, 8], [2, 1, 7], [4, 2, 4], [4, 2, 4],
        [4, 3, 3], [5, 1, 4], [1, 3, 6], [2, 1, 7],
    ])  # fmt: skip
    y = [0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1]
    whole = separation(tenths, y)
    assert whole.coefficients == ("not identified",) * 4
    assert not whole.notes
    for X in (tenths / 10, sp.csr_array(tenths / 10)):
        shares = separation(X, y)
        assert shares.verdict == "quasi-complete separation"  # of the doubles
        assert "but for the last digits" in shares.notes[-1].lower()
    assert not separation(tenths[:, :2] / 10, y).notes
    nearly = np.column_stack([tenths[:, 0] / 10, tenths[:, 0] / 10 + 1e-9 * tenths[:, 1]])
    assert not separation(nearly, y).notes
    for scale in (1e-305, 1e-200, 1e200):
        assert not separation(tenths[:, :2] / 10 * scale, y).notes
    assert separation(tenths / 10, y, fit_intercept=False).notes == ()
    cox = separation(tenths / 10, (np.arange(12), np.ones(12)), family="cox")
    assert "but for the last digits" in cox.notes[-1].lower()


def test_without_columns_there_is_an_intercept():
    for X in (np.zeros((4, 0)), sp.csr_array((4, 0))):
        result = separation(X, [0, 1, 0, 1])
        assert result.coefficients == ("finite",)
        assert result.verify(np.zeros((4, 0)), [0, 1, 0, 1])
        assert separation(X, [0, 0, 0, 0], family="poisson").coefficients == ("-inf",)


def test_what_is_absorbed_may_be_all_that_is_infinite():
    x, y = [[1.0], [2.0], [1.0], [4.0], [3.0]], [1, 2, 3, 0, 0]
    result = separation(x, y, family="poisson", absorb=[list("aaabb")])
    assert result.separated_rows.tolist() == [3, 4]
    assert "Every coefficient that was not absorbed has a finite estimate." in str(result)


def test_events_may_come_as_records():
    """As scikit-survival has them: a boolean field and a time."""
    X, time, event = [[0.0], [1.0], [3.0]], [1.0, 2.0, 3.0], [True, False, True]
    record = np.array(list(zip(event, time, strict=True)), [("died", bool), ("days", float)])
    told = [separation(X, y, family="cox") for y in (record, (time, event))]
    assert told[0].digest == told[1].digest
    assert told[0].coefficients == ("-inf",)
    assert told[0].verdict == "complete separation"


@pytest.mark.parametrize(
    ("y", "details", "message"),
    [
        ([0, 1, 0], {"family": "log-binomial"}, "'log-binomial' is none of 'binomial', 'poisson'"),
        ([0, 1, 2], {}, "two kinds; there are 3"),
        ([0, -1, 2], {"family": "poisson"}, "count y of row 1 is -1"),
        ([0, np.inf, 2], {"family": "poisson"}, "count y of row 1 is inf"),
        ([0, np.nan, 2], {"family": "poisson"}, "count y of row 1 is nan"),
        ([[1, 1], [1, -2], [0, 0]], {}, "failures of row 1 is -2"),
        (["a", "b", "c"], {"family": "ordinal"}, "order is not known"),
        ([1, 1, 1], {"family": "multinomial"}, "one class only"),
        ([0, 1, 0], {"family": "conditional"}, "needs groups="),
        ([0, 1, 0], {"family": "conditional", "groups": [1, 2, 3]}, "No group has both"),
        ([0, 1, 0], {"groups": [1, 2, 3]}, "groups=… means nothing"),
        ([[1, 0], [2, 0], [3, 0]], {"family": "cox"}, "no event at all"),
        ([[1, 1], [2, 0], [3, 0]], {"family": "cox", "entry": [0, 2, 0]}, "Row 1 enters at 2"),
        ([[1, 0], [2, 0], [3, 1]], {"family": "cox"}, "nothing to estimate"),
        ([1, 2, 3], {"family": "cox"}, "times and events"),
        ([0, 1, 0], {"names": ["a", "b"]}, "2 names for 1 columns"),
        ([0, 1, 0], {"absorb": ["firm"]}, "no data frame"),
        ([0, 1], {}, "one label per row of X is wanted, 3"),
        ([0, 1, 0], {"family": "conditional", "groups": [1, 2]}, "groups: one label per row"),
        ([0, 1, 0], {"absorb": [["a", None, "b"]]}, "absorb: row 1 has none"),
        ([0.2, 0.5, 1.0], {}, "0.2 is no class. Shares are passed as two columns"),
        ([[0, 1.5], [1, 2.5], [1, 3.0]], {"family": "cox"}, "must be .time, event."),
        ("y", {}, "no data frame"),
        (None, {}, "y is missing"),
    ],
)
def test_refusals(y, details, message):
    with pytest.raises(ValueError, match=message):
        separation([[1.0], [2.0], [4.0]], y, **details)


def test_missing_values_are_refused_with_their_place():
    with pytest.raises(ValueError, match="row 1, column 0"):
        separation([[1.0], [np.nan], [4.0]], [0, 1, 0])


class TestFormula:
    def test_numbers_as_objects_are_no_categories(self):
        pytest.importorskip("formulaic")
        pd = pytest.importorskip("pandas")
        price, size = [Decimal(k) / 4 for k in range(8)], [1, None, 2, 3, 1, 2, 5, 3]
        frame = pd.DataFrame(
            {"y": [0, 1] * 4, "price": price, "size": pd.Series(size, dtype=object)}
        )
        found = separation.from_formula("y ~ price + size", frame)
        plain = separation.from_formula("y ~ price + size", frame.astype(float))
        assert found.to_json() == plain.to_json()
        assert found.names == ("price", "size", "(Intercept)")

    columns: ClassVar = {
        "y": [0, 0, 1, 2, 0, 1], "x": [1.0, 2.0, 3.0, None, 5.0, 6.0], "g": list("aabbbc"),
    }  # fmt: skip

    def test_names_are_names_whatever_they_look_like(self):
        """A point is all other columns, as in R; what is in backticks is looked up."""
        pytest.importorskip("formulaic")
        pd = pytest.importorskip("pandas")
        odd = ["a b", "x~y", "p+q", "{1 / 0}", "log(x)", "2019", "C", "'", "é"]
        columns = {name: np.random.RandomState(k).randn(40) for k, name in enumerate(odd)}
        frame = pd.DataFrame({"y": np.arange(40) % 2, **columns})
        plain = separation(frame[odd], frame["y"])
        for right in (".", quoted(odd)):
            result = separation.from_formula(f"y ~ {right}", frame)
            assert result.names == (*odd, "(Intercept)")
            assert result.coefficients == plain.coefficients
        assert separation.design("`x~y` + `p+q` ~ .", frame).y.shape == (40, 2)
        for name in (
            "a`b",
            "",
            "1",
            "a\\b",
            "Intercept",
        ):  # formulaic takes these for something else
            with pytest.raises(ValueError, match="cannot name the column"):
                quoted([name])

    @pytest.mark.parametrize("library", ["pandas", "polars"])
    def test_rows_are_those_of_the_data(self, library):
        pytest.importorskip("formulaic")
        frame = pytest.importorskip(library).DataFrame(self.columns)
        result = separation.from_formula("y ~ x + C(g)", frame, family="poisson")
        assert result.names == ("x", "C(g)[T.b]", "C(g)[T.c]", "(Intercept)")
        assert result.separated_rows.tolist() == [0, 1, 4]
        assert result.keep.tolist() == [False, False, True, False, False, True]
        assert result.notes == ("1 row of 6 with missing values left out (x: 1).",)
        design = separation.design("y ~ x + C(g)", frame, family="poisson")
        assert result.verify(design)
        absorbed = separation.from_formula("y ~ x", frame, family="poisson", absorb=["g"])
        assert absorbed.separated_rows.tolist() == [0, 1, 4]
        assert absorbed.names == ("x",)

    def test_the_left_side_is_a_column(self):
        pytest.importorskip("formulaic")
        pd = pytest.importorskip("pandas")
        with pytest.raises(ValueError, match="begin with a column of the data"):
            separation.from_formula("log(y) ~ x", pd.DataFrame(self.columns))


@pytest.mark.filterwarnings("ignore")
class TestStatsmodels:
    """A model brings its family, names and design; the answer is that for its arrays."""

    X = np.array([[0.0, 1.0], [0.0, 2.0], [1.0, 2.5], [0.0, 3.0], [1.0, 4.0], [0.0, 2.0]])
    y = np.array([0, 1, 1, 0, 1, 0])

    def models(self):
        sm = pytest.importorskip("statsmodels.api")
        pd = pytest.importorskip("pandas")
        from statsmodels.discrete.conditional_models import ConditionalLogit
        from statsmodels.miscmodels.ordinal_model import OrderedModel

        X, y = pd.DataFrame(self.X, columns=["a", "b"]), pd.Series(self.y, name="y")
        C = sm.add_constant(X)
        binomial, poisson = sm.families.Binomial, sm.families.Poisson
        three, times = np.array([0, 1, 2, 1, 2, 0]), np.array([1.0, 2, 3, 4, 5, 6])
        plain = {"fit_intercept": True}
        yield sm.Logit(y, C), y, plain
        yield sm.Probit(y, C), y, plain
        yield sm.GLM(y, C, family=binomial()), y, plain
        yield (
            sm.GLM(y, X, family=binomial(sm.families.links.CLogLog())),
            y,
            {"fit_intercept": False},
        )
        counts = np.column_stack([self.y, 2 - self.y])
        yield sm.GLM(counts, C, family=binomial()), counts, plain
        yield sm.GLM(y, C, family=poisson(), exposure=times), y, {**plain, "family": "poisson"}
        negative = sm.families.NegativeBinomial(alpha=1.0)  # of counts with a logarithmic link, too
        yield sm.GLM(y, C, family=negative), y, {**plain, "family": "poisson"}
        yield sm.Poisson(y, C), y, {**plain, "family": "poisson"}
        yield sm.MNLogit(three, C), three, {**plain, "family": "multinomial"}
        yield OrderedModel(three, X, distr="logit"), three, {"family": "ordinal"}
        yield sm.PHReg(times, X, status=y), (times, y), {"family": "cox"}
        groups = np.array([0, 0, 1, 1, 2, 2])
        yield ConditionalLogit(y, X, groups=groups), y, {"family": "conditional", "groups": groups}

    def test_models(self):
        for model, y, details in self.models():
            result = separation(model)
            expected = separation(self.X, y, **details)
            assert result.verdict == expected.verdict
            assert result.separated_rows.tolist() == expected.separated_rows.tolist()
            states = [dict(zip(r.names, r.coefficients, strict=False)) for r in (result, expected)]
            assert states[0]["a"] == states[1]["x1"]
            assert states[0]["b"] == states[1]["x2"]
            if details.get("fit_intercept"):
                assert states[0]["const"] == states[1]["(Intercept)"]
            assert result.verify(model)

    def test_results_weights_and_missing_values(self):
        sm = pytest.importorskip("statsmodels.api")
        y = np.array([0, 1, 0, 1, 0, 1])
        X = np.array([[1.0], [2.0], [3.0], [4.0], [np.nan], [6.0]])
        family = sm.families.Binomial()
        kept = sm.GLM(y, X, family=family, missing="drop")
        result = separation(kept.fit())
        assert result.notes == ("statsmodels left out 1 row with missing values.",)
        assert result.n_rows == 6
        assert result.keep.tolist() == [True, True, True, True, False, True]
        weights = [1.0, 1.0, 0.0, 1.0, 1.0, 1.0]
        weighted = separation(sm.GLM(y, X[:, 0] == 1, family=family, freq_weights=weights))
        assert weighted.notes == ("1 row of weight 0 left out.",)
        assert not weighted.keep[2]

    def test_entry_times_as_statsmodels_has_them(self):
        """A row that enters when another fails is at risk there; elsewhere it is not."""
        sm = pytest.importorskip("statsmodels.api")
        times, entry = np.array([1.0, 2.0]), np.array([0.0, 1.0])
        X = np.array([[1.0], [2.0]])
        assert separation(sm.PHReg(times, X, entry=entry)).coefficients == ("-inf",)
        with pytest.raises(ValueError, match="nothing to estimate"):
            separation(X, (times, [1, 1]), family="cox", entry=entry)

    def test_other_models_are_refused(self):
        sm = pytest.importorskip("statsmodels.api")
        families, links = sm.families, sm.families.links
        for family in (families.Gaussian(), families.Binomial(links.Cauchy()),
                       families.Binomial(links.Log())):  # fmt: skip
            with pytest.raises(ValueError, match="is none that can be asked about"):
                separation(sm.GLM(self.y, self.X, family=family))
        with np.errstate(divide="ignore"):
            model = sm.GLM(self.y, self.X, family=sm.families.Poisson(), exposure=0 * self.y)
        with pytest.raises(ValueError, match="exposure of row 0 of the model is not a finite"):
            separation(model)
        with pytest.raises(ValueError, match="OLS is none of the models"):
            separation(sm.OLS(self.y, self.X))
        with pytest.raises(ValueError, match="brings its own outcomes"):
            separation(sm.Logit(self.y, self.X), self.y)


class TestWhatIsRead:
    """What a user passes is what is decided about: nothing is rounded, guessed or left out."""

    X: ClassVar = [[1.0], [2.0], [1.0], [3.0]]
    IDS: ClassVar = [2**60, 2**60, 2**60 + 1, 2**60 + 1]

    @pytest.mark.parametrize("dtype", ["Int64", "UInt64", "int64[pyarrow]"])
    def test_labels_beyond_doubles_are_told_apart(self, dtype):
        pd = pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")
        asked = {"family": "poisson", "absorb": [pd.Series(self.IDS, dtype=dtype)]}
        result = separation(self.X, [1, 2, 0, 0], **asked)
        assert result.separated_rows.tolist() == [2, 3]
        assert result.verify(self.X, [1, 2, 0, 0], absorb=asked["absorb"])

    def test_labels_may_be_any_numbers(self):
        result = separation(self.X, [1, 2, 0, 0], family="poisson", absorb=[[1.1, 1.1, 1.2, 1.2]])
        assert result.separated_rows.tolist() == [2, 3]
        for y in ([0, 0.5, 0.5, 1], np.array([0, 1, 1, 2], object)):
            ordered = separation([[0.0], [1.0], [2.0], [3.0]], y, family="ordinal")
            assert ordered.verdict == "complete separation"

    def test_what_is_missing_is_said_to_be(self):
        pd = pytest.importorskip("pandas")
        y = pd.Series([0, 1, 0, None], dtype="Int64")
        for family, outcomes in (("multinomial", y), ("binomial", [0.0, 1.0, 0.0, np.nan])):
            with pytest.raises(ValueError, match="row 3 has none"):
                separation(self.X, outcomes, family=family)
        masked = np.ma.array(self.X, mask=[[0], [0], [1], [0]])
        with pytest.raises(ValueError, match="Row 2 of X has a masked value"):
            separation(masked, [0, 1, 0, 1])

    def test_times(self):
        pd = pytest.importorskip("pandas")
        X, late = [[1], [0], [0]], 2**53
        for time in ([late, late + 1, late + 1], np.array([late, late + 1, late + 1])):
            with pytest.raises(ValueError, match="beyond 2\\*\\*53"):
                separation(X, (time, [1, 1, 0]), family="cox")
        days = pd.to_datetime(["2020-01-02", "2020-01-03", "2020-01-03"])
        assert separation(X, (days, [1, 1, 0]), family="cox").coefficients == ("+inf",)
        entry = pd.to_datetime(["2019-01-01", "2019-01-01", "2020-01-02"])  # at risk too late
        assert separation(X, (days, [1, 1, 0]), family="cox", entry=entry).separated_rows.size
        with pytest.raises(ValueError, match="time of row 2 is missing"):
            separation(X, (pd.to_datetime(["2020", "2021", None]), [1, 1, 0]), family="cox")
        for times, early in ((days, [0, 0, 0]), ([1, 2, 3], entry)):
            with pytest.raises(ValueError, match="both be dates"):
                separation(X, (times, [1, 1, 0]), family="cox", entry=early)

    def test_times_of_a_formula(self):
        pd = pytest.importorskip("pandas")
        pytest.importorskip("formulaic")
        days = pd.to_datetime(["2020-01-02", "2020-01-03", "2020-01-03"])
        early = pd.to_datetime(["2019-01-01", "2019-01-01", "2020-01-02"])
        frame = pd.DataFrame({"t": days, "e": [1, 1, 0], "x": [1, 0, 0], "from": early})
        for more in ({}, {"entry": "from"}):
            found = separation.from_formula("t + e ~ x - 1", frame, family="cox", **more)
            entry = {"entry": early} if more else {}
            asked = separation([[1], [0], [0]], (days, [1, 1, 0]), family="cox", **entry)
            assert found.separated_rows.tolist() == asked.separated_rows.tolist()
            assert found.coefficients == asked.coefficients
        frame["t"] = [2**53, 2**53 + 1, 2**53 + 1]
        with pytest.raises(ValueError, match="beyond 2\\*\\*53"):
            separation.from_formula("t + e ~ x", frame, family="cox")
        with pytest.raises(ValueError, match="beyond 2\\*\\*53"):
            separation.from_formula("t + e ~ x", frame)

    def test_a_formula_says_what_it_says(self):
        pl = pytest.importorskip("polars")
        pytest.importorskip("formulaic")
        frame = pl.DataFrame({"y": [0, 0, 1, 1], "x": [1, 2, 3, 4]})
        assert separation.from_formula("y ~ x", frame.lazy()).verdict == "complete separation"
        with pytest.raises(ValueError, match="leave out names"):
            separation.from_formula("y ~ x", frame, names=["a"])

    def test_columns_of_one_name_are_refused(self):
        pd = pytest.importorskip("pandas")
        for columns in (["a", "y", "y"], ["a", "a", "y"]):
            frame = pd.DataFrame([[1, 0, 1], [2, 1, 0]], columns=columns)
            with pytest.raises(ValueError, match="two columns named"):
                separation(frame, "y")
        empty = pd.DataFrame({"y": [0, 1]})
        assert separation(empty, "y").names == separation(empty[[]], [0, 1]).names

    def test_a_question_of_its_own_takes_nothing_beside_it(self):
        design = Design(np.array(self.X), [0, 1, 0, 1])
        for more in ({"y": [0, 1, 1, 1]}, {"family": "poisson"}, {"absorb": [list("abab")]},
                     {"groups": np.arange(4)}, {"fit_intercept": False},
                     {"names": ["dose"]}):  # fmt: skip
            with pytest.raises(ValueError, match=f"leave out {next(iter(more))}"):
                separation(design, **more)

    def test_a_column_called_as_the_constant_is(self):
        pd = pytest.importorskip("pandas")
        pytest.importorskip("formulaic")
        frame = pd.DataFrame({"y": [0, 0, 1, 1], "Intercept": [-1, -2, 3, 4]})
        for formula in ("y ~ 0 + Intercept", "y ~ ."):
            with pytest.raises(ValueError, match="cannot name the column 'Intercept'"):
                separation.from_formula(formula, frame)

    def test_rows_of_a_frame_may_have_one_label(self):
        pd = pytest.importorskip("pandas")
        pytest.importorskip("formulaic")
        parts = [{"y": [0, 1, 0], "x": [1, 2, 3.0]}, {"y": [1, 1, 0], "x": [2, None, 5]}]
        result = separation.from_formula("y ~ x", pd.concat(map(pd.DataFrame, parts)))
        assert result.rows.tolist() == [0, 1, 2, 3, 5]

    @pytest.mark.parametrize("library", ["pandas", "polars"])
    def test_what_a_formula_cannot_make_numbers_of(self, library):
        frames = pytest.importorskip(library)
        pytest.importorskip("formulaic")
        days = [datetime.datetime(2020 + k, 1, 1) for k in range(5)]
        frame = frames.DataFrame({"x": [1.0, 2, 3, None, 5], "y": [0, 1, 0, 1, 1], "t": days})
        with (
            np.errstate(invalid="ignore"),
            pytest.raises(ValueError, match=r"np\.log\(x-1\.5\)' is not a number at row 0"),
        ):
            separation.from_formula("y ~ np.log(x-1.5)", frame)
        assert separation.from_formula("y ~ x", frame).rows.tolist() == [0, 1, 2, 4]
        with pytest.raises(ValueError, match="column 't' holds dates"):
            separation.from_formula("y ~ t", frame)
        assert separation.from_formula("y ~ C(t)", frame).verdict == "complete separation"

    def test_a_class_of_statsmodels_that_never_occurs(self):
        pd, sm = pytest.importorskip("pandas"), pytest.importorskip("statsmodels.api")
        y = pd.Series(pd.Categorical(list("abababab"), categories=list("abz")))
        with pytest.raises(ValueError, match="'z' never occurs"):
            separation(sm.MNLogit(y, sm.add_constant(np.array([1.0, 2, 3, 1, 2, 5, 4, 3]))))

    def test_a_result_without_its_data(self):
        sm = pytest.importorskip("statsmodels.api")
        X = np.random.RandomState(0).standard_normal((40, 2))
        fitted = sm.Logit((np.arange(40) % 2).astype(float), X).fit(disp=0)
        fitted.remove_data()
        with pytest.raises(ValueError, match="no data any more"):
            separation(fitted)

    def test_a_fit_under_constraints_is_another_question(self):
        sm = pytest.importorskip("statsmodels.api")
        family = sm.families.Binomial()
        X = np.random.RandomState(0).standard_normal((40, 2))
        model = sm.GLM((np.arange(40) % 2).astype(float), X, family=family)
        with pytest.raises(ValueError, match="under constraints"):
            separation(model.fit_constrained("x1 = 0"))


class TestAnotherQuestion:
    """A proof that holds is refused where it answers something else than was asked."""

    X: ClassVar = np.array([[1.0], [2.0], [3.0], [4.0]])
    Y: ClassVar = [0, 0, 1, 1]

    def test_an_intercept_more(self):
        result = separation(self.X, self.Y)
        assert result.verify(self.X, self.Y)
        with pytest.raises(CertificateError, match="another fit_intercept"):
            result.verify(self.X, self.Y, fit_intercept=False)
        with pytest.raises(CertificateError, match="another fit_intercept"):
            result.verify(Design(self.X, self.Y, fit_intercept=False))

    def test_a_version_is_a_number(self):
        text = separation(self.X, self.Y).to_json()
        for version in ("true", "1.0"):
            with pytest.raises(ValueError, match="reads version 1"):
                Separation.from_json(text.replace('"version": 1', f'"version": {version}', 1))

    def test_another_family(self):
        with pytest.raises(CertificateError, match="family"):
            separation(self.X, self.Y).verify(Design(self.X, self.Y, "poisson"))

    def test_other_names(self):
        pd = pytest.importorskip("pandas")
        frame = pd.DataFrame({"dose": [1.0, 2, 3, 4], "age": [3.0, 1, 4, 1]})
        result = separation(frame, self.Y)
        swapped = replace(result, names=("age", "dose", "(Intercept)"))
        assert result.verify(frame, self.Y)
        assert swapped.verify(frame.to_numpy(), self.Y)  # an array has no names
        with pytest.raises(CertificateError, match="another names"):
            swapped.verify(frame, self.Y)
        several = separation(self.X, list("abca"), family="multinomial")
        turned = replace(several, outcomes=several.outcomes[::-1])
        with pytest.raises(CertificateError, match="another outcomes"):
            turned.verify(self.X, list("abca"))

    def test_other_rows(self):
        design = Design(
            self.X, self.Y, rows=np.array([0, 2, 3, 5]), n_rows=6, names=("x",), notes=("told",)
        )
        result = separation(design)
        assert result.separated_rows.tolist() == [0, 2, 3, 5]
        assert result.verify(design)
        for forged in (
            replace(result, n_rows=5000),
            replace(result, rows=np.arange(4), separated_rows=np.arange(4)),
            replace(result, rows=None, separated_rows=np.arange(4)),
            replace(result, separated_rows=np.array([0, 1, 3, 5])),
        ):
            with pytest.raises(CertificateError, match=r"[Rr]ow"):
                forged.verify(design)
        with pytest.raises(CertificateError, match="row"):
            result.verify(self.X, self.Y)
