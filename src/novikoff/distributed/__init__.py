"""Training on many machines: iterative parameter mixing on Dask.

`ParameterMixing` trains a perceptron on rows that lie in shards on the workers of a Dask cluster.
Needs ``pip install "novikoff[dask]"``; Dask itself is imported when a model is fitted.
"""

from novikoff.distributed.audit import MixingAudit
from novikoff.distributed.cluster import ClusterError
from novikoff.distributed.mixing import ParameterMixing
from novikoff.distributed.shard import ShardError

__all__ = ["ClusterError", "MixingAudit", "ParameterMixing", "ShardError"]
