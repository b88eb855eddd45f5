"""`novikoff compare`: the family side by side."""

from __future__ import annotations

from typing import Any

from novikoff.analysis.compare import FOLDS, Score, cross_validate, smallest_class
from novikoff.analysis.wording import count, percent
from novikoff.cli.console import Output, note
from novikoff.cli.errors import UsageError
from novikoff.cli.options import AsJson, Data, Seed, TableArguments, takes_table
from novikoff.cli.progress import progress
from novikoff.cli.sources import find, is_libsvm, load, survey


@takes_table()
def compare(data: Data, seed: Seed = 0, as_json: AsJson = False, *, table: TableArguments) -> None:
    """Compare the family with the majority and with logistic regression, by cross-validation.

    Five stratified folds, the same for all; the error's mean and standard deviation over them.
    """
    output = Output(as_json)
    X, y, name = _load(data, table)
    smallest = smallest_class(y)
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
        f"{len(set(y.tolist()))} classes. Error on the left-out fold, mean ± standard deviation "
        f"over {FOLDS} folds; seconds to train, all folds together."
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
        loaded = load(source, arguments)
        return loaded.X, loaded.y, source.name
    table = survey(source, arguments, scale=True)
    X, y, _ = table.matrix("all")
    note("scale: means and scales are those of all rows, in every fold")
    return X, y, source.name


def _cross_validate(X: Any, y: Any, seed: int) -> list[Score]:
    with progress("comparing", "fits") as bar:

        def tell(what: str, done: int, total: int) -> None:
            bar.relabel(what)
            bar(done, total)

        return list(cross_validate(X, y, seed, progress=tell))


def _shown(score: Score) -> str:
    if score.mean is None or score.deviation is None:
        return "-"
    return f"{percent(score.mean)} ± {percent(round(score.deviation, 6))}"
