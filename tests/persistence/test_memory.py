"""What a file may take is known before it is taken."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

import novikoff
from novikoff import ModelFileError
from novikoff.persistence.reading import _memory_of
from tests.persistence.helpers import forge

VALUES = [b"1,", b"123456,", b"0.5,", b'"ab",', b'"\\ud83d\\ude00bc",', b"[],", b"{},", b'{"a":1},',
          b'{"float":"nan"},']  # fmt: skip
NODES = [b'["list",[]],', b'["set",[1]],', b'["dict",["a"],[1]],', b'["slice",null,null,null],',
         b'["fraction","1","1"],', b'["corner",{"node":0},[1,1]],', b'["dtype","<f8"],',
         b'["random",{"node":1},1,0,0.0],']  # fmt: skip


def hostile(unit, n):
    """A structure of so many times the same, and the arrays it refers to."""
    if unit in VALUES:
        return b'[["list",[' + unit * n + b"1]]]", []
    arrays = [np.zeros((2, 2), np.uint32), np.zeros(624, np.uint32)]
    head = b'[["array","<u4",[2,2],"C",true],["array","<u4",[624],"C",true],'
    return head + unit * n + b'["list",[1]]]', arrays


@pytest.mark.parametrize("unit", [*VALUES, *NODES])
def test_the_bound_is_one(unit, tmp_path):
    """No structure takes more than is counted beforehand."""
    tree, arrays = hostile(unit, 300 if b"random" in unit else 3000)  # to make one takes long
    forge(tmp_path / "model", tree, *arrays)
    tracemalloc.start()
    try:
        with pytest.raises(ModelFileError):  # it is no model, which turns out at the end
            novikoff.load(tmp_path / "model")
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert taken < _memory_of(tree) + 300_000  # what modules and errors take


def test_a_bomb_is_refused_before_it_goes_off(tmp_path):
    tree, _ = hostile(b"{},", 8_000_000)
    forge(tmp_path / "model", tree)
    tracemalloc.start()
    try:
        with pytest.raises(ModelFileError, match=r"may take 2\.\d GB of memory.*max_memory"):
            novikoff.load(tmp_path / "model")
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert taken < 3 * len(tree)


def test_the_caller_says_how_much(tmp_path):
    model = CountVectorizer().fit([f"word{i}" for i in range(2000)])
    novikoff.save(model, tmp_path / "model")
    with pytest.raises(ModelFileError, match=r"and 0\.0 GB are allowed"):
        novikoff.load(tmp_path / "model", max_memory=10**5)
    assert novikoff.load(tmp_path / "model", max_memory=10**7).vocabulary_ == model.vocabulary_


def test_one_array_is_not_copied_a_thousand_times(tmp_path):
    """SciPy copies indices of another type; a thousand matrices may name the same ones."""
    n = 10**5
    nodes = [
        ["array", "<f8", [n], "C", True],
        ["array", "<i8", [n], "C", True],
        ["array", "<i8", [2], "C", True],
        *[["sparse", "csr_array", [1, n], {"node": 0}, {"node": 1}, {"node": 2}]] * 1000,
    ]
    forge(tmp_path / "model", nodes, np.zeros(n), np.arange(n), np.array([0, n]))
    with pytest.raises(ModelFileError, match="of memory besides its arrays"):
        novikoff.load(tmp_path / "model", max_memory=10**8)
