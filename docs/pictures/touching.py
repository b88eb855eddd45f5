"""Two classes that touch: a line has no point on its wrong side, but some on itself."""

from novikoff.displays import ObstructionDisplay

X = [[0, 0], [2, 0], [1, 0], [-1, 0], [1, 2], [-2, 3], [3, -1], [2, -3], [1, 0]]
y = [1, -1, -1, 1, 1, 1, -1, -1, 1]
ObstructionDisplay.from_data(X, y).plot()
