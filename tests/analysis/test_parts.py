"""Text of rows in two parts: what is learned from and what is held out, together all of it."""

import io

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from novikoff.analysis.parts import TextParts
from novikoff.streams.bytes import open_bytes

RANDOM = np.random.RandomState(3)
X = RANDOM.standard_normal((60, 3)) * (RANDOM.uniform(size=(60, 3)) < 0.5)
Y = RANDOM.randint(0, 3, 60)


def text(rows=X, labels=Y, zero_based=False):
    out = io.BytesIO()
    dump_svmlight_file(rows, labels, out, zero_based=zero_based)
    return out.getvalue()


def parts(data, share=0.2, seed=0, **options):
    return TextParts(open_bytes(io.BytesIO(data)), share, seed, **options)


@pytest.mark.parametrize("seed", [0, 7])
def test_the_two_parts_are_all_rows_each_once(seed):
    read, labels = load_svmlight_file(io.BytesIO(text()), zero_based=False)
    found = parts(text(), seed=seed)
    (learn, y_learn), (check, y_check) = found.matrix("train"), found.matrix("test")
    assert 4 < len(y_check) < 25
    both = np.column_stack([sp.vstack([learn, check]).toarray(), np.append(y_learn, y_check)])
    whole = np.column_stack([read.toarray(), labels])
    np.testing.assert_array_equal(both[np.lexsort(both.T)], whole[np.lexsort(whole.T)])
    assert found.classes.tolist() == [0, 1, 2]
    for part, y in (("train", y_learn), ("test", y_check), ("all", labels)):
        np.testing.assert_array_equal(found.counts[part], np.bincount(y.astype(int)))


def test_other_seeds_and_shares_hold_out_other_rows_and_say_so():
    """A checkpoint of one must not be taken up by another: their fingerprints differ."""
    several = [
        parts(text(zero_based=zero), share, seed, zero_based=zero)
        for share, seed, zero in ((0.2, 0, False), (0.2, 1, False), (0.3, 0, False), (0.2, 0, True))
    ]
    marks = {part.fingerprint() for found in several for part in found.parts.values()}
    assert len(marks) == 8
    held = [found.matrix("test")[0].toarray() for found in several]
    assert [len(rows) for rows in held] != [len(held[0])] * 4
    np.testing.assert_array_equal(held[3], held[0])  # counted from 0 or from 1, the same rows


def test_few_rows_are_all_learned_from():
    found = parts(text(X[:19], Y[:19]))
    assert found.counts["test"].sum() == 0
    assert found.matrix("test")[0].shape == (0, found.features)
    assert found.matrix("train")[0].shape[0] == 19


def test_weights_are_those_of_the_rows_that_are_learned_from():
    lines = [f"{1 if i % 2 else -1} {i % 3} | a:{i} b" for i in range(30)]
    found = parts("\n".join(lines).encode(), share=0.0)
    learned = [i for i in range(30) if i % 3]
    assert found.weights().tolist() == [i % 3 for i in learned]
    assert found.matrix()[0].shape[0] == len(learned)
    assert found.feature_names[:2] == ["a", "b"]
    assert parts(text()).weights() is None


def test_nothing_is_no_data():
    with pytest.raises(ValueError, match="no rows"):
        parts(b"# a comment\n1 1:1\n".replace(b"1 1:1\n", b"\n"))
