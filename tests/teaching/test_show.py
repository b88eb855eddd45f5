"""The same verdict in every form."""

import json
import subprocess
import sys
import time
from fractions import Fraction
from importlib.resources import files

import pytest

from novikoff.teaching import check
from novikoff.teaching.catalogue import CATALOGUE
from novikoff.teaching.texts import number, texts
from tests.teaching.submissions import AVERAGED, COMMON, OF_AVERAGED, function, right, wrong

pytest_plugins = ["pytester"]


def learned(name, source=None, table=COMMON):
    return function(wrong(source or right("perceptron"), table[name]))


def test_the_sentence_of_the_catalogue():
    text = check(learned("offset-without-y")).text()
    assert "what you would get if the offset were updated without y: first seen at update " in text
    assert "yours θ₀ = 1, expected −1" in text


def test_a_wrong_average_is_said_with_both_numbers():
    text = check(learned("mean-without-start", AVERAGED, OF_AVERAGED), kind="averaged").text()
    assert (
        "if the start were left out of the average: first seen on points A (T = 3): yours θ" in text
    )


def test_an_unknown_mistake_is_shown_on_paper():
    source = right("perceptron").replace("theta_0 + y[i]", "theta_0 + 3 * y[i]")
    verdict = check(function(source))
    assert verdict.mistakes == ()
    text = verdict.text()
    assert "s = 0·2 + 0·2 + 0 = 0, y·s = 0: an update" in text
    assert "θ = (0, 0) + 1·(−1)·(2, 2) = (−2, −2); θ₀ = 0 + 1·(−1) = −1" in text
    assert "yours θ₀ = −3, expected −1" in text


def test_what_goes_wrong_between_epochs_is_said():
    source = right("perceptron").replace(
        "for i in", "theta_0 = 0.0 if t else theta_0\n        for i in"
    )
    text = check(function(source)).text()
    assert "look at what happens between epochs" in text


def test_candidates_are_told_apart_by_other_points():
    """On points of the teacher's that hide the difference, ours still tell which one it is."""
    X, y = [[1.0, 2.0], [2.0, 1.0]], [1, 1]
    verdict = check(learned("offset-twice"), {"mine": (X, y)})
    assert verdict.mistakes == ("offset-twice",)
    assert [f.points.name for f in verdict.findings] == ["mine"]


def test_points_of_ones_own_decide():
    """Right on them is right, whatever it does elsewhere."""
    X, y = [[1, 2], [-1, -2]], [1, 1]
    assert check(learned("offset-without-y"), (X, y)).right
    assert not check(learned("offset-without-y"), [(X, [-1, -1])]).right


def test_decimals_that_doubles_round_are_no_mistake():
    """0.1 + 0.2 is not 0.3: an honest loop in doubles is right, wherever exact sums part."""
    X = [[0.1, 0.2], [0.3, -0.3], [-0.7, 0.1], [0.1, 0.1], [0.6, -0.2]]
    assert check(function(right("perceptron")), (X, [1, -1, 1, -1, 1])).right


def test_decimals_may_be_meant_as_they_are_written():
    """On paper row 2 is a tie: (-0.2) 0.3 + 0.3 0.2 = 0. Of the doubles it is a little more."""

    def tenths(X, y, T):
        theta = [Fraction(0)] * 2
        for _ in range(T):
            for row, label in zip(X, y, strict=True):
                x = [Fraction(str(a)) for a in row]
                if label * (theta[0] * x[0] + theta[1] * x[1]) <= 0:
                    theta = [t + int(label) * a for t, a in zip(theta, x, strict=True)]
        return [float(t) for t in theta]

    points = [([[0.4, -0.2], [-0.6, 0.4], [0.2, 0.1], [0.3, 0.2]], [-1, 1, 1, 1])]
    assert check(tenths, points, fit_intercept=False, epochs=1).right
    assert not check(tenths, [(points[0][0], [-1, 1, 1, -1])], ties="correct", start=[1, 0],
                     fit_intercept=False, epochs=1).right  # fmt: skip


def test_markdown_has_a_row_for_each_set():
    text = check(learned("strict")).markdown()
    assert text.startswith("## learn\n\n**Wrong on ")
    assert "| A (ties) | wrong |" in text
    assert "| random sets | wrong |" in text
    assert "\\<" in text  # the catalogue's < is shown, not taken for HTML


