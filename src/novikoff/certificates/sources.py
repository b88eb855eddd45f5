"""Designs from where users are: arrays and frames, models of statsmodels.

statsmodels is not imported: who passes one of its objects has it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.certificates.design import FAMILY, Design, described


def as_design(X: Any, y: Any, **details: Any) -> Design:
    """What a user passed, as a design."""
    if not brings_all(X):
        return described(X, y, **details)
    usual = {"family": FAMILY, "fit_intercept": True}
    said = ["y"] * (y is not None)
    for name, value in details.items():
        if value is not None and not (name in usual and value == usual[name]):
            said.append(name)
    if said:
        what = "A design" if isinstance(X, Design) else "A model of statsmodels"
        raise ValueError(
            f"{what} brings its own outcomes, its family and all the rest; leave out "
            f"{', '.join(said)}."
        )
    if isinstance(X, Design):
        return X
    if getattr(X, "k_constr", 0):
        raise ValueError(
            "This was fitted under constraints, which is another question. Ask about a design in "
            "which they are substituted."
        )
    return model_design(getattr(X, "model", X))


def brings_all(X: Any) -> bool:
    """Whether X is a question of its own: a design, or a model or a result of statsmodels."""
    return isinstance(X, Design) or type(X).__module__.startswith("statsmodels.")


def count(n: int, what: str) -> str:
    return f"{n} {what}" + "s" * (n != 1)


# ------------------------------------------------------------------------ statsmodels


def model_design(model: Any) -> Design:
    """The design of a model of statsmodels; offsets and exposure do not matter to existence."""
    kind = type(model).__name__
    if kind not in MODELS:
        raise ValueError(
            f"statsmodels' {kind} is none of the models that can be asked about: "
            f"{', '.join(MODELS)}."
        )
    if getattr(model, "exog", None) is None:
        raise ValueError("This has no data any more (remove_data); ask about the model itself.")
    design: Design = MODELS[kind](model)
    n = len(model.endog)
    notes = []
    gone = np.array(getattr(model.data, "missing_row_idx", None) or [], np.int64)
    if len(gone):
        notes.append(f"statsmodels left out {count(len(gone), 'row')} with missing values.")
    used = np.flatnonzero(_weights(model))
    if len(used) < n:
        notes.append(f"{count(n - len(used), 'row')} of weight 0 left out.")
    beside = [getattr(model, name, None) for name in ("offset", "exposure")]
    shifts = [np.asarray(given, float)[used] for given in beside if np.any(given)]
    for shift in shifts:  # statsmodels keeps the logarithm of the exposure
        bad = used[~np.isfinite(shift)]
        if len(bad):
            raise ValueError(
                f"The offset or exposure of row {bad[0]} of the model is not a finite number, or "
                "not positive: such a row says nothing. Leave it out."
            )
    if shifts:
        notes.append("Offset and exposure do not matter to the existence of estimates.")
    names = tuple(map(str, model.exog_names))[: model.exog.shape[1]]
    rows = np.setdiff1d(np.arange(n + len(gone)), gone)[used]
    return replace(
        design.with_beside(taken(part, used) for part in design.beside),
        X=np.asarray(model.exog)[used], y=np.asarray(design.y)[used], fit_intercept=False,
        names=names, notes=tuple(notes), rows=rows if len(rows) < n + len(gone) else None,
        n_rows=n + len(gone),
    )  # fmt: skip


def _weights(model: Any) -> Any:
    """Per row a number that is zero if the row does not count."""
    weights = np.ones(len(model.endog))
    for name in ("freq_weights", "var_weights", "n_trials"):
        given = getattr(model, name, None)
        weights = weights if given is None else weights * np.asarray(given)
    return weights


def _binary(model: Any) -> Design:
    """Outcomes that may also be shares."""
    y = np.asarray(model.endog, np.float64)
    return Design(model.exog, np.column_stack([y, 1.0 - y]), "binomial")


def _poisson(model: Any) -> Design:
    return Design(model.exog, model.endog, "poisson")


def _glm(model: Any) -> Design:
    family, link = type(model.family).__name__, type(model.family.link).__name__
    accepted = {
        "Binomial": ("Logit", "Probit", "CLogLog", "LogLog"), "Poisson": ("Log",),
        "NegativeBinomial": ("Log",),
    }  # fmt: skip
    if link not in accepted.get(family, ()):
        allowed = "; ".join(f"{name} with {', '.join(links)}" for name, links in accepted.items())
        raise ValueError(
            f"A GLM of the family {family} with the link {link} is none that can be asked about: "
            f"{allowed}. (Of others it is another question.)"
        )
    return _binary(model) if family == "Binomial" else _poisson(model)


def _multinomial(model: Any) -> Design:
    labels = tuple(str(model._ynames_map[k]) for k in range(int(model.J)))
    return _of_classes(model, "multinomial", labels)


def _ordered(model: Any) -> Design:
    name = getattr(model.distr, "name", type(model.distr).__name__)
    if name not in ("norm", "logistic"):
        raise ValueError(
            f"OrderedModel with the distribution {name} is none that can be asked about: logit and "
            "probit are."
        )
    return _of_classes(model, "ordinal", tuple(map(str, model.labels)))


def _of_classes(model: Any, family: str, labels: tuple[str, ...]) -> Design:
    """Outcomes that are numbers of classes, all of which must occur."""
    y = np.asarray(model.endog, np.int64)
    never = np.flatnonzero(np.bincount(y, minlength=len(labels)) == 0)
    if len(never):
        raise ValueError(
            f"The class {labels[never[0]]!r} never occurs in the model's outcomes, so its "
            "coefficients cannot be estimated. Remove it from the categories."
        )
    return Design(model.exog, y, family, classes=labels)


def _cox(model: Any) -> Design:
    status = np.ones(len(model.endog)) if model.status is None else model.status
    entry = model.entry
    if entry is not None:  # statsmodels has a row at risk from its entry on, at that time too
        entry = np.nextafter(np.asarray(entry, np.float64), -np.inf)
    y = np.column_stack([model.endog, np.asarray(status, np.float64)])
    return Design(model.exog, y, "cox", entry=entry, strata=model.strata)


def _conditional(model: Any) -> Design:
    return Design(model.exog, model.endog, "conditional", groups=model.groups)


MODELS = {
    "Logit": _binary, "Probit": _binary, "GLM": _glm, "Poisson": _poisson, "MNLogit": _multinomial,
    "OrderedModel": _ordered, "PHReg": _cox, "ConditionalLogit": _conditional,
}  # fmt: skip


def taken(values: Any, rows: Any) -> Any:
    """Some rows of a column, which keeps its type."""
    if values is None:
        return None
    if hasattr(values, "iloc"):
        return values.iloc[rows]
    return values.gather(rows) if hasattr(values, "gather") else np.asarray(values)[rows]
