"""The family tree: what each rule changed, and when; above who keeps theta, below Sigma too."""

import matplotlib.pyplot as plt

RULES = {  # year, height, what is new
    "perceptron": (1958, 4.0, "θ + y·x\non a mistake"),
    "margin rule": (1987, 4.0, "m ≤ β, too"),
    "ALMA": (2001, 5.0, "β shrinks, ‖θ‖ ≤ 1"),
    "ROMMA": (2002, 3.0, "the shortest θ that fits"),
    "PA": (2006, 4.0, "the step\nthat just fits"),
    "PA-I, PA-II": (2006, 5.0, "… at a price C"),
    "second order": (2005, 1.0, "directions seen often\ncount less: Σ"),
    "CW": (2008, 2.0, "right with\nprobability η"),
    "AROW": (2009, 1.0, "m ≥ 1,\nat a price 1/r"),
    "SCW-I, SCW-II": (2012, 2.0, "CW at a price C"),
    "NHERD": (2010, 0.0, "Σ shrinks faster"),
}
PARENTS = {
    "margin rule": ["perceptron"],
    "ALMA": ["margin rule"],
    "ROMMA": ["margin rule"],
    "PA": ["margin rule"],
    "PA-I, PA-II": ["PA"],
    "second order": ["perceptron"],
    "CW": ["PA", "second order"],
    "AROW": ["CW", "second order"],
    "SCW-I, SCW-II": ["CW"],
    "NHERD": ["AROW"],
}
# Most came within a few years: those before 2000 are moved closer.
PLACES = {1958: 0.0, 1987: 2.7, 2001: 4.5, 2002: 4.7, 2005: 5.0, 2006: 6.6, 2008: 8.4, 2009: 9.4}
PLACES |= {2010: 11.4, 2012: 11.4}

figure, axes = plt.subplots(figsize=(10, 5.2), layout="constrained")
ink = plt.rcParams["text.color"]
axes.axhspan(2.5, 5.6, color="C0", alpha=0.10, lw=0)
axes.axhspan(-0.6, 2.5, color="C1", alpha=0.10, lw=0)
axes.text(-0.9, 5.3, "keep θ", color="C0", va="center")
axes.text(-0.9, -0.35, "keep θ and Σ", color="C1", va="center")


def place(name):
    year, height, _ = RULES[name]
    return PLACES[year], height


for child, parents in PARENTS.items():
    for parent in parents:
        (x, height), (x_before, height_before) = place(child), place(parent)
        gap = 52 if height == height_before else 17 if x == x_before else 30  # room for the names
        axes.annotate(
            "", (x, height + 0.1), (x_before, height_before + 0.1),
            arrowprops={"arrowstyle": "-|>", "color": ink, "alpha": 0.5, "shrinkA": gap,
                        "shrinkB": gap},
        )  # fmt: skip
for name, (year, _, new) in RULES.items():
    x, height = place(name)
    axes.text(x, height + 0.02, name, ha="center", va="bottom", weight="bold")
    axes.text(x, height - 0.04, f"{year} · {new}", ha="center", va="top", fontsize="x-small")
axes.set(xlim=(-1.1, 12.7), ylim=(-0.6, 5.6))
axes.axis("off")
