"""The family side by side, by cross-validation.

A table is encoded once, unscaled; its means and scales are taken anew in every fold, because rows
that a model is judged by must not have a say in how it sees the others.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import asdict, dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from novikoff.analysis.wording import count
from novikoff.analysis.worker import FEW_NUMBERS, n_numbers

if TYPE_CHECKING:
    from novikoff.streams.tables.table import Table


MODULE = "novikoff.analysis.compare"
FOLDS = 5
MOST_KERNEL_ROWS = 10_000
MOST_KEPT = 50_000_000  # numbers, in all folds together, that are kept as the folds see them
MARGIN = 1.0  # of the margin rule
ABOUT = {  # what each of them is, in the order in which they are shown
    "majority": "always the commonest class",
    "last": "perceptron, its last hypothesis",
    "averaged": "perceptron, the mean of all hypotheses",
    "voted": "perceptron, all hypotheses vote",
    "pocket": "perceptron, the best hypothesis met",
    "margin": "perceptron, the last hypothesis with the margin rule, β = 1",
    "passive-aggressive": "PA-I with C = 1, the mean of all hypotheses",
    "AROW": "AROW with r = 1 and a variance for every feature, the mean of all hypotheses",
    "kernel": "perceptron with an RBF kernel: curved boundaries",
    "logistic regression": "of scikit-learn, for comparison",
}
QUICKEST_FIRST = (
    "majority", "last", "averaged", "margin", "passive-aggressive", "AROW", "pocket",
    "logistic regression", "kernel", "voted",
)  # fmt: skip

Progress = Callable[[str, int, int], None]


@dataclass
class Score:
    """How one model did, fold by fold."""

    name: str
    errors: list[float] = field(default_factory=list)
    seconds: float = 0.0
    reason: str | None = None  # what to know about it

    @property
    def mean(self) -> float:
        return sum(self.errors) / len(self.errors)

    @property
    def deviation(self) -> float:
        """The standard deviation over the folds, with n - 1."""
        squares = sum((error - self.mean) ** 2 for error in self.errors)
        return float((squares / (len(self.errors) - 1)) ** 0.5)


def n_folds(rarest: int) -> int:
    """Five folds, or fewer if the rarest class has fewer rows; 0 if there can be no two."""
    return min(FOLDS, rarest) if rarest >= 2 else 0


def cross_validate(
    X: Any,
    y: Any,
    seed: int,
    *,
    folds: int = FOLDS,
    numbers: list[Number] | None = None,
    names: Iterable[str] = ABOUT,
    progress: Progress | None = None,
) -> Iterator[Score]:
    """The scores of these models on the same stratified folds, each as soon as it is known.

    numbers : features to be filled in and standardised, in each fold by its training rows
    progress : called with (what is being fitted, fits done, fits in all)
    """
    import numpy as np
    from sklearn.model_selection import StratifiedKFold

    models = {name: _models(seed)[name] for name in names}
    split = StratifiedKFold(folds, shuffle=True, random_state=seed)
    parts = list(split.split(np.zeros(len(y)), y))

    @lru_cache(maxsize=folds if n_numbers(X) * folds <= MOST_KEPT else 0)
    def seen(fold: int) -> Any:
        """All rows as they are seen in a fold; made once for all models where there is room."""
        return prepared(X, numbers or [], parts[fold][0])

    threads = _threads(X)
    with threads():
        _warm_up(X, y, models)
    for place, (name, make) in enumerate(models.items()):
        score = Score(name)
        for number, (learn, check) in enumerate(parts):
            if progress is not None:
                what = f"{name}, fold {number + 1}"
                progress(what, place * folds + number, folds * len(models))
            with threads():
                _score(score, make(), (seen(number), y, learn, check), seed)
        yield score


def _threads(X: Any) -> Callable[[], AbstractContextManager[Any]]:
    """What keeps BLAS to one thread where several would wait for each other most of the time."""
    from threadpoolctl import ThreadpoolController

    if n_numbers(X) > FEW_NUMBERS:
        return nullcontext
    return partial(ThreadpoolController().limit, limits=1, user_api="blas")


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
        "margin": lambda: novikoff.Perceptron(margin=MARGIN, max_iter=10, random_state=seed),
        "passive-aggressive": lambda: novikoff.PassiveAggressiveClassifier(
            average=True, random_state=seed
        ),
        "AROW": lambda: novikoff.OnlineClassifier(
            novikoff.rules.AROW(), keep="mean", random_state=seed
        ),
        "kernel": lambda: novikoff.KernelPerceptron(vote="averaged", random_state=seed),
        "logistic regression": lambda: LogisticRegression(max_iter=1000),
    }


def _warm_up(X: Any, y: Any, models: dict[str, Callable[[], Any]]) -> None:
    """Load and compile everything, so that the table shows running times."""
    import numpy as np

    few = np.concatenate([np.flatnonzero(y == label)[:FOLDS] for label in np.unique(y)])
    for make in models.values():
        with suppress(ValueError), warnings.catch_warnings(action="ignore"):
            make().fit(X[few], y[few]).predict(X[few])


def _score(score: Score, model: Any, fold: tuple[Any, Any, Any, Any], seed: int) -> None:
    """Train on one fold and measure on what it leaves out."""
    import numpy as np
    from sklearn.exceptions import ConvergenceWarning

    X, y, learn, check = fold
    if score.name == "kernel" and len(learn) > MOST_KERNEL_ROWS:
        learn = drawn(learn, seed)
        score.reason = f"trained on {count(MOST_KERNEL_ROWS, 'row')} of each fold, drawn at random"
    begin = time.perf_counter()
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        model.fit(X[learn], y[learn])
    score.seconds += time.perf_counter() - begin
    score.errors.append(float(np.mean(model.predict(X[check]) != y[check])))


def drawn(rows: Any, seed: int, most: int = MOST_KERNEL_ROWS) -> Any:
    """So many of the rows, or of the first n, in their order; by default, for the kernel."""
    import numpy as np

    return np.sort(np.random.RandomState(seed).choice(rows, most, replace=False))


# ------------------------------------------------------------------- the other process


def answer(X: Any, codes: Any, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Scores, those first that take least time.

    question : seed; folds; numbers, the documents of :class:`novikoff.analysis.compare.Number`
    """
    numbers = [Number(*entry) for entry in question["numbers"]]
    for score in cross_validate(
        X, codes, question["seed"], folds=question["folds"], numbers=numbers, names=QUICKEST_FIRST
    ):
        yield asdict(score)


