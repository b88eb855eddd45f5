"""The training error of every direction of θ."""

import numpy as np

from novikoff.displays import ErrorDisplay

random = np.random.RandomState(4)
y = np.arange(12) % 2
angle = random.uniform(0.25, np.pi - 0.25, 12) + np.pi * (1 - y)
X = np.column_stack([np.cos(angle), np.sin(angle)]) * random.uniform(0.6, 3.0, 12)[:, None]
ErrorDisplay.from_data(X, y).plot()
