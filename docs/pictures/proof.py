"""The widest street between two classes, and two classes between which there is none."""

import matplotlib.pyplot as plt
import numpy as np

from novikoff.displays import ObstructionDisplay

random = np.random.RandomState(1)
y = np.arange(40) % 2
noise = random.randn(40, 2)
centre = np.where(y[:, None] == 1, 1, -1) * [1.0, 0.6]

plt.rc("font", size=8)
figure, axes = plt.subplots(1, 2, figsize=(7.2, 4.4), layout="constrained")
for ax, gap in zip(axes, (2.4, 0.9), strict=True):
    ObstructionDisplay.from_data(noise + gap * centre, np.where(y, "yes", "no")).plot(ax=ax)
