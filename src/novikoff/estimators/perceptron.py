"""The perceptron: the last hypothesis."""

from __future__ import annotations

from novikoff.estimators._parameters import PerceptronParameters, documented, with_defaults
from novikoff.estimators.linear import LinearClassifier


@documented
@with_defaults()
class Perceptron(PerceptronParameters, LinearClassifier):
    """The perceptron (Rosenblatt 1958): predicts with the last hypothesis.

    Visits the examples one by one and, on a mistake, moves the hyperplane: theta <- theta +
    eta y x, theta_0 <- theta_0 + eta y. On linearly separable data it makes at most (R / gamma)^2
    updates, R being the largest norm and gamma the largest margin, and then stops; `status_` is
    "separated". Otherwise it never stops by itself: it ends at `max_iter` with a
    ``ConvergenceWarning``.

    Whether an example is a mistake is decided by the exact sign of y * (theta . x + theta_0) -
    margin, never by a rounded sum, so that dense and sparse rows, batches of any size and any
    number of threads give the same theta, bit for bit.

    Parameters
    ----------
    <parameters>

    Attributes
    ----------
    <attributes>

    Notes
    -----
    Coming from ``sklearn.linear_model.Perceptron``: `shuffle=False` is ``order="cyclic"``; `tol`
    has no counterpart, a run ends when it has converged and not when the loss stalls; for
    `penalty` and `alpha` see `margin` and :class:`AveragedPerceptron`, which regularise without a
    parameter to tune.

    Examples
    --------
    >>> from novikoff import Perceptron
    >>> X = [[2, 1], [1, 3], [-1, -1], [-2, 1]]
    >>> y = ["yes", "yes", "no", "no"]
    >>> clf = Perceptron(order="cyclic").fit(X, y)
    >>> clf.status_, clf.coef_, clf.n_updates_
    ('separated', array([[2., 1.]]), array([1]))
    >>> clf.predict([[3, 0], [-3, 0]])
    array(['yes', 'no'], dtype='<U3')
    """

    kept = "last"
