"""The perceptron's run on all features against the bound of Block and Novikoff. In a worker."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from novikoff.analysis.wording import grouped, number
from novikoff.reports.pictures import picture

if TYPE_CHECKING:
    from novikoff.trace import Trace

MODULE = "novikoff.reports.bound"
EPOCHS = 10_000


def answer(X: Any, codes: Any, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The run's picture and numbers, or {"reason": why there are none}.

    question : positive, the label that is +1
    """
    from novikoff.displays import BoundDisplay

    trace = traced(X, codes == question["classes"].index(question["positive"]), EPOCHS)
    if trace.status != "separated":
        updates, epochs = grouped(len(trace)), grouped(trace.n_epochs)
        yield {
            "reason": f"The run still made mistakes after {epochs} epochs and {updates} updates."
        }
        return
    audit = trace.audit()
    if not audit.covered or audit.n_updates == 0:
        yield {"reason": audit.reason or "The run made no update."}
        return
    display = BoundDisplay.from_trace(trace, max_margin=audit.max_margin)
    about = (
        f"The proof's chain of inequalities over the updates, on logarithmic axes: {len(trace)} "
        f"updates, all of them between the two lines that meet at {number(audit.bound)}; below, "
        "the cosine of the angle between θ and θ*, above its floor."
    )
    yield {
        "picture": picture(display, about),
        "updates": len(trace),
        "epochs": trace.n_epochs,
        "bound": float(audit.bound),
        "radius": float(audit.radius),
        "gamma": float(audit.gamma),
        "holds": bool(audit.holds),
    }


def traced(X: Any, side: Any, epochs: int) -> Trace:
    """The run of the plain perceptron: the last hypothesis, rows in their order."""
    from novikoff import Perceptron

    model = Perceptron(order="cyclic", max_iter=epochs, record_trace=True)
    with warnings.catch_warnings(action="ignore"):  # what became of the run is told
        trace: Trace = model.fit(X, side).trace_
    return trace
