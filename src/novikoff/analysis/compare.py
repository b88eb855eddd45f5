"""The family side by side, by cross-validation."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from novikoff.analysis.wording import count

MODULE = "novikoff.analysis.compare"
FOLDS = 5
MOST_KERNEL_ROWS = 10_000
NAMES = (
    "majority", "last", "averaged", "voted", "pocket", "margin", "kernel", "logistic regression"
)  # fmt: skip
QUICKEST_FIRST = (
    "majority", "last", "averaged", "pocket", "logistic regression", "kernel", "voted", "margin"
)  # fmt: skip

Progress = Callable[[str, int, int], None]


@dataclass
class Score:
    """How one model did, fold by fold."""

    name: str
    errors: list[float] = field(default_factory=list)
    seconds: float = 0.0
    reason: str | None = None  # why there is no result, or what to know about it

    @property
    def mean(self) -> float | None:
        return sum(self.errors) / FOLDS if len(self.errors) == FOLDS else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation over the folds, with n - 1."""
        if self.mean is None:
            return None
        squares = sum((error - self.mean) ** 2 for error in self.errors)
        return float((squares / (FOLDS - 1)) ** 0.5)


def smallest_class(y: Any) -> int:
    """How many rows the rarest class has; there must be as many as folds."""
    import numpy as np

    return int(np.unique(y, return_counts=True)[1].min())


def cross_validate(
    X: Any,
    y: Any,
    seed: int,
    *,
    names: Iterable[str] = NAMES,
    progress: Progress | None = None,
) -> Iterator[Score]:
    """The scores of these models on the same five stratified folds, each as soon as it is known.

    progress : called with (what is being fitted, fits done, fits in all)
    """
    import numpy as np
    from sklearn.model_selection import StratifiedKFold

    models = {name: _models(seed)[name] for name in names}
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(np.zeros(len(y)), y))
    _warm_up(X, y, models)
    for place, (name, make) in enumerate(models.items()):
        score = Score(name)
        for number, (learn, check) in enumerate(folds):
            if progress is not None:
                what = f"{name}, fold {number + 1}"
                progress(what, place * FOLDS + number, FOLDS * len(models))
            if score.reason is None or name == "kernel":
                _score(score, make(), (X, y, learn, check), seed)
        yield score


def _models(seed: int) -> dict[str, Callable[[], Any]]:
    """Fresh models by name."""
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression

    import novikoff

    return {
        "majority": lambda: DummyClassifier(strategy="most_frequent"),
        "last": lambda: novikoff.Perceptron(max_iter=10, random_state=seed),
        "averaged": lambda: novikoff.AveragedPerceptron(random_state=seed),
        "voted": lambda: novikoff.VotedPerceptron(random_state=seed),
        "pocket": lambda: novikoff.PocketPerceptron(max_iter=10, random_state=seed),
        "margin": novikoff.MaxMarginClassifier,
        "kernel": lambda: novikoff.KernelPerceptron(vote="averaged", random_state=seed),
        "logistic regression": lambda: LogisticRegression(max_iter=1000),
    }


def _warm_up(X: Any, y: Any, models: dict[str, Callable[[], Any]]) -> None:
    """Load and compile everything, so that the table shows running times."""
    import numpy as np

    few = np.concatenate([np.flatnonzero(y == label)[:FOLDS] for label in np.unique(y)])
    for make in models.values():
        with suppress(ValueError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            make().fit(X[few], y[few]).predict(X[few])


def _score(score: Score, model: Any, fold: tuple[Any, Any, Any, Any], seed: int) -> None:
    """Train on one fold and measure on what it leaves out."""
    import numpy as np
    from sklearn.exceptions import ConvergenceWarning

    from novikoff import NotSeparableError

    X, y, learn, check = fold
    if score.name == "margin" and len(np.unique(y)) > 2:
        score.reason = "two classes only"
        return
    if score.name == "kernel" and len(learn) > MOST_KERNEL_ROWS:
        learn = drawn(learn, seed)
        score.reason = f"trained on {count(MOST_KERNEL_ROWS, 'row')} of each fold, drawn at random"
    begin = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X[learn], y[learn])
    except NotSeparableError:
        score.reason = "not separable, so there is no margin"
        score.errors.clear()
        return
    finally:
        score.seconds += time.perf_counter() - begin
    score.errors.append(float(np.mean(model.predict(X[check]) != y[check])))


def drawn(rows: Any, seed: int) -> Any:
    """As many of the rows as the kernel perceptron is given, in their order."""
    import numpy as np

    return np.sort(np.random.RandomState(seed).choice(rows, MOST_KERNEL_ROWS, replace=False))


# ------------------------------------------------------------------- the other process


def get_ready(sparse: bool) -> None:
    """Load what every model needs."""
    import numpy as np
    import scipy.sparse as sp

    X: Any = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    _warm_up(sp.csr_array(X) if sparse else X, np.array([0, 1, 1, 1]), _models(0))


def answer(X: Any, codes: Any, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Scores, those first that take least time; question : seed."""
    for score in cross_validate(X, codes, question["seed"], names=QUICKEST_FIRST):
        yield asdict(score)
