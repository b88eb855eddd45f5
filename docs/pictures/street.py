"""The widest street between two classes."""

import numpy as np

from novikoff.displays import ObstructionDisplay

X = np.array([[1, -2], [3, 0], [-4, 0], [2, -3], [-2, 0], [1, -3],
              [1, 2], [4, 4], [1, 3], [2, -2], [-5, -3], [5, 1]])  # fmt: skip
y = np.array([1, 1, -1, 1, -1, 1, -1, -1, -1, 1, -1, 1])
ObstructionDisplay.from_data(X, y).plot()