class Number(NamedTuple):
    """A feature that holds numbers.

    feature : its place
    mark : the place of the feature that marks its missing cells; None if none is missing
    scaled : whether it is to be standardised
    """

    feature: int
    mark: int | None
    scaled: bool


def numbers_of(table: Table, *, scale: bool) -> list[Number]:
    """The numeric features of a table; flags are numbers that are never standardised."""
    from novikoff.streams.tables.state import names_of

    found, first = [], 0
    for column in table.encoder.columns_:
        parts = len(column.get("parts", ()))
        mark = first + parts if parts and column["missing"] else None
        scaled = scale and column["kind"] != "flag"
        found += [Number(first + k, mark, scaled) for k in range(parts)]
        first += len(names_of(column))
    return found


def prepared(X: Any, numbers: list[Number], learn: Any) -> Any:
    """All rows, as seen by who knows the rows `learn` only; X itself if there is nothing to do."""
    import numpy as np
    import scipy.sparse as sp

    from novikoff.geometry.sparse import dense

    numbers = [number for number in numbers if number.scaled or number.mark is not None]
    if not numbers:
        return X
    features = [number.feature for number in numbers]
    columns = dense(X[:, features])
    for k, number in enumerate(numbers):
        missing = np.zeros(len(columns), bool)
        if number.mark is not None:
            missing = dense(X[:, [number.mark]])[:, 0] != 0
        _prepare(columns[:, k], missing, learn, number.scaled)
    if not sp.issparse(X):
        X = X.copy()
        X[:, features] = columns
        return X
    others = np.setdiff1d(np.arange(X.shape[1]), features)
    order = np.argsort(np.concatenate([others, features]))
    return sp.csr_array(sp.hstack([X[:, others], sp.csr_array(columns)], format="csr")[:, order])


def _prepare(column: Any, missing: Any, learn: Any, scaled: bool) -> None:
    """Fill in and standardise one column, in place."""
    known = column[learn][~missing[learn]]
    mean = known.mean() if len(known) else 0.0
    column[missing] = mean
    if scaled:
        column -= mean
        column /= (known.std() if len(known) else 0.0) or 1.0
