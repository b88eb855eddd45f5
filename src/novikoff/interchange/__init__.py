"""Models for others: as scikit-learn's own, and as ONNX."""

from novikoff.interchange.onnx import to_onnx
from novikoff.interchange.scikit_learn import to_sklearn

__all__ = ["to_onnx", "to_sklearn"]
