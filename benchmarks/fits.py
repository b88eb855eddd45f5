"""Fitting and predicting against scikit-learn, on one thread.

Two estimators see the same rows for the same number of epochs, in the same order or, shuffled, both
in a random one: the default of either.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks import sets
from benchmarks.lines import Line
from benchmarks.work import (
    Work,
    averaged,
    decide,
    last,
    predict,
    their_average,
    their_last,
    whole,
)

SHUFFLED = {
    "MNIST, 8 against the rest, standardised": sets.scaled_eight,
    "covtype, standardised": sets.scaled_covtype,
    "IMDB tf-idf, CSR": sets.tfidf,
    "a9a, CSR": sets.a9a,
    "letter-like, 26 classes": sets.letter,
    "MNIST, ten classes, float32 pixels": sets.digits_of_mnist,
}
WORKS = [
    Work("MNIST, 8 against the rest, standardised", sets.scaled_eight, last(), their_last(), 3.0),
    Work("covtype, standardised", sets.scaled_covtype, last(), their_last(), 3.0),
    Work("covtype, standardised, averaged", sets.scaled_covtype, averaged(), their_average(), 4.0),
    Work("IMDB tf-idf, CSR", sets.tfidf, last(), their_last(), 2.5),
    Work("IMDB tf-idf, CSR, averaged", sets.tfidf, averaged(), their_average(), 5.0),
    Work("IMDB tf-idf, mixed, CSR", sets.mixed_tfidf, last(), their_last(), 1.0),
    Work("IMDB tf-idf, mixed, CSR, averaged", sets.mixed_tfidf, averaged(), their_average(), 1.0),
    Work("a9a, CSR", sets.a9a, last(), their_last(), 2.0),
    Work("a9a, CSR, averaged", sets.a9a, averaged(), their_average(), 3.0),
    Work("letter-like, 26 classes", sets.letter, last(), their_last(), 5.0),
    Work("sector-like, 105 classes, CSR", sets.sector, last(), their_last(), 8.0),
    Work("digits, ten classes", sets.digits, last(), their_last(), 8.0),
    Work("MNIST, 8 against the rest, float32 pixels", sets.eight, last(), their_last(), 6.0),
    Work("MNIST, 8 against the rest, float64 pixels", partial(sets.eight, "float64"),
         last(), their_last(), 6.0),
    Work("MNIST, 8 against the rest, uint8", partial(sets.eight, "uint8"),
         last(), their_last(), 6.0),
    Work("MNIST, ten classes, float32 pixels", sets.digits_of_mnist, last(), their_last(), 20.0),
    Work("MNIST, ten classes, float32 pixels, averaged", sets.digits_of_mnist,
         averaged(), their_average(), 20.0),
    Work("MNIST, ten classes, standardised", sets.scaled_digits, last(), their_last(), 1.0),
    Work("covtype, int16", sets.covtype, last(), their_last(), 3.0),
    Work("IMDB counts, CSR float32", sets.imdb, last(), their_last(), 2.0),
    Work("IMDB counts, CSR float32, averaged", sets.imdb, averaged(), their_average(), 4.5),
    Work("20 classes, 100 000 x 50 000 CSR", sets.twenty_classes, last(), their_last(), 6.0),
    Work("72 x 7 000, standardised", sets.genes, last(), their_last(), 1.0),
    *(
        Work(f"{name}, shuffled", rows, last("shuffled"), their_last(shuffle=True), 1.0)
        for name, rows in SHUFFLED.items()
    ),
    Work("predict, covtype, standardised", sets.scaled_covtype, last(), their_last(), 1.2, predict),
    Work("predict, MNIST, 8 against the rest, standardised", sets.scaled_eight,
         last(), their_last(), 2.0, predict),
    Work("predict, MNIST, ten classes, float32", sets.digits_of_mnist,
         last(), their_last(), 2.0, predict),
    Work("predict, IMDB tf-idf, CSR", sets.tfidf, last(), their_last(), 1.2, predict),
    Work("predict, 20 classes, 100 000 x 50 000 CSR", sets.twenty_classes,
         last(), their_last(), 1.2, predict),
    Work("predict, letter-like, 26 classes, pairs", sets.letter,
         last(multi_class="ovo"), their_last(), None, predict),
    Work("decision_function, MNIST, ten classes, float32", sets.digits_of_mnist,
         last(), their_last(), 1.0, decide),
    Work("decision_function, letter-like, 26 classes", sets.letter,
         last(), their_last(), 1.0, decide),
    Work("fit, predict and score, MNIST, standardised", sets.scaled_eight,
         last(), their_last(), 1.0, whole),
    Work("fit, predict and score, covtype, standardised", sets.scaled_covtype,
         last(), their_last(), 1.0, whole),
    Work("fit, predict and score, a9a, CSR", sets.a9a, last(), their_last(), 1.0, whole),
]  # fmt: skip


def tasks(repeat: int) -> dict[str, Callable[[], Line]]:
    """What is measured, in `repeat` turns each."""
    return {work.name: partial(work.measured, repeat) for work in WORKS}