def test_json_and_gradescope():
    verdict = check(learned("offset-without-y"))
    document = json.loads(json.dumps(verdict.document()))
    assert document["mistakes"] == [
        {"name": "offset-without-y", "what": "the offset were updated without y"}
    ]
    assert not document["right"]
    results = json.loads(json.dumps(verdict.gradescope(10.0)))
    assert sum(test["max_score"] for test in results["tests"]) == pytest.approx(10.0)
    assert sum(test["score"] for test in results["tests"]) < 10.0
    assert "without y" in results["output"]
    full = check(function(right("perceptron"))).gradescope(10.0)
    assert sum(test["score"] for test in full["tests"]) == pytest.approx(10.0)
    harmless = learned("changes-data harmlessly", table={"changes-data harmlessly": [
        ("    return theta", "    X[0] = 9\n    return theta")]})  # fmt: skip
    spoiled = check(harmless).gradescope(9.0)
    assert sum(test["score"] for test in spoiled["tests"]) < 9.0


def test_require_says_what_is_wrong():
    check(function(right("perceptron"))).require()
    with pytest.raises(AssertionError, match="without y"):
        check(learned("offset-without-y")).require()


def test_the_page_has_both_runs():
    page = check(learned("offset-without-y")).html()
    assert page.count('class="novikoff-replay"') == 2
    assert page.count("Your run") == page.count("The right run") == 1
    assert '"told":true' in page
    assert "<script>alert" not in check(learned("strict")).html()
    assert check(function(right("perceptron"))).html().count('class="novikoff-replay"') == 1


def test_a_page_shows_what_it_cannot_replay(tmp_path):
    """Three features have no plane; the words are there."""
    page = check(learned("strict"), {"<b>": ([[1, 2, 3]], [-1])}).html()
    assert 'class="novikoff-replay"' not in page
    assert "&lt;b&gt;" in page


def test_every_mistake_has_its_texts():
    words = texts()["mistakes"]
    assert set(words) == {mistake.name for mistake in CATALOGUE}
    assert all({"what", "hint", "right", "wrong"} == set(entry) for entry in words.values())


def test_texts_may_be_another_file(tmp_path):
    path = tmp_path / "xx.toml"
    source = (files("novikoff.teaching") / "texts" / "en.toml").read_text(encoding="utf-8")
    path.write_text(source.replace("Your function does", "Ihre Funktion tut"), encoding="utf-8")
    assert "Ihre Funktion tut" in check(learned("strict"), language=str(path)).text()
    with pytest.raises(ValueError, match="no texts"):
        check(learned("strict"), language="xx")


@pytest.mark.parametrize(("x", "text"), [(2, "2"), (-1 / 3, "−1/3"), (0.1, "1/10"), (1e9, "1e+09")])
def test_numbers_are_as_on_paper(x, text):
    assert number(x) == text


def test_exercise_gives_tests_with_good_names(pytester):
    pytester.makepyfile(
        solution="import numpy as np\n" + wrong(right("perceptron"), COMMON["offset-without-y"]),
        test_it="""
        from novikoff.teaching import exercise
        from solution import learn

        test_learn = exercise(learn, ties="mistake")
        """,
    )
    result = pytester.runpytest_inprocess("-v", "-p", "no:cacheprovider", "-W", "ignore")
    result.stdout.fnmatch_lines(["*test_learn?B (an offset that matters)? FAILED*"])
    result.stdout.fnmatch_lines(["*the offset were updated without y*"])


def test_a_check_takes_less_than_two_seconds():
    slowest = 0.0
    for name in ("strict", "shuffled", "every-example", "transposed"):
        begin = time.process_time()
        check(learned(name))
        slowest = max(slowest, time.process_time() - begin)
    assert slowest < 2.0


def test_checking_needs_no_compiler():
    """numba is not imported by a check, in this process or another."""
    learn = "lambda X, y, T: ([0] * len(X[0]), 0)"
    program = f"import sys; from novikoff.teaching import check; check({learn})"
    done = subprocess.run(
        [sys.executable, "-c", program + "; assert 'numba' not in sys.modules"], check=False
    )
    assert done.returncode == 0
