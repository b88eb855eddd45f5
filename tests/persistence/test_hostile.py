"""Files made by an attacker: lengths and digest are right, what is inside is not."""

from __future__ import annotations

import io
import json
import os
import pickle
import zipfile

import numpy as np
import pytest

import novikoff
from novikoff import ModelFileError, Perceptron
from novikoff.persistence.names import FUNCTIONS, OBJECTS, RECORDS, TYPES
from tests.persistence.helpers import IRIS, KINDS, TWO, forge, taken_apart


@pytest.fixture
def honest(tmp_path):
    """The nodes and arrays of an honest file."""
    novikoff.save(Perceptron().fit(IRIS[TWO], KINDS[TWO]), tmp_path / "honest")
    nodes, arrays = taken_apart(tmp_path / "honest")
    return nodes, np.frombuffer(arrays, np.uint8)


def refused(path, nodes, *arrays, match="cannot be loaded"):
    with pytest.raises(ModelFileError, match=match):
        novikoff.load(forge(path, nodes, *arrays))


SENTINEL = "sentinel"
COMMAND = f"touch {SENTINEL}"
# Every way to say "call os.system" that pickle, skops or a format like ours might listen to.
CALLS = [
    ["function", "os.system"],
    ["function", "posix.system"],
    ["function", "builtins.eval"],
    ["function", "numpy.load"],
    ["function", "numpy.loadtxt"],
    ["function", "numpy.testing.runstring"],
    ["function", "sklearn.feature_selection.os.system"],
    ["function", "numpy.ctypeslib.load_library"],
    ["type", "os.system"],
    ["type", "subprocess.Popen"],
    ["type", "builtins.type"],
    ["type", "numpy.ndarray"],
    ["type", "numpy.memmap"],
    ["dtype", "O"],
    ["dtype", "|O"],
    ["dtype", "i4,O"],
    ["dtype", "os.system"],
    ["record", "subprocess.Popen", ["args"], [COMMAND]],
    ["record", "os.system", ["args"], [COMMAND]],
    ["record", "novikoff.os.system", ["args"], [COMMAND]],
    ["object", "subprocess.Popen", ["args"], [COMMAND]],
    ["object", "os._wrap_close", [], []],
    ["object", "sklearn.utils._testing.TempMemmap", [], []],
    ["object", "sklearn.svm.SVC", [], []],
    ["object", "sklearn.tree.DecisionTreeClassifier", [], []],
    ["object", "novikoff.Trace", [], []],
    ["object", "novikoff.__builtins__", [], []],
    ["object", ["novikoff.Perceptron"], [], []],
    ["call", "os.system", [COMMAND]],
    ["eval", COMMAND],
    ["pickle", COMMAND],
    ["__reduce__", "os.system", [COMMAND]],
    # skops' kinds of nodes, by name
    *(
        [kind, {"__class__": "system", "__module__": "os", "__loader__": kind, "content": COMMAND}]
        for kind in (
            "BytearrayNode", "BytesNode", "CachedNode", "ConstructorFromReduceNode", "DTypeNode",
            "DefaultDictNode", "DictNode", "FunctionNode", "JsonNode", "ListNode", "LossNode",
            "MaskedArrayNode", "MethodNode", "NdArrayNode", "ObjectNode", "OperatorFuncNode",
            "PartialNode", "RandomGeneratorNode", "RandomStateNode", "SetNode", "SliceNode",
            "SparseMatrixNode", "TreeNode", "TupleNode", "TypeNode",
        )
    ),
]  # fmt: skip


def with_extra(nodes, extra):
    """The model with one more attribute, the node `extra`."""
    moved = json.loads(
        json.dumps(nodes), object_hook=lambda d: {"node": d["node"] + 1} if "node" in d else d
    )
    moved[-1][2].append("extra_")
    moved[-1][3].append({"node": 0})
    return [extra, *moved]


