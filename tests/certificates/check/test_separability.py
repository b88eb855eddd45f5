"""Certificates of separability worked out on paper pass, and every tampering is named.

z_i stands for y_i (x_i, 1), or y_i x_i through the origin, as in `certificates/check`.
"""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction as F
from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff.certificates.check import (
    CertificateError,
    check_separability,
    digest,
)
from novikoff.certificates.parts import Combination, Separator
from novikoff.certificates.results import Separability
from tests.examples import examples


def comb(rows, weights):
    return Combination(np.array(rows, np.int64), tuple(weights))


def plane(theta, offset=0.0):
    return Separator(np.array(theta, object), offset)


def certify(X, y, verdict, *, fit_intercept=True, overlap=None, **parts):
    fields = dict.fromkeys(("separator", "obstruction", "spanning", "infinite", "evidence"))
    fields |= parts
    rows = None if overlap is None else np.array(overlap, np.int64)
    X = np.array(X, float)
    cert = Separability(
        verdict=verdict,
        overlap_rows=rows,
        fit_intercept=fit_intercept,
        shape=X.shape,
        digest=digest(X, y),
        **fields,
    )
    return SimpleNamespace(X=X, y=np.array(y), cert=cert)


# On a line: - - + +
SEPARABLE = certify([[0], [1], [3], [4]], [-1, -1, 1, 1], "separable", separator=plane([1.0], -2.0))
SEPARABLE_CORE = certify(  # theta > 0 since z_1 + z_2 = (2, 0); theta = 1, offset in (-3, -1) only
    SEPARABLE.X,
    SEPARABLE.y,
    "separable",
    separator=plane([1.0], -2.0),
    overlap=[],
    infinite=("+inf", "-inf"),
    evidence=(comb([1, 2], [F(1, 2)] * 2), comb([0], [1])),
)
# On a line: - + - +. -(0, 1) + 2 (1, 1) - (2, 1) = 0, and (0, 1) and (2, 1) span the plane.
OVERLAPPING = certify(
    [[0], [1], [2], [3]],
    [-1, 1, -1, 1],
    "overlapping",
    obstruction=comb([0, 1, 2], [1, 2, 1]),
    spanning=comb([0, 1, 2], [1, 2, 1]),
    overlap=[0, 1, 2, 3],
    infinite=("finite", "finite"),
    evidence=(None, None),
)
# The same in quarters.
FRACTIONS = certify(
    [[0], [0.25], [0.5], [3]],
    OVERLAPPING.y,
    "overlapping",
    obstruction=OVERLAPPING.cert.obstruction,
    spanning=OVERLAPPING.cert.spanning,
    overlap=[0, 1, 2, 3],
    infinite=("finite", "finite"),
    evidence=(None, None),
)
# On a line: - and then - + at the same place, and then +.
QUASI = certify(
    [[0], [1], [1], [2]],
    ["no", "no", "yes", "yes"],
    "quasi-separable",
    separator=plane([F(1, 3)], F(-1, 3)),
    obstruction=comb([1, 2], [F(2, 3), F(2, 3)]),
    spanning=comb([1, 2], [1, 1]),
    overlap=[1, 2],
    infinite=("+inf", "-inf"),
    evidence=(comb([1, 3], [1, 1]), comb([0], [1])),  # (2, 1) - (1, 1) = (1, 0);  -(0, 1)
)
# Through the origin, z = e0, -e0, e1, e2 + e3, -e5, e2 + 2 e3: every state a coefficient can be in.
STATES = certify(
    [
        [1, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0],
        [0, 0, 1, 1, 0, 0],
        [0, 0, 0, 0, 0, 1],
        [0, 0, 1, 2, 0, 0],
    ],
    [1, -1, 1, 1, -1, 1],
    "quasi-separable",
    fit_intercept=False,
    separator=plane([0, 1, 1, 0, 0, -1]),
    obstruction=comb([0, 1], [3, 3]),
    spanning=comb([0, 1], [1, 1]),
    overlap=[0, 1],
    infinite=("finite", "+inf", "undetermined", "undetermined", "not identified", "-inf"),
    evidence=(
        None,
        comb([2], [1]),
        plane([0, 0, -1, 1, 0, 0]),
        plane([0, 0, -1, 1, 0, 0]),
        plane([0, 0, 0, 0, 1, 0]),
        comb([4], [1]),
    ),
)
# Through the origin a row of zeros is an obstruction by itself, and spans itself.
ZERO_ROW = certify(
    [[0], [1], [-2]],
    [1, 1, -1],
    "quasi-separable",
    fit_intercept=False,
    separator=plane([1.0]),
    obstruction=comb([0], [1]),
    spanning=comb([0], [5]),
    overlap=[0],
    infinite=("+inf",),
    evidence=(comb([2], [F(1, 2)]),),
)
# Two one-hot columns add up to the offset's: rank 2 of 3, and no coefficient is identified.
ONE_HOT = certify(
    [[1, 0], [1, 0], [0, 1], [0, 1]],
    [-1, 1, -1, 1],
    "overlapping",
    obstruction=comb([2, 3], [1, 1]),
    spanning=comb([0, 1, 2, 3], [1, 1, 2, 2]),
    overlap=[0, 1, 2, 3],
    infinite=("not identified",) * 3,
    evidence=(plane([1, 1], -1),) * 3,
)
HONEST = {k: v for k, v in list(globals().items()) if isinstance(v, SimpleNamespace)}
CASES = pytest.mark.parametrize("case", HONEST.values(), ids=HONEST.keys())


