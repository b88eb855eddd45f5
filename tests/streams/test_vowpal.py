"""Vowpal Wabbit's text says what LIBSVM text would say, and what is wrong with it is named."""

import io
from contextlib import suppress

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff import AveragedPerceptron, Perceptron, VotedPerceptron
from novikoff.streams import StreamError, VowpalError, VowpalText, batches, fit_stream, open_source
from novikoff.streams.bytes import open_bytes, recognise

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def opened(text, **options):
    return VowpalText(open_bytes(io.BytesIO(text)), **options)


def read(text, **options):
    """(X, y, weights, names) of a text."""
    source = opened(text, **options)
    (rows,) = source.rows()
    return rows.X.toarray().tolist(), rows.y.tolist(), rows.weights.tolist(), list(source.names)


def rows_of(n=300, d=40, seed=0):
    random = np.random.RandomState(seed)
    X = sp.random_array((n, d), density=0.2, format="csr", random_state=random)
    return X, random.randint(0, 2, n), random.randint(1, 4, n)


def as_vowpal(X, y, weights=None):
    lines = []
    for i, label in enumerate(y):
        span = slice(X.indptr[i], X.indptr[i + 1])
        pairs = zip(X.indices[span].tolist(), X.data[span].tolist(), strict=True)
        features = " ".join(f"f{j}:{value!r}" for j, value in pairs)
        weight = "" if weights is None else f"{weights[i]} "
        lines.append(f"{label} {weight}'row{i} | {features}\n")
    return "".join(lines).encode()


def as_libsvm(X, y):
    lines = []
    for i, label in enumerate(y):
        span = slice(X.indptr[i], X.indptr[i + 1])
        order = np.argsort(X.indices[span])
        pairs = zip(X.indices[span][order].tolist(), X.data[span][order].tolist(), strict=True)
        lines.append(f"{label} {' '.join(f'{j + 1}:{value!r}' for j, value in pairs)}\n")
    return "".join(lines).encode()


@pytest.mark.parametrize("estimator", [Perceptron, AveragedPerceptron, VotedPerceptron])
def test_the_same_rows_as_libsvm_text_give_the_same_model(estimator):
    X, y, _ = rows_of()
    source = opened(as_vowpal(X, y))
    mine = fit_stream(estimator(), source, epochs=3)
    theirs = fit_stream(estimator(), io.BytesIO(as_libsvm(X, y)), epochs=3)
    columns = [int(name.removeprefix("f")) for name in source.names]
    assert sorted(columns) == list(range(X.shape[1]))
    np.testing.assert_array_equal(mine.coef_, theirs.coef_[:, columns], strict=True)
    np.testing.assert_array_equal(mine.intercept_, theirs.intercept_, strict=True)
    assert mine.n_updates_.tolist() == theirs.n_updates_.tolist()


def test_weights_are_sample_weights():
    X, y, weights = rows_of()
    weights[::7] = 0  # dropped
    source = opened(as_vowpal(X, y, weights))
    mine = fit_stream(Perceptron(max_iter=4), source)
    theirs = Perceptron(max_iter=4, order="cyclic").fit(X, y, sample_weight=weights)
    columns = [int(name.removeprefix("f")) for name in source.names]
    np.testing.assert_array_equal(mine.coef_, theirs.coef_[:, columns])


def test_names_scales_and_tags():
    text = b"1 'a|words the cat |size:0.5 w:3 h\n-1 2 b| the\n0.5 |words cat:-2 cat the:1e1\n\n"
    X, y, weights, names = read(text)
    assert names == ["words^the", "words^cat", "size^w", "size^h", "the"]
    assert X == [[1, 1, 1.5, 0.5, 0], [0, 0, 0, 0, 1], [10, -1, 0, 0, 0]]
    assert y == [1, -1, 0.5]
    assert weights == [1, 2, 1]


def test_a_model_reads_the_features_it_knows():
    source = opened(b"1 | b x a:2 |n b:3\n", names=["a", "n^b", "b"])
    (rows,) = source.rows()
    assert rows.X.toarray().tolist() == [[2, 3, 1]]
    assert source.unknown == 1
    assert source.names == ["a", "n^b", "b"]


def test_rows_without_features_and_values_of_zero():
    X, y, _, names = read(b"1 |\n-1 | a:0 b\n1 |n\n")
    assert (X, y, names) == ([[0, 0], [0, 1], [0, 0]], [1, -1, 1], ["a", "b"])


def test_names_are_text_whatever_their_bytes():
    text = "1 | größe caf\u00e9:2\r\n".encode("utf-8-sig") + b"1 | \xff\n"
    source = opened(text)
    list(source.rows())
    assert source.names == ["größe", "café", "\\xff"]
    again = opened(text, names=source.names)
    assert [rows.X.nnz for rows in again.rows()] == [3]
    assert again.unknown == 0


