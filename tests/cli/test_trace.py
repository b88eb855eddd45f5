"""`novikoff trace`, and a table made by hand held against the run."""

import io
import json

import pytest

from novikoff import Perceptron, Trace
from novikoff.analysis.step_tables import column_of, numbers, same
from novikoff.analysis.steps import compare_table
from novikoff.cli.console import Output
from novikoff.cli.errors import UsageError
from novikoff.cli.trace import check_table
from tests.cli.helpers import document, inside

X = [[2.0, 1.0], [-1.0, 2.0], [-1.0, -1.0], [-2.0, 1.0], [3.0, -4.0]]
Y = [1, -1, -1, -1, 1]


@pytest.fixture(scope="module")
def run():
    return Perceptron(order="cyclic", record_trace=True).fit(X, Y).trace_


def test_the_table_is_that_of_the_library(four, run):
    """Cyclic, unscaled, ties a mistake: the trace of the estimator, labels by name."""
    told = Trace.from_json(inside("trace", four, "--json").stdout)
    assert told.classes == ("no", "yes")
    assert told.row.tolist() == run.row.tolist()
    assert told.score_after.tolist() == run.score_after.tolist()
    markdown = inside("trace", four, "--format", "markdown").stdout
    lines = markdown.splitlines()
    assert lines[2] == "Features: θ1 = x1, θ2 = x2."
    assert lines[6:] == run.markdown().splitlines()[4:]
    text = inside("trace", four).stdout
    assert "|" not in text
    assert "**" not in text
    for line in run.markdown().splitlines():
        if line.startswith("| 1 |"):
            assert all(cell.strip() in text for cell in line.strip("|").split("|"))


def test_every_convention(four):
    arguments = ("--ties", "correct", "--through-origin", "--start", "1,-1", "--eta0", 0.5,
                 "--margin", 0.25, "--order", "shuffled", "--seed", 4)  # fmt: skip
    told = Trace.from_json(inside("trace", four, *arguments, "--json").stdout)
    ours = Perceptron(
        ties="correct", fit_intercept=False, eta0=0.5, margin=0.25, random_state=4,
        record_trace=True,
    ).fit(X, Y, coef_init=[[1.0, -1.0]]).trace_  # fmt: skip
    assert told.row.tolist() == ours.row.tolist()
    assert told.start_theta.tolist() == [1.0, -1.0]
    assert told.final[0].tolist() == ours.final[0].tolist()


def test_a_legend_says_which_component_is_which():
    table = "size,co|lour,y\n1,red,p\n2,blue,q\n2,red,p\n5,blue,q\n"
    told = inside("trace", "-", "--limit", 1, stdin=table).stdout
    assert "Features: θ1 = size, θ2 = co|lour=blue, θ3 = co|lour=red." in told
    markdown = inside("trace", "-", "--format", "markdown", stdin=table).stdout
    assert r"θ2 = co\|lour=blue" in markdown


def test_three_classes_need_a_choice():
    refused = inside("trace", "iris", code=2)
    assert "--positive Iris-setosa" in refused.stderr
    told = inside("trace", "iris", "--positive", "Iris-setosa", "--limit", 2).stdout
    assert "more updates" in told
    assert "Separated" in told


# -------------------------------------------------------------------- a student's table


def test_the_first_wrong_row_is_marked(four, run, tmp_path):
    mine = tmp_path / "mine.md"
    mine.write_text(run.markdown())
    assert inside("trace", four, "--check", mine).stdout.startswith("All right")
    lines = run.markdown().splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("| 2 |"))
    cells = lines[at].split("|")
    cells[4] = " 4 "
    lines[at] = "|".join(cells)
    mine.write_text("\n".join(lines))
    wrong = inside("trace", four, "--check", mine, code=1).stdout
    assert f"Line {at + 1}: update 2 is wrong. Update 1 is right." in wrong
    found = document("trace", four, "--check", mine, code=1)
    assert found["format"] == "novikoff.trace-check"
    assert found["wrong"]["cells"] == [{"column": "row", "yours": "4", "expected": str(run.row[1])}]


def checked(trace, path, text):
    """None if the table is right, else what is wrong with it."""
    import contextlib

    import typer

    path.write_text(text)
    with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.suppress(typer.Exit):
        check_table(Output(json=True), trace, path)
    found = json.loads(printed.getvalue())
    assert found["right"] == (found["wrong"] is None)
    return found["wrong"]