def refused(case, match, **changes):
    """The certificate with these changes is refused, for the given reason."""
    with pytest.raises(CertificateError, match=match):
        check_separability(replace(case.cert, **changes), case.X, case.y)


@CASES
def test_honest_certificates_pass_for_any_storage(case):
    frame = pd.DataFrame(case.X)
    lists = case.X.tolist()
    for X in (
        case.X,
        case.X.astype(np.float16),
        sp.csr_array(case.X),
        sp.coo_matrix(case.X),
        frame,
        lists,
    ):
        check_separability(case.cert, X, case.y)
    check_separability(Separability.from_json(case.cert.to_json()), case.X, case.y)
    bare = replace(case.cert, overlap_rows=None, infinite=None, evidence=None)
    if case.cert.verdict == "quasi-separable":
        bare = replace(bare, spanning=None)
    check_separability(bare, case.X, case.y)


@CASES
def test_a_change_of_any_value_label_or_order_is_noticed(case):
    for i in range(len(case.y)):
        X, y = case.X.copy(), case.y.copy()
        X[i, 0] = np.nextafter(X[i, 0], np.inf)
        y[i] = next(label for label in case.y if label != y[i])
        with pytest.raises(CertificateError, match="digest"):
            check_separability(case.cert, X, case.y)
        with pytest.raises(ValueError, match=r"digest|y holds 1 class"):
            check_separability(case.cert, case.X, y)
    with pytest.raises(CertificateError, match="digest"):
        check_separability(case.cert, case.X[::-1], case.y[::-1])
    with pytest.raises(CertificateError, match="shape"):
        check_separability(case.cert, np.c_[case.X, case.X], case.y)
    refused(case, "digest", digest=case.cert.digest[:-1] + "g")


def test_the_digest_notices_what_the_identity_does_not():
    """Row 3 is in no combination, so moving it leaves every sum as it was."""
    X = OVERLAPPING.X.copy()
    X[3] = 5
    check_separability(replace(OVERLAPPING.cert, digest=digest(X, OVERLAPPING.y)), X, OVERLAPPING.y)
    with pytest.raises(CertificateError, match="digest"):
        check_separability(OVERLAPPING.cert, X, OVERLAPPING.y)


