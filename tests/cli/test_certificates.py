"""`novikoff separable` and `novikoff verify`."""

import copy
import json

import numpy as np
import pytest

from novikoff import max_margin, separability
from novikoff.cli import certificate
from novikoff.cli.errors import Refused
from tests.cli.helpers import document, inside, novikoff
from tests.real_data import shared

# Two features; rows on lines 2 to 7. Lines 3 and 6 are the same point with different labels.
OVERLAP = "u,v,side\n0,0,left\n2,2,left\n5,1,left\n\n2,2,right\n0,4,right\n6,6,right\n"


@pytest.fixture(scope="module")
def overlapping(tmp_path_factory):
    """A file that is not separable, and its certificate."""
    folder = tmp_path_factory.mktemp("certificates")
    data, proof = folder / "overlap.csv", folder / "proof.json"
    data.write_text(OVERLAP)
    done = novikoff("separable", data, "--certificate", proof)
    return data, proof, done


def test_the_rows_that_forbid_it_are_named_by_their_lines(overlapping):
    data, proof, done = overlapping
    assert done.stdout.startswith(("No: ", "Not quite: "))
    assert "Line 3 (left) and line 6 (right) alone forbid it" in done.stdout
    assert str(proof) in done.stderr
    found = document("separable", data)
    (question,) = found["questions"]
    assert [(r["line"], r["row"], r["label"]) for r in question["obstruction"]] == [
        (3, 1, "left"), (6, 3, "right"),
    ]  # fmt: skip


def test_the_margin_is_that_of_the_rows_as_they_are():
    """Never scaled: the library's answer on the raw numbers."""
    path = shared("small/sonar.csv")
    table = np.genfromtxt(path, delimiter=",", dtype=str)
    X, y = table[:, :-1].astype(float), table[:, -1]
    (question,) = document("separable", path)["questions"]
    best = max_margin(X, y)
    assert question["verdict"] == separability(X, y).verdict == "separable"
    assert question["margin"]["lower"] == best.margin
    assert question["margin"]["upper"] == best.upper_bound
    assert question["margin"]["support_lines"] == (best.support + 1).tolist()


def test_a_proof_for_other_checkers(tmp_path):
    """VIPR's two files: one for strict separators, one for weak ones."""
    data, proof = tmp_path / "overlap.csv", tmp_path / "proof.vipr"
    data.write_text(OVERLAP)
    done = inside("separable", data, "--certificate", proof)
    assert "viprchk" in done.stderr
    assert "RTP infeas" in proof.read_text()
    assert (tmp_path / "proof-weak.vipr").read_text().count("VER 1.1") == 1
    three = tmp_path / "three.csv"
    three.write_text("u,side\n5,a\n1,b\n7,c\n")
    refused = inside("separable", three, "--certificate", proof, code=2)
    assert "--positive" in refused.stderr


def test_a_limit_on_the_time_is_told(tmp_path):
    random = np.random.RandomState(0)
    rows = "\n".join(
        f"{y} " + " ".join(f"{j + 1}:{x}" for j, x in enumerate(random.randint(0, 9, 30)))
        for y in random.randint(0, 2, 300)
    )
    data = tmp_path / "rows.libsvm"
    data.write_text(rows + "\n")
    done = inside("separable", data, "--time-limit", "0.000001")
    assert done.stdout.startswith("Not known: ")
    assert "The time limit of 1e-06 s is reached." in done.stdout
    (question,) = document("separable", data, "--time-limit", "0.000001")["questions"]
    assert question["verdict"] == "undecided"
    assert "time limit" in question["so_far"]
    refused = inside("separable", data, "--time-limit", "-1", code=2)
    assert "--time-limit" in refused.stderr
    assert "the limit is a positive number" in refused.stderr


def test_the_verdict_has_the_name_that_statistics_has_for_it():
    text = "0 1:1\n1 1:1\n0 1:2\n1 1:0\n"
    done = inside("separable", "-", stdin=text)
    assert done.stdout.startswith("Not quite: ")
    assert "quasi-separable (quasi-complete separation)" in done.stdout
    (question,) = document("separable", "-", stdin=text)["questions"]
    assert question["verdict"] == "quasi-separable"  # a value for programs


def test_the_core_names_rows_and_features():
    """Heinze and Schemper (2002): NV = 1 occurs with HG = 1 only."""
    path = shared("separation/endometrial.csv")
    done = inside("separable", path, "--core")
    assert done.stdout.startswith("Not quite: ")
    assert "66 of 79 rows truly overlap" in done.stdout
    assert "NV       +inf" in done.stdout
    (question,) = document("separable", path, "--core")["questions"]
    assert question["core"]["coefficients"] == {
        "NV": "+inf", "PI": "finite", "EH": "finite", "(offset)": "finite",
    }  # fmt: skip
    with_nv = {row for row, line in enumerate(path.read_text().split()[1:]) if line[0] == "1"}
    assert with_nv.isdisjoint(question["core"]["overlap_rows"])


