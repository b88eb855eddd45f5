"""Two classes that share a point of their hulls."""

import numpy as np

from novikoff.displays import ObstructionDisplay

random = np.random.RandomState(1)
y = np.arange(40) % 2
X = random.randn(40, 2) + np.where(y[:, None] == 1, 1, -1) * [0.9, 0.5]
ObstructionDisplay.from_data(X, y).plot()