def test_any_columns_in_any_spelling(run, tmp_path):
    path, frame = tmp_path / "mine", run.frame()
    assert checked(run, path, frame.to_csv(index=False)) is None
    for columns in (["k"], ["row", "theta_1", "theta_2"], ["y", "offset"], ["score_after", "t"]):
        assert checked(run, path, frame[columns].to_csv(index=False, sep=";")) is None
    signs = frame.assign(y=["+" if y > 0 else "−" for y in frame["y"]])
    assert checked(run, path, signs.to_csv(index=False)) is None
    assert checked(run, path, signs.assign(y="+").to_csv(index=False)) is not None
    for start in ("k,theta_1,theta_2,offset\n0,0,0,0\n", 'k,θ,θ₀\n0,"(0, 0)",0\n'):
        lines = "".join(
            f"{k},{a},{b},{c}\n" if "_1" in start else f'{k},"({a}, {b})",{c}\n'
            for k, a, b, c in frame[["k", "theta_1", "theta_2", "offset"]].to_numpy()
        )
        assert checked(run, path, start + lines) is None
        wrong = start.replace("0,0", "0,7").replace("(0, 0)", "(0, 7)")
        assert checked(run, path, wrong + lines)["step"] == 1
    named = frame.assign(y=["yes" if y > 0 else "no" for y in frame["y"]])
    assert checked(run, path, named[["y"]].to_csv(index=False)) is not None  # classes are -1, 1
    from_one = frame.assign(row=frame["row"] + 1)
    assert checked(run, path, from_one[["row"]].to_csv(index=False)) is None
    lecture = [frame["k"], frame["row"] + 1, frame["theta_1"], frame["theta_2"], frame["offset"]]
    lines = [" ".join(map(str, line)) for line in zip(*lecture, strict=True)]
    assert checked(run, path, "\n".join(["k  i  θ₁  θ₂  θ₀", *lines])) is None
    assert checked(run, path, "\n".join(lines)) is None  # bare numbers
    vectors = "k,θ,θ₀,remark\n" + "".join(
        f'{k},"({a}, {b:.2f})",{c:+.1f},well\n'
        for k, a, b, c in zip(frame["k"], frame["theta_1"], frame["theta_2"], frame["offset"],
                              strict=True)
    )  # fmt: skip
    assert checked(run, path, vectors) is None
    results = "| update | mistake |\n|---|---|\n" + "".join(
        f"| ({a}, {b}), {c} | {y * s} |\n"
        for a, b, c, y, s in zip(frame["theta_1"], frame["theta_2"], frame["offset"], frame["y"],
                                 frame["score_before"], strict=True)
    )  # fmt: skip
    assert checked(run, path, results) is None


def test_one_wrong_row_number_does_not_spoil_the_count_from_one(run, tmp_path):
    frame = run.frame()[["k", "row"]]
    frame["row"] += 1
    frame.loc[1, "row"] += 1
    for text, line in (
        (frame.to_csv(index=False), 3),
        (frame.rename(columns={"row": "i"}).to_csv(index=False, sep="\t"), 3),
    ):
        wrong = checked(run, tmp_path / "mine", text)
        assert (wrong["step"], wrong["line"]) == (2, line)
        assert wrong["cells"][0]["expected"] == str(run.row[1] + 1)


def test_every_single_wrong_number_is_found(run, tmp_path):
    path, frame = tmp_path / "mine.csv", run.frame()
    for column in frame.columns:
        for row in range(len(frame)):
            spoilt = frame.astype({column: float})
            spoilt.loc[row, column] += 0.5
            wrong = checked(run, path, spoilt.to_csv(index=False))
            assert wrong["step"] == row + 1
            assert [cell["column"] for cell in wrong["cells"]] == [column]


def test_too_short_and_too_long(run, tmp_path):
    path, text = tmp_path / "mine.csv", run.frame().to_csv(index=False)
    lines = text.splitlines()
    assert checked(run, path, "\n".join(lines[:-1]))["what"] == "missing"
    longer = checked(run, path, "\n".join([*lines, lines[-1]]))
    assert (longer["what"], longer["step"]) == ("surplus", len(run) + 1)


def test_a_table_with_nothing_to_compare_is_refused(run, tmp_path):
    path = tmp_path / "mine.csv"
    for text in ("", "colour\nred\n"):
        path.write_text(text)
        with pytest.raises(UsageError):
            check_table(Output(), run, path)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (f"theta_{'1' * 5000}\n1\n", "mine.csv"),
        (f"theta_1,theta_2\n{'1' * 200_000},1\n", "line 2"),
        (f"theta_1,theta_2\n{'1' * 5000},1\n", None),
    ],
)
def test_numbers_of_thousands_of_digits_are_no_bug(run, table, said):
    """Python's own limits (on integers, on cells) are not ours to speak of."""
    if said is None:
        assert compare_table(run, table, "mine.csv").wrong is not None
        return
    with pytest.raises(ValueError, match=said) as refused:
        compare_table(run, table, "mine.csv")
    assert "set_int_max_str_digits" not in str(refused.value)


