"""`novikoff doctor`: what is installed, what is missing, and whether the first fit compiles."""

from __future__ import annotations

import os
import platform
import re
from collections import defaultdict
from importlib import metadata
from pathlib import Path

from novikoff.analysis.wording import count
from novikoff.cli.console import Output
from novikoff.cli.options import AsJson

_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)[^;]*(?:;.*extra == ['\"]([a-z]+)['\"])?")
_TOLD = ("NUMBA_", "NOVIKOFF_", "OMP_", "OPENBLAS_", "MKL_")  # settings in the environment
_INNER = ("all", "bench", "dev", "docs")  # extras for those who work on the library, or of others


def doctor(as_json: AsJson = False) -> None:
    """Say what this installation consists of; to be pasted into a report of a bug."""
    from novikoff import __version__
    from novikoff._jit import cache_folder

    wanted = _wanted()
    versions = {name: _version(name) for names in wanted.values() for name in names}
    missing = {
        extra: gone
        for extra, names in wanted.items()
        if (gone := [name for name in names if versions[name] is None])
    }
    told = {
        "novikoff": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "processors": f"{len(os.sched_getaffinity(0))} of {os.cpu_count()}"
        if hasattr(os, "sched_getaffinity")
        else str(os.cpu_count()),
        **{name: value for name, value in sorted(versions.items()) if value is not None},
        "compiled code": _compiled(cache_folder()),
        **{name: value for name, value in os.environ.items() if name.startswith(_TOLD)},
    }
    output = Output(as_json)
    output.pairs(list(told.items()))
    for extra, names in missing.items():
        hint = f'pip install "novikoff[{extra}]"' if extra else "pip install novikoff"
        output.line(f"missing: {', '.join(names)}   ({hint})")
    output.document("doctor", {**told, "missing": missing})


def _wanted() -> dict[str, list[str]]:
    """Packages by extra; those of the library itself under ""."""
    found = defaultdict(list)
    for text in metadata.requires("novikoff") or []:
        matched = _REQUIREMENT.match(text)
        if matched and matched[1] != "novikoff" and matched[2] not in _INNER:
            found[matched[2] or ""].append(matched[1])
    return dict(found)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _compiled(folder: str) -> str:
    """Where it is kept, and how much there is."""
    if not folder:
        return "is not kept: no folder can be written to; set NUMBA_CACHE_DIR"
    n = len(list(Path(folder).rglob("*.nbc")))
    return f"{count(n, 'function')} in {folder}"
