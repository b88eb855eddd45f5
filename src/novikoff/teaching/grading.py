"""Grading files: which are submissions, and the verdict on each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from novikoff.teaching.checking import judge
from novikoff.teaching.isolation import MEMORY, SECONDS, Submission
from novikoff.teaching.task import Task
from novikoff.teaching.verdict import Verdict

_SUFFIXES = (".py", ".ipynb")


def submissions(path: Path) -> list[tuple[str, Path]]:
    """(name, file) of each: a file; the files of a folder; or one file in each folder of it.

    A folder with several files is the submission `solution.py` in it, and its files may import
    each other.
    """
    if path.is_file():
        return [(path.name, path)]
    found = []
    for entry in sorted(path.iterdir()):
        if entry.name.startswith((".", "_")):
            continue
        if entry.is_file() and entry.suffix in _SUFFIXES:
            found.append((entry.name, entry))
        elif entry.is_dir():
            files = [file for file in sorted(entry.iterdir()) if file.suffix in _SUFFIXES]
            named = [file for file in files if file.stem == "solution"]
            if named or len(files) == 1:
                found.append((entry.name, (named or files)[0]))
    if not found:
        raise ValueError(f"{path} has no submissions: .py or .ipynb files, or folders of them.")
    return found


def grade(
    path: Path, function: str, task: Task, points: Any = None, *, seconds: float = SECONDS,
    memory: int = MEMORY, language: str = "en",
) -> Iterator[Verdict]:  # fmt: skip
    """The verdict on each submission in a file or folder, each in a process of its own."""
    for name, file in submissions(path):
        with Submission(file, function, task, seconds=seconds, memory=memory, name=name) as subject:
            try:
                yield judge(subject, task, points, language)
            except ValueError as error:
                if len(submissions(path)) == 1:
                    raise
                why = f"cannot be asked: {error}"
                yield Verdict(name, function, task, problem=why, language=language)
