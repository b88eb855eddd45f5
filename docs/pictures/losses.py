"""The losses, as functions of y·s."""

from novikoff.displays import LossDisplay

LossDisplay.from_range().plot()
