"""How time and memory grow; the numbers are those of ``python -m benchmarks.growth``."""

import json
from pathlib import Path

import matplotlib.pyplot as plt

measured = json.loads(Path(__file__).with_name("growth.json").read_text())
AMOUNTS = {"seconds": "CPU seconds of a fit", "megabytes": "MB beside the rows"}
STYLES = {"novikoff": ("C0", "o-"), "scikit-learn": ("C1", "s--")}

figure, rows = plt.subplots(2, 4, figsize=(13, 6.4), sharey="row", layout="constrained")
for line, (amount, label) in zip(rows, AMOUNTS.items(), strict=True):
    line[0].set_ylabel(label)
    for axes, (what, curve) in zip(line, measured["curves"].items(), strict=True):
        said = []
        for kind, (colour, style) in STYLES.items():
            found = curve[kind][amount]
            axes.loglog(curve["sizes"], found["values"], style, color=colour, label=kind, ms=4)
            said.append(f"{kind} {found['doubling']:.1f} ×")
        noun = "time" if amount == "seconds" else "memory"
        axes.set_title(f"twice the {what}, {noun}:\n{', '.join(said)}", fontsize=10)
        if amount == "megabytes":
            sizes = [{**measured["usual"], what: size} for size in curve["sizes"]]
            data = [8e-6 * size["rows"] * size["features"] for size in sizes]
            axes.loglog(curve["sizes"], data, ":", color="gray", label="the rows themselves")
        axes.set_xticks(curve["sizes"], [f"{size:,}".replace(",", " ") for size in curve["sizes"]])
        axes.tick_params(axis="x", labelsize=7, rotation=30)
        axes.minorticks_off()
        axes.grid(alpha=0.3)
        axes.set_xlabel(what)
for line in rows:
    line[0].legend(frameon=False)