def test_each_of_three_classes_against_the_rest(tmp_path):
    proof = tmp_path / "iris.json"
    found = document("separable", "iris", "--certificate", proof)
    verdicts = {q["positive"]: q["verdict"] for q in found["questions"]}
    assert verdicts == {
        "Iris-setosa": "separable",
        "Iris-versicolor": "overlapping", "Iris-virginica": "overlapping",
    }  # fmt: skip
    checked = document("verify", proof, "iris")
    assert checked["valid"] is True
    assert {c["positive"]: c["verdict"] for c in checked["claims"]} == verdicts
    one = inside("separable", "iris", "--positive", "Iris-setosa").stdout
    assert one.startswith("Yes: a hyperplane separates Iris-setosa from the rest")
    assert one.count("Margin") == 1


def test_libsvm_text_is_certified_too(tmp_path):
    text, proof = "# a comment\n+1 1:1\n\n-1 1:1 2:0\n-1 2:3\n", tmp_path / "proof.json"
    found = document("separable", "-", "--certificate", proof, stdin=text)
    assert (found["data"], found["target"]) == ("-", None)  # as DATA was given, in every command
    path = tmp_path / "data"
    path.write_text(text)
    printed = inside("separable", path).stdout
    assert "Line 2 (1) and line 4 (-1) alone forbid it" in printed
    assert document("verify", proof, path)["valid"] is True
    wrong = document("verify", proof, "-", code=1, stdin=text.replace("2:3", "2:4"))
    assert "digest differs" in wrong["reason"]
    other = document("verify", proof, path, "--zero-based", code=1)
    assert "--zero-based" in other["reason"]


def test_features_may_be_numbered_from_zero(tmp_path):
    text, proof = "1 0:1\n-1 0:1 1:0\n-1 1:3\n", tmp_path / "proof.json"
    inside("separable", "-", "--zero-based", "--certificate", proof, stdin=text)
    assert json.loads(proof.read_text())["encoding"]["features"] == ["0", "1"]
    checked = document("verify", proof, "-", stdin=text)
    assert (checked["valid"], checked["data"]) == (True, "-")
    said = inside("separable", "-", stdin=text, code=2).stderr
    assert "--zero-based" in said
    assert "zero_based" not in said


def test_a_huge_index_takes_no_memory():
    """The same verdict and margin as with a small index in its place."""
    text = "1 1:1 {0}:1\n-1 2:1\n1 1:2 3:1\n-1 2:3 3:1\n"
    found = [document("separable", "-", stdin=text.format(k)) for k in (4, 2_000_000_000)]
    assert found[0]["questions"] == found[1]["questions"]
    assert found[1]["features"] == 4
    traced = [inside("trace", "-", stdin=text.format(k)) for k in (4, 2_000_000_000)]
    assert traced[0].stdout == traced[1].stdout
    assert "only the 4 features that occur" in traced[1].stderr


def test_a_certificate_holds_for_its_data_only(overlapping, tmp_path):
    data, proof, _ = overlapping
    done = novikoff("verify", proof, data)
    assert done.stdout.startswith("Valid.")
    changed = tmp_path / "changed.csv"
    changed.write_text(OVERLAP.replace("6,6", "6,7"))
    refused = inside("verify", proof, changed, code=1)
    assert "this is not the data the certificate speaks of" in refused.stdout
    changed.write_text(OVERLAP.replace("5,1,left", "5,1,right"))
    assert "proof fails" in document("verify", proof, changed, code=1)["reason"]
    assert "LIBSVM" not in document("verify", proof, "iris", code=1)["reason"]


def test_options_are_demands(overlapping):
    data, proof, _ = overlapping
    inside("verify", proof, data, "--target", "side")
    done = inside("verify", proof, data, "--drop", "v", code=1)
    assert "it was made without --drop, not with --drop v;" in done.stdout


# ------------------------------------------------------- hostile certificates, in process