def test_numbers_are_compared_not_their_spelling():
    from fractions import Fraction

    def equal(text, value):
        (written,) = numbers(text)
        return same(written, Fraction(value))

    assert equal("1", 1.0)
    assert equal("1.0", 1)
    assert equal("+1", 1)
    assert equal("−2", -2)
    assert equal("- 2", -2)
    assert equal("1/3", 1 / 3)
    assert equal("0.33", 1 / 3)
    assert equal("0.3", 0.1 + 0.2)
    assert equal("1e3", 1000)
    assert not equal("0.3", 1 / 3)
    assert not equal("1", 1.4)
    assert not equal("0.34", 1 / 3)
    assert [value for value, _ in numbers("θ₀ = 1 + 2·(-3)")] == [1, 2, -3]
    assert numbers("1e999999999") == []  # its digits would fill the memory
    assert column_of("w1", 2) == column_of("θ_1", 2) == "theta_1"
    assert column_of("θ₀", 2) == column_of("offset", 2) == "offset"
    assert column_of("y·s after", 2) == "product_after"
    assert column_of("row", 2) == "row"
    assert column_of("theta_3", 2) is None


def test_a_blank_answer_is_no_right_one(tmp_path):
    clf = Perceptron(order="cyclic", record_trace=True).fit([[2, 1], [-1, -1]], [1, 0])
    assert checked(clf.trace_, tmp_path / "mine", "k,theta_1\n1,\n")["step"] == 1
    assert checked(clf.trace_, tmp_path / "mine", "theta_1,theta_2\n,\n")["step"] == 1


def test_of_a_wrong_table_it_is_said_that_decimals_are_rounded(tmp_path):
    """On paper the last score is (-0.2) 0.3 + 0.3 0.2 = 0, which is a mistake."""
    paper = "k,row,theta_1,theta_2\n1,0,-{0}4,{0}2\n2,2,-{0}2,{0}3\n3,3,{0}1,{0}5\n"
    points = "x1,x2,y\n{0}4,-{0}2,-1\n-{0}6,{0}4,1\n{0}2,{0}1,1\n{0}3,{0}2,1\n"
    for begins in ("", "0."):  # whole numbers, and tenths
        (tmp_path / f"paper{begins}csv").write_text(paper.format(begins))
        (tmp_path / f"points{begins}csv").write_text(points.format(begins))
    run = ("trace", "--through-origin", "--epochs", 1, "--check")
    whole = inside(*run, tmp_path / "papercsv", tmp_path / "pointscsv")
    assert "decimals" not in whole.stderr
    rounded = inside(*run, tmp_path / "paper0.csv", tmp_path / "points0.csv", code=1)
    assert "decimals such as 0.1 are taken as the doubles" in rounded.stderr


def test_every_number_counts_but_that_of_the_row(tmp_path):
    """A feature may rise row by row, and a column of ones is the offset through the origin."""
    data = tmp_path / "data.csv"
    data.write_text("i,x0,x1,y\n" + "".join(f"{k},1,{k},{(-1) ** k}\n" for k in range(1, 5)))
    told = inside("trace", data, "--through-origin")
    assert "Features: θ1 = x0, θ2 = x1." in told.stdout
    assert "i is left out: it merely counts the rows" in told.stderr
    assert inside("trace", "-", "--through-origin", stdin=data.read_text()).stdout == told.stdout
    assert "Features: θ1 = x1." in inside("trace", data, "--drop", "x0").stdout


def test_plus_is_positive(tmp_path):
    data = tmp_path / "data.csv"
    for minus in "-−":
        data.write_text(f"x1,x2,y\n2,1,+\n-1,2,{minus}\n")
        assert inside("trace", data).stdout.startswith(f"+ (y = +1) against {minus} (y = -1)")
    assert inside("trace", data, "--positive", "−").stdout.startswith("− (y = +1)")


def test_decimal_commas_beside_semicolons(tmp_path):
    data, mine = tmp_path / "data.csv", tmp_path / "mine.csv"
    data.write_text("x1;x2;y\n2;0,5;1\n-1;2;-1\n")
    for second, code in (("3,0;-1,5;0", 0), ("3,0;-1,25;0", 1)):
        mine.write_text(f"k;row;theta_1;theta_2;offset\n1;0;2,0;0,50;1\n2;1;{second}\n")
        inside("trace", data, "--check", mine, code=code)