def test_blocks_do_not_show():
    line = b"1 | " + b" ".join(b"feature%d:0.25" % j for j in range(500)) + b"\n"
    text = line * (2**22 // len(line)) + b"-1 | late\n"
    source = opened(text)
    shapes = [X.shape for X, _ in source.blocks()]
    assert len(shapes) > 1
    assert sum(n for n, _ in shapes) == text.count(b"\n")
    assert shapes[-1][1] == len(source.names) == 501
    with pytest.raises(VowpalError, match=f"line {text.count(bytes([10])) + 1}: .*no label"):
        list(opened(text + b"| a\n").blocks())


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"1 a b", "there is no |"),
        (b"| a", "no label"),
        (b"1| a", "1 touches the |"),
        (b"yes | a", "as a label, found 'yes'"),
        (b"1:2:0.5 | a", "as a label, found '1:2:0.5'"),
        (b"nan | a", "as a label, found 'nan'"),
        (b"1 x | a", "as a weight, found 'x'"),
        (b"1 -2 | a", "the weight -2 is negative"),
        (b"1 1 0.5 | a", "found '0.5' behind the label and its weight"),
        (b"1 | a:x", "as a value, found 'x'"),
        (b"1 | a b:1:2", "as a value, found '1:2'"),
        (b"1 | a:", "as a value, found ''"),
        (b"1 | a:1_000", "as a value, found '1_000'"),
        (b"1 | a:1e999", "as a value, found '1e999'"),
        (b"1 | a :3", "':3' has no name"),
        (b"1 |n: a", "as a scale, found ''"),
        (b"1 |:2 a", "the namespace :2 has no name"),
        (b"1 | a:" + 100 * b"z", "'" + 37 * "z" + "...'"),
    ],
)
def test_errors_name_the_line(line, complaint):
    with pytest.raises(VowpalError, match=r"^<stream>, line 3: ") as caught:
        list(opened(b"1 | a\n\n" + line + b"\n").rows())
    assert complaint in str(caught.value)
    assert caught.value.line == 3


@pytest.mark.parametrize(
    "piece", [b"|", b":", b" ", b"1 ", b"'", b"| ", b" |", b"a:1 ", b"|n ", b"1 | ", b"\xff", b"1_"]
)
def test_a_long_line_of_anything_is_read_at_once(piece):
    """What took quadratic time would take a quarter of an hour."""
    much = piece * (300_000 // len(piece)) + b"\n"
    for text in (much, b"1 | " + much):
        recognise(open_bytes(io.BytesIO(text)))
        with suppress(VowpalError):
            list(opened(text).rows())


@given(st.binary(max_size=40))
def test_nothing_but_errors_comes_of_noise(noise):
    with suppress(VowpalError):
        for rows in opened(b"1 | a\n" + noise).rows():
            assert np.isfinite(rows.y).all()
            assert (rows.weights > 0).all()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b"1 | a b\n-1 | c\n", "vw"),
        (b"1 2.0 'tag|ns a:1 |other b\n\n0 |ns a\n", "vw"),
        (b"1 tag| a:2\n", "vw"),
        (b"\xef\xbb\xbf1 | a\n", "vw"),
        (b"1 1:2 3:4\n-1 2:1\n", "libsvm"),
        (b"x|y\n1|2\n3|4\n", "csv"),
        (b"1|2|3\n4|5|6\n", "csv"),
        (b"x | y | z\n1 | 2 | 3\n", "csv"),
        (b"1 | 2 | 3\n4 | 5 | 6\n", "csv"),
        (b"1 |2 |3\n4 |5 |6\n", "csv"),
        (b"text,label\nthe | a,1\n", "csv"),
    ],
)
def test_content_says_what_it_is(text, kind):
    assert recognise(open_bytes(io.BytesIO(text))) == kind


@pytest.mark.parametrize(
    "odd",
    [b"1 |a", b"1 |", b"|a good bad", b"1 1.0 0.5 |a good", b"1:0.8 2:0.9 |a so", b"1", b"# x"],
)
def test_an_odd_line_does_not_make_a_table_of_it(odd):
    usual = [b"1 |a good bad", b"-1 |a so good"]
    for lines in (usual * 5 + [odd], [odd, *usual]):
        assert recognise(open_bytes(io.BytesIO(b"\n".join(lines)))) == "vw"


def test_a_format_can_be_said():
    text = b"1 | 2 | 3\n-1 | 4 | 5\n"
    ((X, y),) = open_source(io.BytesIO(text), format="vw").blocks()
    assert (X.shape, y.tolist()) == ((2, 4), [1, -1])
    with pytest.raises(ValueError, match=r"format must be one of csv, .*, vw; it is 'svm'"):
        open_source(io.BytesIO(text), format="svm")
    with pytest.raises(StreamError, match="have names; zero_based"):
        list(batches(io.BytesIO(b"1 | a\n"), zero_based=True))
    with pytest.raises(StreamError, match="Vowpal Wabbit's text, whose rows are label"):
        list(batches(io.BytesIO(b"1 | a\n"), target="y"))


def test_names_take_no_more_memory_than_allowed():
    text = b"1 | " + b" ".join(b"n%d" % j for j in range(2000)) + b"\n"
    with pytest.raises(VowpalError, match="the names of 2000 features would take"):
        list(VowpalText(open_bytes(io.BytesIO(text), max_memory="100KB")).rows())
