"""Times as fast as a peer, release by release; the numbers are those of ``make bench``."""

import json
from pathlib import Path

import matplotlib.pyplot as plt

folder = Path(__file__).parents[2] / "benchmarks" / "history"
files = sorted(folder.glob("*.json"), key=lambda file: [int(part) for part in file.stem.split(".")])
releases, names = {}, {}  # names: of every line, with the peer, those of the newest release first
for file in reversed(files):
    lines = json.loads(file.read_text(encoding="utf-8"))["lines"]
    lines = [line for line in lines if line["unit"] == "x" and not line.get("at_most")]
    releases[file.stem] = {line["work"]: line for line in lines}
    for line in lines:
        names.setdefault(line["work"], f"{line['work']} ({line['against'].partition(',')[0]})")

figure, axes = plt.subplots(figsize=(9, 1.2 + 0.22 * len(names)), layout="constrained")
axes.axvline(1, color="C1", ls="--", lw=1, label="as fast as the peer")
for age, (version, lines) in enumerate(releases.items()):
    places = [list(names).index(work) for work in lines]
    values = [line["value"] for line in lines.values()]
    axes.scatter(values, places, color="C0", alpha=0.5**age, label=version, zorder=-age)
    if age == 0:
        lows = [line.get("low", line["value"]) for line in lines.values()]
        highs = [line.get("high", line["value"]) for line in lines.values()]
        axes.hlines(places, lows, highs, color="C0")
axes.set_xscale("log")
axes.xaxis.set_major_formatter("{x:g}")
axes.set_yticks(range(len(names)), list(names.values()), fontsize=7.5)
axes.set_ylim(len(names) - 0.4, -0.6)
axes.set_xlabel("times as fast, median and range of the turns")
axes.grid(axis="x", alpha=0.3)
axes.legend(loc="upper right")