@CASES
@pytest.mark.parametrize("name", ["obstruction", "spanning"])
def test_a_combination_tampered_with_is_refused(case, name):
    part = getattr(case.cert, name)
    if part is None:
        return
    n, k = len(case.X), len(part)
    moved_rows = 0
    for i in range(k):
        rows, weights = part.rows.tolist(), list(part.weights)

        def with_weight(w, i=i, weights=weights, rows=rows):
            return {name: comb(rows, [*weights[:i], w, *weights[i + 1 :]])}

        for w in (0, -weights[i], -1):
            refused(case, rf"{name}'s weights\[{i}\].*positive", **with_weight(w))
        for w in (1.0, True, "1", None):
            refused(case, rf"{name}'s weights\[{i}\] is of type", **with_weight(w))
        if case.X[rows[i]].any() or case.cert.fit_intercept:
            refused(case, rf"{name}'s rows do not add up", **with_weight(weights[i] + F(1, 10**30)))
        for r in set(range(n)) - {rows[i]}:
            moved = {name: comb([*rows[:i], r, *rows[i + 1 :]], weights)}
            refused(case, rf"{name}.*(more than once|add up|not among the overlap)", **moved)
            moved_rows += 1
        for r in (-1, n):
            moved = {name: comb([*rows[:i], r, *rows[i + 1 :]], weights)}
            refused(case, rf"rows\[{i}\] is {r}; the data has rows 0 to", **moved)
    assert moved_rows
    refused(case, f"{k} rows and {k + 1} weights", **{name: comb(part.rows, [*part.weights, 1])})
    refused(case, "names no rows", **{name: comb([], [])})
    refused(case, "must be a combination", **{name: plane([1.0])})
    bools = Combination(np.array([True]), (1,))
    refused(case, "of type bool; it must be an integer", **{name: bools})
    floats = Combination(part.rows.astype(float), part.weights)
    refused(case, "of type float; it must be an integer", **{name: floats})


def test_too_many_rows_are_refused():
    """Twelve pairs on one spot cancel, but an obstruction needs D + 1 = 3 rows at most."""
    case = certify(np.ones((24, 1)), [-1, 1] * 12, "overlapping", obstruction=comb([0, 1], [1, 1]))
    all_rows, half = comb(range(24), [1] * 24), comb(range(4), [1] * 4)
    refused(case, "obstruction names 24 rows; it may name 3", obstruction=all_rows, spanning=half)
    refused(case, "spanning names 24 rows; it may name 16", spanning=all_rows)
    check_separability(replace(case.cert, spanning=half), case.X, case.y)


@CASES
def test_the_verdict_cannot_be_swapped(case):
    for verdict in {"separable", "quasi-separable", "overlapping"} - {case.cert.verdict}:
        refused(case, r"verdict|strict", verdict=verdict)
        for name in ("separator", "obstruction", "spanning"):
            if getattr(case.cert, name) is not None:
                refused(case, r"verdict|strict|missing", verdict=verdict, **{name: None})
    for verdict in ("Separable", None, ["separable"]):
        refused(case, "is none of", verdict=verdict)
    for name in ("separator", "obstruction", "spanning"):
        if getattr(case.cert, name) is not None:
            refused(case, f"{name} is missing", **{name: None})
        else:
            refused(case, f"does not go with this {name}", **{name: object()})


@pytest.mark.parametrize("case", [SEPARABLE, QUASI, STATES, ZERO_ROW])
def test_a_separator_tampered_with_is_refused(case):
    separator = case.cert.separator
    theta, offset = separator.theta.tolist(), separator.offset
    for j in np.flatnonzero(separator.theta):
        flipped = [*theta[:j], -theta[j], *theta[j + 1 :]]
        refused(case, r"not (strict|weak): row \d", separator=plane(flipped, offset))
        for bad in (np.nan, np.inf, -np.inf):
            broken = plane([*theta[:j], bad, *theta[j + 1 :]], offset)
            refused(case, rf"theta\[{j}\] is .*finite", separator=broken)
    refused(case, "entries for", separator=plane([*theta, 0.0], offset))
    refused(case, "offset is nan", separator=plane(theta, np.nan))
    refused(case, "of type str", separator=plane(theta, "0"))
    refused(case, "must be a hyperplane", separator=comb([0], [1]))
    if case.cert.fit_intercept:
        refused(case, r"not (strict|weak): row \d", separator=plane(theta, -offset))
    else:
        refused(case, "through the origin", separator=plane(theta, 1.0))
    nothing = plane([0.0] * len(theta))
    refused(case, "on the hyperplane|separates nothing", separator=nothing)


