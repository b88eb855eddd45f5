"""A model of ours as ONNX: a converter of skl2onnx (the extra ``onnx``).

    scores  S = X theta^T + theta_0, in the type of the input
    label   two classes: the second where S >= 0; ovr and joint: the class of the largest score, the
            first of equal ones; ovo: of the largest number of pairs won, plus the sum of the scores
            t of its pairs as t / (3 (|t| + 1))

which is what `predict` and `decision_function` say, but for the rounding of S.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from novikoff.estimators.averaged import AveragedPerceptron
from novikoff.estimators.max_margin import MaxMarginClassifier
from novikoff.estimators.online import OnlineClassifier
from novikoff.estimators.passive_aggressive import PassiveAggressiveClassifier
from novikoff.estimators.perceptron import Perceptron
from novikoff.estimators.pocket import PocketPerceptron
from novikoff.interchange.planes import Planes, planes_of, refuse_ours

__all__ = ["register", "to_onnx"]

_FLOAT, _INT64, _DOUBLE = 1, 7, 11  # of onnx.TensorProto

_LINEAR = (
    AveragedPerceptron, MaxMarginClassifier, OnlineClassifier, PassiveAggressiveClassifier,
    Perceptron, PocketPerceptron,
)  # fmt: skip


def to_onnx(model: Any, X: Any, **options: Any) -> Any:
    """A fitted model, or a pipeline that ends in one, as an ONNX graph.

    Its outputs are ``label`` and ``scores``. Scores are summed in the type of the input, float32 or
    float64, and in another order than here: a label may differ where a score is within rounding of
    the boundary.

    Parameters
    ----------
    model : fitted linear classifier of this library, or a Pipeline that ends in one
    X : array-like
        Rows as the model will be given, for their type and width; one is enough.
    **options
        Of ``skl2onnx.to_onnx``, such as ``target_opset``.

    Returns
    -------
    onnx.ModelProto

    Raises
    ------
    ImportError
        Without skl2onnx: ``pip install 'novikoff[onnx]'``.
    ValueError
        For what predicts with more than hyperplanes, a vote or a kernel; and for a pipeline that
        begins with this library's own encoder of tables.
    """
    register()
    import skl2onnx

    last = model
    if hasattr(model, "steps"):
        refuse_ours((step for _, step in model.steps[:-1]), "ONNX")
        last = model[-1]
    planes_of(last, "ONNX")  # or say why not
    return skl2onnx.to_onnx(model, np.asarray(X)[:1], **options)


def register() -> None:
    """Let skl2onnx know our linear classifiers, wherever they stand in a pipeline."""
    try:
        import skl2onnx
    except ImportError:
        raise ImportError("ONNX needs skl2onnx: pip install 'novikoff[onnx]'.") from None
    for kind in _LINEAR:
        skl2onnx.update_registered_converter(
            kind, f"Novikoff{kind.__name__}", _shapes, _convert, overwrite=True
        )


def _dtype(operator: Any) -> type[np.floating[Any]]:
    """The type in which the scores of an operator are summed: that of its input."""
    from skl2onnx.common.data_types import DoubleTensorType

    double = isinstance(operator.inputs[0].type, DoubleTensorType)
    return np.float64 if double else np.float32


def _width(classes: Any) -> int:
    """How many scores a row has."""
    return len(classes) if len(classes) > 2 else 1


def _shapes(operator: Any) -> None:
    from skl2onnx.common import data_types as types

    n_rows = operator.inputs[0].get_first_dimension()
    classes = operator.raw_operator.classes_
    text = classes.dtype.kind in "UO"
    label = (types.StringTensorType if text else types.Int64TensorType)([n_rows])
    double = _dtype(operator) is np.float64
    scores = types.DoubleTensorType if double else types.FloatTensorType
    operator.outputs[0].type = label
    operator.outputs[1].type = scores([n_rows, _width(classes)])


def _convert(scope: Any, operator: Any, container: Any) -> None:
    from skl2onnx.algebra import onnx_ops

    def op(name: str, *inputs: Any, **options: Any) -> Any:
        kind = getattr(onnx_ops, f"Onnx{name}")
        return kind(*inputs, op_version=container.target_opset, **options)

    planes, dtype = planes_of(operator.raw_operator, "ONNX"), _dtype(operator)
    X = operator.inputs[0]
    if dtype is np.float32:
        X = op("Cast", X, to=_FLOAT)
    S = op("Add", op("MatMul", X, planes.coef.T.astype(dtype)), planes.intercept.astype(dtype))
    scores, number = _decided(S, planes, dtype, op)
    classes, flat = planes.classes, np.array([-1], np.int64)
    values = classes.astype(str) if classes.dtype.kind in "UO" else classes.astype(np.int64)
    found = op("ArrayFeatureExtractor", values, op("Reshape", number, flat))
    label = op("Reshape", found, flat, output_names=operator.outputs[:1])
    shape = np.array([-1, _width(classes)], np.int64)
    shown = op("Reshape", scores, shape, output_names=operator.outputs[1:])
    label.add_to(scope, container)
    shown.add_to(scope, container)


def _decided(S: Any, planes: Planes, dtype: Any, op: Callable[..., Any]) -> tuple[Any, Any]:
    """The decision function, and the number of the class."""
    n_classes = len(planes.classes)
    if n_classes == 2 or planes.scheme == "ovo":
        second = op("GreaterOrEqual", S, np.zeros(1, dtype))
    if n_classes == 2:
        return S, op("Cast", second, to=_INT64)
    if planes.scheme == "ovo":
        sign = np.zeros((len(planes.coef), n_classes), dtype)  # whose score a pair's is
        for k, (i, j) in enumerate(combinations(range(n_classes), 2)):
            sign[k, [i, j]] = -1, 1
        # A class wins the pairs where it is second and S >= 0, and those where it is first and not.
        ones = op("Cast", second, to=_FLOAT if dtype is np.float32 else _DOUBLE)
        first = (sign < 0).sum(axis=0).astype(dtype)
        won = op("Add", op("MatMul", ones, sign), first)
        total = op("MatMul", S, sign)
        size = op("Add", op("Abs", total), np.ones(1, dtype))
        squeezed = op("Div", total, op("Mul", size, np.full(1, 3, dtype)))
        S = op("Add", won, squeezed)
    return S, op("ArgMax", S, axis=1, keepdims=0)