def tampered(document):
    """Changes to a certificate that must be noticed: (name, new document)."""
    c = copy.deepcopy

    def changed(*path, to):
        new = c(document)
        place = new
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to
        return new

    claim = ("claims", 0, "separability")
    yield "no dictionary", [document]
    yield "format", changed("format", to="novikoff.separability")
    yield "version", changed("version", to=2)
    yield "no claims", changed("claims", to=[])
    yield "claims of another kind", changed("claims", to={"a": 1})
    yield "target", changed("target", to="u")
    yield "features", changed("encoding", "features", to=["u", "w"])
    yield "kind", changed("encoding", "kind", to="pickle")
    yield "libsvm", changed("encoding", "kind", to="libsvm")
    yield "columns", changed("encoding", "columns", to=None)
    yield "scaled", changed("encoding", "options", "scale", to=True)
    yield "dropped", changed("encoding", "options", "drop", to=["v"])
    yield "drop is text", changed("encoding", "options", "drop", to="v")
    yield "drop holds numbers", changed("encoding", "options", "drop", to=[1])
    yield "codec", changed("encoding", "options", "encoding", to="zlib_codec")
    yield "delimiter", changed("encoding", "options", "delimiter", to=";;;")
    yield "missing", changed("encoding", "options", "missing", to="__import__('os')")
    yield "a bool for a target", changed("encoding", "options", "target", to=True)
    yield "another option", changed("encoding", "options", "path", to="/etc/passwd")
    yield "positive", changed("claims", 0, "positive", to="up")
    yield "sides swapped", changed("claims", 0, "positive", to="left")
    yield "negative", changed("claims", 0, "negative", to="the rest")
    yield "verdict", changed(*claim, "verdict", to="separable")
    yield "obstruction", changed(*claim, "obstruction", to=None)
    yield "rows", changed(*claim, "obstruction", "rows", to=[0, 3])
    yield "rows beyond", changed(*claim, "obstruction", "rows", to=[1, 10**9])
    yield "weights", changed(*claim, "obstruction", "weights", to=["0x1", "0x2"])
    yield "zero denominator", changed(*claim, "obstruction", "weights", to=["0x1/0x0", "0x1"])
    yield "not numbers", changed(*claim, "obstruction", "weights", to=["nan", "p"])
    yield "origin", changed(*claim, "fit_intercept", to=False)
    yield "shape", changed(*claim, "shape", to=[6])
    yield "digest", changed(*claim, "digest", to="0" * 64)


def check(proof, data):
    """What `novikoff verify` does, without a process of its own."""
    from novikoff.cli.console import Output
    from novikoff.cli.options import TableArguments
    from novikoff.cli.verify import _checked

    return _checked(proof, str(data), TableArguments(), Output(json=True))


def test_every_change_of_a_certificate_is_refused(overlapping, tmp_path):
    data, proof, _ = overlapping
    document = json.loads(proof.read_text())
    assert check(proof, data)["target"] == "side"
    bad = tmp_path / "bad.json"
    for name, new in tampered(document):
        bad.write_text(json.dumps(new))
        with pytest.raises(Refused):
            pytest.fail(f"accepted: {name} {check(bad, data)}")


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\x80\x04\x95pickle", b"[" * 100_000, b'{"format": NaN}', b"null",
     b"\xff\xfe{\x00", b'{"format": "novikoff.certificate", "version": 1}', b'{"a":' * 50_000],
    ids=["empty", "cut", "pickle", "deep", "nan", "null", "utf-16", "bare", "deep objects"],
)  # fmt: skip
def test_what_is_no_certificate_is_refused(content, tmp_path):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(Refused):
        certificate.read(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xb2\xff\x00\x01", "nor text at all"),
        (b'{"a": ' + b"1" * 5000 + b"}", "too many digits"),
        (b"[" * 500 + b"]" * 500, "nested more than 64 levels"),
        (b"[" * 100_000, "nested more than 64 levels"),
    ],
    ids=["binary", "digits", "deep", "deeper"],
)
def test_refusals_are_in_words_of_this_program(content, said, tmp_path):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(Refused, match=said):
        certificate.read(path)


def test_a_refusal_has_exit_code_1(tmp_path):
    path = tmp_path / "bad.json"
    path.write_bytes(b"[" * 100_000)
    found = document("verify", path, "iris", code=1, run=novikoff)
    assert found["valid"] is False
    assert found["reason"]


def test_a_certificate_cut_anywhere_is_refused(overlapping, tmp_path):
    _, proof, _ = overlapping
    content, path = proof.read_bytes(), tmp_path / "cut.json"
    for end in range(0, len(content) - 2, 50):
        path.write_bytes(content[:end])
        with pytest.raises(Refused):
            certificate.read(path)


def test_the_core_says_why_weights_of_categories_are_not_identified(tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("x,c,y\n" + "".join(f"{i % 5},{'abc'[i % 3]},{i % 7 % 2}\n" for i in range(20)))
    told = inside("separable", data, "--target", "y", "--core").stdout
    assert "--family binomial leaves one out of each" in told