def test_a_separator_is_strict_or_not_to_the_last_bit():
    """0.1 + 0.2 > 0.3 for the doubles of these names; a rounded sum of tenths does not know."""
    X, y = [[0.1, 0.2, 0.3], [-1.0, 0.0, 0.0]], [1, -1]
    case = certify(X, y, "separable", fit_intercept=False, separator=plane([1.0, 1.0, -1.0]))
    check_separability(case.cert, case.X, case.y)
    least = F(0.1) + F(0.2) - F(0.3)
    tight = certify(X, y, "separable", separator=plane([1.0, 1.0, -1.0], -least))
    refused(tight, "row 0 is on the hyperplane")
    looser = plane([1, 1, -1], -least + F(1, 10**400))
    check_separability(replace(tight.cert, separator=looser), tight.X, tight.y)


@pytest.mark.parametrize("case", [QUASI, STATES, ZERO_ROW, OVERLAPPING, SEPARABLE_CORE])
def test_overlap_rows_tampered_with_are_refused(case):
    rows = case.cert.overlap_rows.tolist()
    for i in range(len(rows)):
        dropped = np.array(rows[:i] + rows[i + 1 :], np.int64)
        refused(case, f"Row {rows[i]} is missing from the overlap rows", overlap_rows=dropped)
    for extra in set(range(len(case.X))) - set(rows):
        wrong = np.array(sorted([*rows, extra]))
        refused(case, f"Row {extra} is no overlap row", overlap_rows=wrong)
    if len(rows) > 1:
        refused(case, "rising order", overlap_rows=np.array(rows[::-1]))
        refused(case, "more than once", overlap_rows=np.array(rows[:1] + rows))
    if case.cert.spanning is None or case.cert.verdict == "overlapping":
        refused(case, "not the overlap rows it needs", overlap_rows=None)
    else:
        refused(case, "unless overlap_rows say", overlap_rows=None)


@pytest.mark.parametrize("case", [QUASI, STATES, ZERO_ROW, OVERLAPPING, SEPARABLE_CORE, ONE_HOT])
def test_what_is_said_of_a_coefficient_cannot_be_swapped(case):
    states = ("finite", "+inf", "-inf", "undetermined", "not identified")
    infinite, evidence = case.cert.infinite, case.cert.evidence
    for j in range(len(infinite)):
        for other in {*states, "infinite", None} - {infinite[j]}:
            swapped = (*infinite[:j], other, *infinite[j + 1 :])
            for part in {id(e): e for e in (*evidence, None)}.values():
                given = (*evidence[:j], part, *evidence[j + 1 :])
                refused(case, r"feature|offset", infinite=swapped, evidence=given)
    refused(case, "no evidence for it", evidence=None)
    refused(case, "but no `infinite`", infinite=None)
    refused(case, "`evidence` must have", evidence=evidence[:-1])
    refused(case, "`infinite` must have", infinite=(*infinite, "finite"))


@pytest.mark.parametrize(
    ("j", "state", "evidence", "reason"),
    [
        (0, "finite", comb([0], [1]), "there must be no other"),
        (1, "finite", None, "do not span its unit vector"),
        (4, "finite", None, "do not span its unit vector"),
        (1, "+inf", comb([2, 3], [1, 1]), "feature 2 sums to 1, not 0"),
        (1, "+inf", comb([2], [-1]), "must be positive"),
        (1, "-inf", comb([2], [1]), "feature 1 sums to 1, not -1"),
        (0, "+inf", comb([0], [1]), "the separator's coefficient has not that sign"),
        # Weak, but zero at feature 1 where every maximal separator is positive: it proves nothing.
        (1, "undetermined", plane([0, 0, 1, 0, 0, -1]), "must be opposite"),
        (2, "undetermined", plane([0, 1, 0, 1, 0, 0]), "must be opposite"),
        (3, "undetermined", plane([0, 1, 1, 0, 0, 0]), "must be opposite"),
        (3, "undetermined", plane([0, 1, 1, -2, 0, 0]), "row 3 is on its wrong side"),
        (
            4,
            "undetermined",
            plane([0, 0, 0, 0, 1, 0]),
            'zero on every row: that is "not identified"',
        ),
        # The maximal separator, and more of what no score shows.
        (4, "undetermined", plane([0, 1, 1, 0, 1, -1]), 'score, so it is "not identified"'),
        (4, "not identified", plane([0, 0, 0, 0, 0, 0]), "its coefficient is zero"),
        (4, "not identified", plane([0, 0, 1, 0, 1, 0]), "not zero on row 3"),
    ],
)
def test_evidence_that_does_not_suffice(j, state, evidence, reason):
    infinite, given = list(STATES.cert.infinite), list(STATES.cert.evidence)
    infinite[j], given[j] = state, evidence
    refused(STATES, reason, infinite=tuple(infinite), evidence=tuple(given))


