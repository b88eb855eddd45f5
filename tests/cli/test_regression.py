"""`novikoff separable --family`, and `novikoff verify` of what it wrote."""

import json

import pytest

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
    assert "1 row of 7 with missing values left out." in done.stdout
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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--family", "cox"], "needs --event"),
        (["--family", "poisson", "--core"], "ask about hyperplanes"),
        (["--family", "poisson", "--hash-bits", "4"], "--hash-bits means nothing"),
        (["--absorb", "form"], "did you mean firm"),
        (["--formula", "z ~ dose"], "begin with a column of the data"),
        (["--formula", "y ~ dose", "--target", "y"], "--formula says which columns are what"),
    ],
)
def test_refusals(counts, options, message):
    assert message in inside("separable", counts, *options, code=2).stderr
