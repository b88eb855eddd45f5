"""``python -m tests.coverage_by_room``: what `make coverage` measured, a line for each room."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        command = [sys.executable, "-m", "coverage", "json", "-q", "-o", str(report)]
        subprocess.run(command, check=True)
        files = json.loads(report.read_text())["files"]
    rooms: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, measured in files.items():
        inside = Path(name).parts[Path(name).parts.index("novikoff") + 1 :]
        found = measured["summary"]
        counts = rooms[inside[0] if len(inside) > 1 else "novikoff"]
        counts[0] += found["covered_lines"] + found["covered_branches"]
        counts[1] += found["num_statements"] + found["num_branches"]
    for room, (covered, there) in sorted(rooms.items()):
        print(f"{room:14} {covered / there:6.1%} of {there} statements and branches")


if __name__ == "__main__":
    main()
