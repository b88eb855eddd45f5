"""`novikoff separable --family`, and `novikoff verify` of what it wrote."""

import json
from decimal import Decimal

import pytest

from novikoff import separation
from tests.cli.helpers import document, inside, novikoff

pytest.importorskip("formulaic")

COUNTS = "y,dose,firm\n0,1,a\n3,2,a\n0,1,b\n1,3,b\n0,2,c\n0,2,c\n,2,a\n"
FAMILIES = {
    "binomial": ("y,x\n0,1\n0,2\n1,3\n1,4\n", ()),
    "multinomial": ("y,x\na,1\nb,2\nc,3\na,4\n", ()),
    "ordinal": ("y,x\n1,1\n2,2\n3,3\n1,4\n", ()),
    "conditional": ("y,x,g\n0,1,p\n1,2,p\n1,4,q\n0,3,q\n", ("--groups", "g")),
    "cox": (
        "y,died,x,from,centre\n1,1,2,0,p\n2,0,1,0,p\n3,1,1,1,p\n4,0,1,0,p\n",
        ("--event", "died", "--entry", "from", "--strata", "centre"),
    ),
}


@pytest.fixture
def counts(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text(COUNTS)
    return path


def test_counts_with_fixed_effects(counts, tmp_path):
    proof = tmp_path / "proof.json"
    done = novikoff("separable", counts, "--family", "poisson", "--absorb", "firm",
                    "--certificate", proof)  # fmt: skip
    assert done.stdout.startswith("Quasi-complete separation: the maximum-likelihood estimates")
    assert "Separated: lines 2, 4, 6, 7 of the file." in done.stdout
    assert "1 row of 7 with missing values left out (y: 1)." in done.stdout
    assert "formula: `y` ~ `dose`" in done.stderr
    assert inside("verify", proof, counts).stdout.startswith("Valid.")
    found = document("separable", counts, "--family", "poisson", "--absorb", "firm")
    assert found["separated_lines"] == [2, 4, 6, 7]
    assert found["coefficients"] == {"dose": "+inf"}


def test_a_proof_for_strangers(counts, tmp_path):
    proof = tmp_path / "proof.vipr"
    inside("separable", counts, "--family", "poisson", "--certificate", proof)
    assert proof.read_text().startswith("% novikoff: ")
    assert (tmp_path / "proof-weak.vipr").exists()


def test_a_formula(counts):
    found = document("separable", counts, "--family", "poisson", "--formula", "y ~ dose + firm")
    assert found["separated_rows"] == [0, 2, 4, 5]
    assert found["coefficients"]["firm[T.c]"] == "-inf"


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_certificates(family, tmp_path):
    text, options = FAMILIES[family]
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    data.write_text(text)
    told = document("separable", data, "--family", family, *options, "--certificate", proof)
    assert document("verify", proof, data)["verdict"] == told["verdict"]
    data.write_text(text.replace(",2", ",2.5"))
    assert "digest" in inside("verify", proof, data, code=1).stdout


def test_what_a_certificate_says_is_checked(counts, tmp_path):
    proof = tmp_path / "proof.json"
    inside("separable", counts, "--family", "poisson", "--absorb", "firm", "--certificate", proof)
    written = json.loads(proof.read_text())
    for part, name, value in (
        ("separation", "verdict", "estimates exist"),
        ("separation", "coefficients", ["finite"]),
        ("separation", "names", ["other"]),
        ("separation", "separated_rows", [0]),
        ("regression", "formula", "y ~ firm"),
        ("regression", "absorb", []),
        ("regression", "groups", 3),
        ("regression", "more", "x"),
        ("options", "drop", 7),
    ):
        forged = {**written, part: {**written[part], name: value}}
        proof.write_text(json.dumps(forged))
        assert inside("verify", proof, counts, code=1).stdout.startswith("Refused: ")


def test_what_somebody_else_wrote_is_never_run(counts, tmp_path):
    """A formula is Python to formulaic: neither a header nor a certificate may bring its own."""
    ran, proof = tmp_path / "ran", tmp_path / "proof.json"
    code = f"__import__('pathlib').Path({str(ran)!r}).touch()"
    header = tmp_path / "header.csv"
    header.write_text(f"a,a` + {{a + {code}}} + `a,y\n1,3,0\n2,1,1\n1,2,1\n2,5,0\n")
    assert (
        "cannot name the column"
        in inside("separable", header, "--family", "binomial", code=2).stderr
    )
    inside("separable", counts, "--family", "poisson", "--certificate", proof)
    written = json.loads(proof.read_text())
    for right in (code, f"{{{code}}}", f"I({code})", f"log(dose, {code})", "np.load('proof.json')",
                  "{[x for x in (1, 2)]}", "{dose.__class__}", "np.log(dose, out=dose)",
                  "{9 ** 9 ** 9 ** 9}", "{(lambda: 1)()}", "nobody", "dose +",
                  "(" * 9999):  # fmt: skip
        forged = {**written, "regression": {**written["regression"], "formula": f"y ~ {right}"}}
        proof.write_text(json.dumps(forged))
        assert inside("verify", proof, counts, code=1).stdout.startswith("Refused: "), right
        assert "bug" not in inside("separable", counts, "--formula", f"y ~ {right}", code=2).stderr
    both = tmp_path / "both.csv"  # a name of a column that hides code from whoever looks for names
    both.write_text(f"y,x,\"' + str({code}) + '\"\n1,3,0\n0,1,1\n1,2,1\n0,5,0\n")
    inside("separable", both, "--formula", "y ~ x", "--certificate", proof)
    written = json.loads(proof.read_text())
    written["regression"]["formula"] = f"y ~ C('`' + str({code}) + '`')"
    proof.write_text(json.dumps(written))
    assert "Refused: " in inside("verify", proof, both, code=1).stdout
    assert not ran.exists()


def test_columns_of_text_are_told(tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("y,day,side\n" + "".join(f"{k % 2},d{k},{'ab'[k % 3 > 0]}\n" for k in range(9)))
    told = inside("separable", data, "--family", "binomial").stderr
    assert "day is text: each of its 9 levels has a coefficient, in 9 rows; --drop day" in told
    assert "column: side is text: each of its 2 levels has a coefficient\n" in told


CENTRES = "t,died,age,centre\n" + "".join(
    f"{1 + k * k % 17},{k % 3 % 2},{20 + k * 7 % 23},{k % 8}\n" for k in range(40)
)


def test_a_column_of_groups_is_a_number_where_the_formula_computes_with_it(tmp_path):
    """As of a frame: another question, and another verdict, would be one coefficient a group."""
    pd = pytest.importorskip("pandas")
    data = tmp_path / "centres.csv"
    data.write_text(CENTRES)
    asked = ("t + died ~ age:centre + I(centre**2)", "--family", "cox", "--strata", "centre")
    found = document("separable", data, "--formula", *asked)
    meant = separation.from_formula(asked[0], pd.read_csv(data), family="cox", strata="centre")
    assert tuple(found["coefficients"]) == meant.names == ("I(centre ** 2)", "age:centre")
    assert tuple(found["coefficients"].values()) == meant.coefficients


def test_a_stray_cell_makes_no_categories(tmp_path):
    data = tmp_path / "data.csv"
    rows = [f"{k % 2},{k * 7 % 11}\n" for k in range(200)]
    data.write_text("y,v\n" + "".join(rows[:90]) + "1,oops\n" + "".join(rows[90:]))
    refused = inside("separable", data, "--formula", "y ~ v", code=2).stderr
    assert "'oops' on line 92" in refused
    assert "--na oops" in refused
    inside("separable", data, "--formula", "y ~ v", "--na", "oops")
    data.write_text("y,v\n" + "".join(rows[:8]) + "1,oops\n")
    told = inside("separable", data, "--formula", "y ~ v").stderr
    assert "warning: v is text: each of its 9 levels" in told
    assert "--na oops" in told


def test_columns_that_are_not_asked_about_are_not_judged(tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("y,price,id\n" + "".join(f"{k % 2},{k},{10**19 + k}\n" for k in range(8)))
    for asked in (
        ("--formula", "y ~ price"),
        ("--formula", "y ~ .", "--drop", "id"),
        ("--target", "y", "--family", "binomial", "--drop", "id"),
    ):
        assert list(document("separable", data, *asked)["coefficients"])[:1] == ["price"]
    assert "--categorical id" in inside("separable", data, "--formula", "y ~ id", code=2).stderr
    data.write_text("y,v\n0,1\n1,inf\n0,3\n")
    assert "infinity at row 1" in inside("separable", data, "--formula", "y ~ v", code=2).stderr
    data.write_text("y,x,v\n0,1,\n1,2,NA\n0,3,\n")
    told = inside("separable", data, "--family", "binomial", "--target", "y", code=2).stderr
    assert "No row is left: each has a missing value (v: 3)." in told


def test_a_frame_s_decimals_and_missing_numbers_are_those_of_a_file(tmp_path):
    pl = pytest.importorskip("polars")
    price, rate = [Decimal(f"{k}.25") for k in range(9)], [float("nan"), *(1.5, 2.0) * 4]
    frame = pl.DataFrame({"y": [0, 1, 1] * 3, "price": price, "rate": rate})
    frame.write_parquet(tmp_path / "data.parquet")
    frame.write_csv(tmp_path / "data.csv")
    found = [
        document("separable", tmp_path / name, "--formula", "y ~ price + rate", *more)
        for name, more in (("data.parquet", ()), ("data.csv", ("--na", "NaN")))
    ]
    told = separation.from_formula("y ~ price + rate", frame)
    for one in found:
        assert tuple(one["coefficients"]) == told.names == ("price", "rate", "(Intercept)")
        assert one["notes"] == list(told.notes) == [
            "1 row of 9 with missing values left out (rate: 1)."
        ]  # fmt: skip


def test_verify_repeats_no_note_that_it_did_not_check(counts, tmp_path):
    proof = tmp_path / "proof.json"
    inside("separable", counts, "--family", "poisson", "--certificate", proof)
    written = json.loads(proof.read_text())
    written["separation"]["notes"] = ["All estimates are finite; ignore the rest."]
    proof.write_text(json.dumps(written))
    told = inside("verify", proof, counts).stdout
    assert "ignore the rest" not in told
    assert "1 row of 7 with missing values left out (y: 1)." in told


def test_columns_of_one_name_are_both_told(tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("x,x[T.b],y\na,2,0\nb,1,1\na,3,0\nb,5,1\na,4,1\n")
    found = document("separable", data, "--target", "y", "--family", "binomial")
    assert list(found["coefficients"]) == ["x[T.b]", "x[T.b] (2)", "(Intercept)"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--family", "cox"], "needs --event"),
        (["--family", "conditional"], "needs --groups"),
        (["--formula", "y ~ dose | firm"], "Fixed effects are said by --absorb"),
        (["--formula", "y ~ foo(dose)"], "may not call foo(dose)"),
        (["--family", "poisson", "--core"], "ask about hyperplanes"),
        (["--family", "poisson", "--hash-bits", "4"], "--hash-bits means nothing"),
        (["--absorb", "form"], "did you mean firm"),
        (["--formula", "z ~ dose"], "begin with a column of the data"),
        (["--formula", "y ~ dose", "--target", "y"], "--formula says which columns are what"),
    ],
)
def test_refusals(counts, options, message):
    assert message in inside("separable", counts, *options, code=2).stderr


def test_labels_are_text_and_no_number_is_rounded(tmp_path):
    firms = tmp_path / "firms.csv"
    for one, other in ((2**60, 2**60 + 1), ("100", "1E2"), ("012", "12")):
        firms.write_text(f"x,y,f\n1,1,{one}\n2,2,{one}\n1,0,{other}\n3,0,{other}\n")
        found = document("separable", firms, "--family", "poisson", "--target", "y",
                         "--absorb", "f")  # fmt: skip
        assert found["separated_rows"] == [2, 3]
    firms.write_text(f"y,x\n0,{2**53}\n1,{2**53 + 1}\n")
    done = inside("separable", firms, "--family", "binomial", "--target", "y", code=2)
    assert f"x: {2**53 + 1} is an integer beyond 2**53" in done.stderr
    assert "--categorical x" in done.stderr


def test_an_answer_to_another_formula_is_refused(tmp_path):
    table, proofs = tmp_path / "table.csv", []
    table.write_text("y,x\n0,1\n0,2\n1,3\n1,4\n")
    for formula in ("y ~ x", "y ~ x - 1"):
        proof = tmp_path / "proof.json"
        inside("separable", table, "--formula", formula, "--certificate", proof)
        proofs.append(json.loads(proof.read_text()))
    proof.write_text(json.dumps({**proofs[1], "separation": proofs[0]["separation"]}))
    assert "another fit_intercept" in inside("verify", proof, table, code=1).stdout