def test_what_is_harmless_passes(tmp_path, honest):
    """So that what is refused below is refused for what it is."""
    nodes, arrays = honest
    assert novikoff.load(forge(tmp_path / "model", with_extra(nodes, ["list", [7]]), arrays)).extra_


@pytest.mark.parametrize("node", CALLS, ids=lambda node: "-".join(map(str, node[:2]))[:40])
def test_nothing_is_called(node, tmp_path, monkeypatch, honest):
    monkeypatch.chdir(tmp_path)
    nodes, arrays = honest
    refused(tmp_path / "model", [node], match="no model file (may|has)")
    hidden = with_extra(nodes, node)
    refused(tmp_path / "model", hidden, arrays, match="no model file (may|has)")
    assert not os.path.exists(SENTINEL)


class Bomb:
    """Runs a command when it is unpickled."""

    def __reduce__(self):
        return os.system, (COMMAND,)


def test_no_pickle_is_read_wherever_it_is(tmp_path, monkeypatch, honest):
    monkeypatch.chdir(tmp_path)
    bomb = pickle.dumps(Bomb())
    (tmp_path / "model").write_bytes(bomb)
    with pytest.raises(ModelFileError, match="pickle"):
        novikoff.load("model")
    stored = io.BytesIO()
    np.save(stored, np.array([Bomb()], object), allow_pickle=True)
    for data in (bomb, stored.getvalue()):
        raw = np.frombuffer(data, np.uint8)
        refused(tmp_path / "model", data)  # as the structure
        refused(tmp_path / "model", [["array", "|O", [1], "C", True]], raw)
        refused(tmp_path / "model", [["array", "|V8", [len(raw) // 8], "C", True]], raw)
    assert not os.path.exists(SENTINEL)


def test_a_skops_file_is_not_read(tmp_path, monkeypatch):
    """Not even one in disguise: its archive as our structure, or as our arrays."""
    monkeypatch.chdir(tmp_path)
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as archive:
        schema = {
            "__class__": "system", "__module__": "os", "__loader__": "FunctionNode", "protocol": 2,
        }  # fmt: skip
        archive.writestr("schema.json", json.dumps(schema))
        archive.writestr("../../outside", "x")
    (tmp_path / "model").write_bytes(stored.getvalue())
    with pytest.raises(ModelFileError, match="zip archive"):
        novikoff.load("model")
    refused(tmp_path / "model", stored.getvalue())
    refused(tmp_path / "model", [["list", []]], np.frombuffer(stored.getvalue(), np.uint8))


def test_a_cache_is_refused(tmp_path):
    """A pipeline with a cache unpickles what lies there when it is fitted."""
    nodes = [
        ["tuple", ["p", "passthrough"]], ["list", [{"node": 0}]],
        ["object", "sklearn.pipeline.Pipeline", ["steps", "memory", "verbose", "transform_input"],
         [{"node": 1}, str(tmp_path), False, None]],
    ]  # fmt: skip
    refused(tmp_path / "model", nodes, match="cache")
    nodes[-1][3][1] = None
    assert novikoff.load(forge(tmp_path / "model", nodes)).memory is None


@pytest.mark.parametrize(
    "name",
    ["fit", "predict", "_model", "describe", "kept", "learning_rule", "__class__", "__dict__",
     "__len__", "a b", "_validate_params", "__sklearn_tags__", "", 7],
)  # fmt: skip
def test_no_method_is_replaced(name, tmp_path, honest):
    nodes, arrays = honest
    nodes[-1][2].append(name)
    nodes[-1][3].append(1)
    refused(tmp_path / "model", nodes, arrays)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        (b"", "well-formed"),
        (b"{", "well-formed"),
        (b"\xff\xfe", "well-formed"),
        (b"[" * 10**6, "well-formed"),
        (b"[" * 10**5 + b"]" * 10**5, "well-formed"),
        (b'{"a":' * 10**5 + b"1" + b"}" * 10**5, "well-formed"),
        (b"[[1" + b"0" * 10**4 + b"]]", "well-formed"),
        (b'[["list", [NaN]]]', "NaN is not a JSON number"),
        (b'[["list", [-Infinity]]]', "-Infinity is not a JSON number"),
        ({}, "no list of nodes"),
        ([], "no list of nodes"),
        (None, "no list of nodes"),
        ([[]], "node 0 is none"),
        (["list"], "node 0 is none"),
        ([[["list"], []]], "of the kind"),
        ([["list"]], "well-formed"),
        ([["list", {}]], "values are no list"),
        ([["list", []]], "it is about no model"),
        ([["list", [[]]]], "no known kind"),
        ([["list", [{}]]], "no known kind"),
        ([["list", [{"a": 1, "b": 2}]]], "no known kind"),
        ([["list", [{"node": 0}]]], "does not come before"),
        ([["list", [{"node": -1}]]], "does not come before"),
        ([["list", [{"node": True}]]], "does not come before"),
        ([["list", []], ["list", [{"node": 0}, {"node": 0}]]], "used twice"),
        ([["list", [{"float": "1e5"}]]], "a number is none"),
        ([["list", [{"int64": "1"}]]], "int64 is none"),
        ([["list", [{"int64": 2**70}]]], "well-formed"),
        ([["list", [{"uint8": -1}]]], "well-formed"),
        ([["list", [{"str_": 1}]]], "str_ is none"),
        ([["list", [{"object_": 1}]]], "of the kind"),
        ([["list", []], ["set", [{"node": 0}]]], "a key is of no kind"),
        ([["list", []], ["tuple", [{"node": 0}]], ["dict", [{"node": 1}], [1]]], "a key is of no"),
        ([["dict", ["a"], []]], "well-formed"),
        ([["slice", 1.5, 2, 3]], "slice is none"),
        ([["fraction", "1", "0"]], "well-formed"),
        ([["fraction", "zz", "1"]], "well-formed"),
        ([["fraction", "f" * 2**21, "1"]], "fraction is none"),
        ([["objects", [3], [1]]], "1 objects has the shape"),
        ([["objects", [-1], [1]]], "has the shape"),
        ([["objects", [1] * 70, [1]]], "has the shape"),
        ([["sparse", "__init__", [1, 1], 1, 1, 1]], "no known kind"),
        ([["sparse", "csr_array", [1], 1, 1, 1]], "well-formed"),
        ([["sparse", "csr_array", [1, 1], 1, 1, 1]], "made of no arrays"),
        ([["random", 1, 2, 0, 0.0]], "no key"),
        ([["record", "novikoff.Role", [1]]], "well-formed"),
        ([["record", "novikoff.Role", {}, [0, 1]]], "no names"),
        ([["record", "novikoff.Role", [0, 1], [0, 1]]], "no names"),
        ([["record", "novikoff.Role", ["negative", "positive"], [0]]], "well-formed"),
        ([["record", "novikoff.Role", ["negative"], [0]]], "other fields.* positive"),
        ([["record", "novikoff.Role", ["negative", "positive", "x"], [0, 1, 2]]], "fields.* x"),
        ([["record", "novikoff.Role", ["negative", "negative"], [0, 1]]], "occurs twice"),
        ([["record", "novikoff.Role", ["negative", "__class__"], [0, 1]]], "fields.* __class__"),
        ([["object", "novikoff.Perceptron", ["a", "a"], [1, 1]]], "twice"),
        ([["object", "novikoff.Perceptron", [], []]], "unsound parameters"),
        ([["object", "novikoff.Perceptron", {}, []]], "no list"),
        ([["array", "<f8", [1], "C", True]], "larger than all that the file holds"),
        ([["array", "<f8", [2**40, 2**40], "C", True]], "larger than all"),
        ([["array", "<f8", [2**60], "C", True]], "has the shape"),
        ([["array", "<f8", [2**52, 2**52, 0], "C", True]], "well-formed"),
        ([["array", "<f8", [1.0], "C", True]], "has the shape"),
        ([["array", "<f8", [True], "C", True]], "has the shape"),
        ([["array", "<f8", [0], "K", True]], "described badly"),
        ([["array", "<U0", [9], "C", True]], "array type"),
        ([["array", "|V0", [9], "C", True]], "array type"),
        ([["array", "<c16", [0], "C", True]], "array type"),
        ([["array", "O", [0], "C", True]], "array type"),
        ([["array", "<f8\n", [0], "C", True]], "array type"),
        ([["array", "<M8[as,O]", [0], "C", True]], "array type"),
        ([["array", "<U99999999", [1], "C", True]], "larger than all"),
    ],
)  # fmt: skip
def test_malformed(nodes, message, tmp_path):
    refused(tmp_path / "model", nodes, match=message)


def test_arrays_that_belong_to_nothing(tmp_path, honest):
    nodes, arrays = honest
    refused(tmp_path / "model", nodes, arrays, np.zeros(8), match="belong to nothing")


def test_bytes_that_are_no_values(tmp_path):
    """NumPy takes them as they come: a truth value of 7, a string of what is no character."""
    refused(tmp_path / "model", [["array", "|b1", [4], "C", True]], np.full(4, 7, np.uint8),
            match="truth value")  # fmt: skip
    refused(tmp_path / "model", [["array", "<U1", [1], "C", True]], np.array([0x110000]),
            match="arrays that belong|no character")  # fmt: skip
    refused(tmp_path / "model", [["array", ">U2", [1], "C", True]], np.array([2**63 - 1]),
            match="no character")  # fmt: skip


@pytest.mark.parametrize("position", [-1, 625, 10**6, 2**40, True, 1.0])
def test_a_random_state_outside_of_its_memory(position, tmp_path):
    """numpy.random.RandomState.set_state takes any position, and the next draw reads there."""
    nodes = [
        ["array", "<u4", [624], "C", True],
        ["random", {"node": 0}, position, 0, 0.0],
        ["list", [{"node": 1}]],
    ]
    refused(tmp_path / "model", nodes, np.zeros(624, np.uint32), match="no position")


@pytest.mark.parametrize(
    ("kind", "shape", "indices", "indptr"),
    [
        ("csr_array", [1, 3], [3], [0, 1]),
        ("csr_array", [1, 3], [-1], [0, 1]),
        ("csr_matrix", [1, 3], [0], [0, 2]),
        ("csr_matrix", [1, 3], [0], [-1, 1]),
        ("csc_array", [1, 3], [1], [0, 0, 0, 1]),
        ("csc_matrix", [3, 1], [0], [0, 1, 1]),
        ("csr_array", [2, 3], [0], [0, 9, 1]),
        ("csr_array", [2**40, 3], [0], [0, 1]),
    ],
)
def test_sparse_matrices_outside_of_themselves(kind, shape, indices, indptr, tmp_path):
    nodes = [
        ["array", "<f8", [1], "C", True],
        ["array", "<i8", [len(indices)], "C", True],
        ["array", "<i8", [len(indptr)], "C", True],
        ["sparse", kind, shape, {"node": 0}, {"node": 1}, {"node": 2}],
    ]
    arrays = (np.ones(1), np.array(indices), np.array(indptr))
    refused(tmp_path / "model", nodes, *arrays, match="sparse matrix")


def test_few_nodes_do_not_stand_for_many(tmp_path):
    """Tuples of the same tuple twice, fifty times over: hashing the last would never end."""
    twice = [["tuple", [{"node": i}, {"node": i}]] for i in range(50)]
    nodes = [["tuple", [1, 2]], *twice, ["set", [{"node": 50}]]]
    refused(tmp_path / "model", nodes, match="used twice")


def test_the_tables_hold_what_they_say():
    """No name leads to a module's function or to a class that runs commands or reads files."""
    assert not any(
        word in name
        for name in (*OBJECTS, *RECORDS, *TYPES, *FUNCTIONS)
        for word in ("system", "load", "open", "eval", "exec", "Popen", "memmap", "genfrom")
    )
