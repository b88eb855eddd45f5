"""What a checkpoint must have in common with the run that takes it up.

Its parts go together by then (`checkpoint.py`). That they are right for this estimator and these
rows must be seen as well, for kernels would follow wrong ones anywhere.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from novikoff.persistence.errors import require
from novikoff.streams.standing import Standing
from novikoff.training.matrix import theta_dtype
from novikoff.training.schemes import closed_scheme, open_scheme


def check_estimator(standing: Standing, estimator: Any, *, voted: bool, votes: bool) -> None:
    """Refuse the standing of another estimator; `voted` if it has a history, `votes` if it must."""
    state, scheme = standing.state, standing.scheme
    require(voted == votes, "it has a history that is not asked for, or lacks one.")
    require((state.sums is not None) == estimator._averaged, "it is no mean's, or lacks its sums.")
    require(state.constant == float(estimator.fit_intercept), "it has another offset.")
    made = open_scheme if scheme.open else closed_scheme
    require(
        scheme == made(estimator.multi_class, scheme.n_classes)
        and not (scheme.open and (standing.n_epochs or standing.status)),
        "it has the hyperplanes of another scheme.",
    )


def check_rows(standing: Standing, labels: NDArray[Any], X: Any, *, growing: bool) -> None:
    """Refuse a standing that is not for the rows X, as wide as theta should be.

    labels : of all rows or, while they are `growing`, of those read so far
    """
    theta = standing.state.theta
    require(
        set(standing.classes.tolist()) <= set(labels.tolist())
        and (growing or len(standing.classes) == len(labels))
        and standing.scheme.open == growing
        and theta.dtype == theta_dtype(X.dtype)
        and theta.shape[1] == X.shape[1],
        "its weights are not for these rows.",
    )
