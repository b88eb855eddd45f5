"""Training on many machines: iterative parameter mixing on Dask.

`ParameterMixing` trains a perceptron on rows that lie in shards on the workers of a Dask cluster.
Needs ``pip install "novikoff[dask]"``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from novikoff.distributed.audit import MixingAudit
    from novikoff.distributed.cluster import ClusterError
    from novikoff.distributed.mixing import ParameterMixing
    from novikoff.distributed.shard import ShardError

__all__ = ["ClusterError", "MixingAudit", "ParameterMixing", "ShardError"]

_HOMES = {
    "ClusterError": "cluster",
    "MixingAudit": "audit",
    "ParameterMixing": "mixing",
    "ShardError": "shard",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'novikoff.distributed' has no attribute {name!r}")
    value = getattr(import_module(f"novikoff.distributed.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