def test_rows_that_cancel_but_do_not_span_are_refused():
    refused(ONE_HOT, "cancel but do not span: row 2", spanning=comb([0, 1], [1, 1]))
    X, y = [[1, 1], [1, 1], [2, 1], [2, 1], [2, 2]], [1, -1, 1, -1, 1]
    parts = {"obstruction": comb([0, 1], [1, 1]), "spanning": comb([0, 1, 2, 3], [1, 1, 1, 1])}
    flat = certify(X, y, "overlapping", **parts)
    refused(flat, "do not span: row 4")  # every column is used, but (2, 2, 1) is off their plane
    through_origin = certify(X, y, "overlapping", fit_intercept=False, **parts)
    check_separability(through_origin.cert, through_origin.X, through_origin.y)


def test_spanning_rows_are_overlap_rows():
    refused(QUASI, "spanning row 3 is not among the overlap rows", spanning=comb([1, 3], [1, 1]))


def test_the_question_is_part_of_the_certificate():
    refused(SEPARABLE, "through the origin", fit_intercept=False)
    refused(SEPARABLE, "must be True or False", fit_intercept=1)
    refused(
        STATES,
        "entries, one for each coefficient",
        fit_intercept=True,
        obstruction=comb([0, 1], [1, 1]),
    )


def cancelling(X, y):
    """Rows on a line that cancel: two at one place, one between two others, two such pairs."""
    rows = range(len(y))
    x = X[:, 0].tolist()
    pairs = [(a, b) for a in rows for b in rows if y[a] < y[b] and x[a] == x[b]]
    yield from (comb(pair, [1, 1]) for pair in pairs)
    for a, b, c in product(rows, repeat=3):
        if x[a] < x[b] < x[c] and y[a] == y[c] != y[b]:
            yield comb([a, b, c], [int(v) for v in (x[c] - x[b], x[c] - x[a], x[b] - x[a])])
    yield from (comb(p + q, [1] * 4) for p, q in combinations(pairs, 2) if not {*p} & {*q})


@examples(30)
@given(*[st.lists(st.integers(0, 3), min_size=1, max_size=3)] * 2)
def test_exactly_one_verdict_can_be_certified(minus, plus):
    """Of all small certificates for points on a line, those that pass agree, and are right."""
    X, y = np.array([[x] for x in minus + plus], float), [-1] * len(minus) + [1] * len(plus)
    lines = [plane([sign], F(-sign * k, 2)) for sign in (1, -1) for k in range(-1, 8)]
    nulls = list(cancelling(X, y))
    attempts = [("separable", {"separator": line}) for line in lines]
    attempts += [
        ("quasi-separable", {"separator": line, "obstruction": null})
        for line in lines
        for null in nulls[:1]
    ]
    attempts += [("overlapping", {"obstruction": nulls[0], "spanning": null}) for null in nulls]
    certified = set()
    for verdict, parts in attempts:
        case = certify(X, y, verdict, **parts)
        with suppress(CertificateError):
            check_separability(case.cert, case.X, case.y)
            certified.add(verdict)
    gap = max(min(plus) - max(minus), min(minus) - max(plus))
    quasi = gap == 0 and len({*minus, *plus}) > 1
    truth = "separable" if gap > 0 else "quasi-separable" if quasi else "overlapping"
    assert certified == {truth}
