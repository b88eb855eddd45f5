"""What can be combined with what, and the reason where it cannot.

An estimator is a rule, a keeper and a scheme, learning from rows in memory (`fit`), from batches
(`partial_fit`), from a stream (`fit_stream`) or on a cluster (`ParameterMixing`). Whatever is not
in this table works. Errors, the documentation and the command line read it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

from novikoff._messages import Message, Setting
from novikoff.training.spec import RunSpec

SOURCES = {
    "memory": "in memory",
    "batches": "in batches",
    "stream": "on a stream",
    "cluster": "on a cluster",
}
ANYWHERE = "anywhere"  # a limit whatever the source


class Limit(NamedTuple):
    """A combination that does not work: these settings of a run, from this source of rows."""

    source: str
    settings: dict[str, Any]  # each with its value, or with a function that says whether it counts
    why: Message  # and what to do instead

    @property
    def message(self) -> Message:
        """The reason as a sentence."""
        first, *others = (
            Setting(name) if callable(value) else Setting(name, value)
            for name, value in self.settings.items()
        )
        also = [part for other in others for part in (" with ", other)]
        # In memory everything should be possible: that is not worth saying.
        where = "" if self.source in ("memory", ANYWHERE) else f" {SOURCES[self.source]}"
        return Message(first, *also, f" is not possible{where}: ", self.why, ".")

    def applies(self, spec: RunSpec) -> bool:
        given = ((getattr(spec, name), value) for name, value in self.settings.items())
        return all(value(found) if callable(value) else found == value for found, value in given)


def _limit(source: str, *why: str | Setting, **settings: Any) -> Limit:
    return Limit(source, settings, Message(*why))


def _is_not_additive(rule: Any) -> bool:
    return not rule.ADDITIVE


def _needs_all_of_theta(rule: Any) -> bool:
    return bool(rule.WHOLE)


LIMITS = (
    _limit(
        ANYWHERE, "this rule scales theta as a whole, and joint classes have a theta each, two of "
        "which move: use ", Setting("multi_class", "ovr"), " or ", Setting("multi_class", "ovo"),
        multi_class="joint", rule=_needs_all_of_theta,
    ),
    _limit(
        "memory", "a trace replays updates that add a multiple of the row to theta, and this rule "
        "makes others", record_trace=True, rule=_is_not_additive,
    ),
    _limit(
        "batches", "the pocket measures its candidates on all rows, and a batch is not all of "
        "them: use fit", keep="pocket",
    ),
    _limit("batches", "it needs all rows at once: use fit", early_stopping=True),
    _limit(
        "batches", "it needs all labels at once: compute the weights with "
        "sklearn.utils.compute_class_weight and pass them as a dict", class_weight="balanced",
    ),
    _limit(
        "stream", "the pocket measures the training error of its candidates on all rows, which a "
        "stream does not hold: use fit on a part of the data, or the mean of all hypotheses",
        keep="pocket",
    ),
    _limit(
        "stream", "it draws any row at any time, and a stream has only the next one: use ",
        Setting("order", "cyclic"), ", with ", Setting("shuffle_buffer"), " for a random order",
        order="random",
    ),
    _limit(
        "stream", "the validation rows would have to stay in memory: hold rows out and compare "
        "epochs yourself", early_stopping=True,
    ),
    _limit(
        "stream", "a trace refers to all rows: use fit on a part of the data", record_trace=True
    ),
    _limit(
        "stream", "a stream starts afresh: use partial_fit to go on from a model", warm_start=True
    ),
    _limit("cluster", "a vote has no theta to mix: it keeps every hypothesis", keep="vote"),
    _limit(
        "cluster", "the pocket measures its candidates on all rows, and no worker has them",
        keep="pocket",
    ),
    _limit(
        "cluster", "how often each pair of classes is drawn would have to be drawn even for rounds "
        "that need not run: use ", Setting("order", "shuffled"), order="random", multi_class="ovo",
    ),
    _limit(
        "cluster", "the rows to validate on would have to be the same for all shards: hold rows "
        "out and compare numbers of rounds yourself", early_stopping=True,
    ),
    _limit(
        "cluster", "a mixed theta is no sequence of updates: mistakes_ and audit() tell how a run "
        "went", record_trace=True,
    ),
    _limit("cluster", "every run starts at zero", warm_start=True),
)  # fmt: skip


def limit(spec: RunSpec, source: str) -> Limit | None:
    """The first reason why a run cannot learn from a source, or None."""
    there = (each for each in LIMITS if each.source in (ANYWHERE, source))
    return next((each for each in there if each.applies(spec)), None)


MOST_PAIRED = 30  # classes; more have too many pairs
MOST_PAIRED_WEIGHTS = 2**22  # of all pairs: 32 MB in doubles, and beyond the caches


def settled(spec: RunSpec, n_classes: int | None, width: int | None, source: str) -> RunSpec:
    """The run with the scheme that multi_class="auto" stands for; see docs/design/0024.

    n_classes : None where more may come; width : the number of features, None where more may
    """
    if spec.multi_class != "auto":
        return spec
    if n_classes is None:
        names = ["ovo", "ovr"]
    else:
        light = n_classes == 2 or math.comb(n_classes, 2) * (width or 0) <= MOST_PAIRED_WEIGHTS
        names = ["ovo"] * (n_classes <= MOST_PAIRED and light) + ["joint", "ovr"]
    for name in names:
        possible = replace(spec, multi_class=name)
        if limit(possible, source) is None:
            return possible
    return replace(spec, multi_class=names[0])


def refuse_impossible(spec: RunSpec, source: str) -> None:
    """Raise if a run cannot learn from a source."""
    found = limit(spec, source)
    if found is not None:
        raise ValueError(found.message)
