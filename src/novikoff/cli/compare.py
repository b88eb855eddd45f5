"""`novikoff compare`: the family side by side."""

from __future__ import annotations

from novikoff.analysis.compare import FOLDS, Score, cross_validate, n_folds, numbers_of
from novikoff.analysis.wording import count, label, percent, spoken
from novikoff.cli.console import Output, note
from novikoff.cli.errors import UsageError
from novikoff.cli.options import AsJson, Data, Seed, TableArguments, takes_table
from novikoff.cli.progress import progress
from novikoff.cli.sources import Loaded, find, load


@takes_table()
def compare(data: Data, seed: Seed = 0, as_json: AsJson = False, *, table: TableArguments) -> None:
    """Compare the family with the majority and with logistic regression, by cross-validation.

    Five stratified folds (fewer if a class has fewer rows), the same for all; the error's mean and
    standard deviation over them. Means and scales are those of each fold's training rows.
    """
    output = Output(as_json)
    loaded = _load(data, table)
    X, y, name = loaded.X, loaded.y, loaded.name
    folds = _folds(loaded)
    numbers = [] if loaded.table is None else numbers_of(loaded.table, scale=not table.no_scale)
    with progress("comparing", "fits") as bar:
        scores = list(cross_validate(X, y, seed, folds=folds, numbers=numbers, progress=bar.tell))
    output.table(
        ["model", "error", "seconds", "remark"],
        [[s.name, _shown(s), f"{s.seconds:.2f}", s.reason or ""] for s in scores],
        numeric=(1, 2),
    )
    output.line()
    output.line(
        f"{name}: {count(X.shape[0], 'row')}, {count(X.shape[1], 'feature')}, "
        f"{len(set(y.tolist()))} classes. Error on the left-out fold, mean ± standard deviation "
        f"over {folds} folds; seconds to train, all folds together."
    )
    output.document(
        "compare",
        {
            "data": data,
            "rows": X.shape[0],
            "features": X.shape[1],
            "folds": folds,
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


def _load(data: str, arguments: TableArguments) -> Loaded:
    loaded = load(find(data, arguments), arguments)
    if loaded.table is None:
        note("scale: nothing is scaled: the numbers of the text are learned from as they are")
        if loaded.weights is not None:
            note("weight: every row counts once; the weights in the text are not used here")
    elif not arguments.no_scale:
        note(
            "scale: numeric columns are standardised; means and scales, and the means in place of "
            "missing cells, are those of each fold's training rows"
        )
    return loaded


def _folds(loaded: Loaded) -> int:
    """Five, or as many as the rarest class has rows; two at least."""
    import numpy as np

    classes, counts = np.unique(loaded.y, return_counts=True)
    rarest = spoken(label(classes[counts.argmin()].item()))
    folds = n_folds(int(counts.min()))
    if not folds:
        raise UsageError(
            f"{loaded.name}: there is only one row of {rarest}. To be compared, a class must have "
            "two rows: one to learn from, one to be judged by. Add rows, or take that one out."
        )
    if folds < FOLDS:
        note(f"folds: {folds}, not {FOLDS}: there are only {count(folds, 'row')} of {rarest}")
    return folds


def _shown(score: Score) -> str:
    return f"{percent(score.mean)} ± {percent(round(score.deviation, 6))}"
