"""`novikoff compare`: the family side by side."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from novikoff.cli.console import Output, count, note, percent
from novikoff.cli.errors import UsageError
from novikoff.cli.options import AsJson, Data, Seed, TableArguments, takes_table
from novikoff.cli.progress import progress
from novikoff.cli.sources import find, is_libsvm, open_text, stacked, survey

FOLDS = 5
MOST_KERNEL_ROWS = 10_000


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


@takes_table()
def compare(data: Data, seed: Seed = 0, as_json: AsJson = False, *, table: TableArguments) -> None:
    """Compare the family with the majority and with logistic regression, by cross-validation.

    Five stratified folds, the same for all; the error's mean and standard deviation over them.
    """
    output = Output(as_json)
    X, y, name = _load(data, table)
    smallest = _smallest_class(y)
    if smallest < FOLDS:
        raise UsageError(
            f"{name}: the rarest class has {count(smallest, 'row')}; five stratified folds need "
            "5 of each class."
        )
    scores = _cross_validate(X, y, seed)
    output.table(
        ["model", "error", "seconds", "remark"],
        [[s.name, _shown(s), f"{s.seconds:.2f}", s.reason or ""] for s in scores],
        numeric=(1, 2),
    )
    output.line()
    output.line(
        f"{name}: {count(X.shape[0], 'row')}, {count(X.shape[1], 'feature')}, "
        f"{_n_classes(y)} classes. Error on the left-out fold, mean ± standard deviation over "
        f"{FOLDS} folds; seconds to train, all folds together."
    )
    output.document(
        "compare",
        {
            "data": name,
            "rows": X.shape[0],
            "features": X.shape[1],
            "folds": FOLDS,
            "seed": seed,
            "models": [
                {
                    "model": s.name,
                    "errors": s.errors,
                    "mean": s.mean,
                    "sd": s.deviation,
                    "seconds": s.seconds,
                    "remark": s.reason,
                }
                for s in scores
            ],
        },
    )


def _load(data: str, arguments: TableArguments) -> tuple[Any, Any, str]:
    source = find(data)
    if is_libsvm(source, arguments):
        return *stacked(open_text(source)), source.name
    table = survey(source, arguments, scale=True)
    X, y, _ = table.matrix("all")
    note("scale: means and scales are those of all rows, in every fold")
    return X, y, source.name


def _smallest_class(y: Any) -> int:
    import numpy as np

    return int(np.unique(y, return_counts=True)[1].min())


def _n_classes(y: Any) -> int:
    import numpy as np

    return len(np.unique(y))


def _models(seed: int) -> dict[str, Callable[[], Any]]:
    """Fresh models by name, in the order of the table."""
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


def _cross_validate(X: Any, y: Any, seed: int) -> list[Score]:
    import numpy as np
    from sklearn.model_selection import StratifiedKFold

    models = _models(seed)
    scores = {name: Score(name) for name in models}
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(np.zeros(len(y)), y))
    _warm_up(X, y, models)
    with progress("comparing", "fits") as bar:
        for number, (learn, check) in enumerate(folds):
            for place, (name, make) in enumerate(models.items()):
                if scores[name].reason is None or name == "kernel":
                    bar.relabel(f"fold {number + 1}, {name}")
                    _score(scores[name], make(), (X, y, learn, check), seed)
                bar(number * len(models) + place + 1, FOLDS * len(models))
    return list(scores.values())


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
    if score.name == "margin" and _n_classes(y) > 2:
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


def _shown(score: Score) -> str:
    if score.mean is None or score.deviation is None:
        return "-"
    return f"{percent(score.mean)} ± {percent(round(score.deviation, 6))}"
