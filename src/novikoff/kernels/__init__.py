"""Hot loops: arrays and scalars in, scalars out; no Python objects, no scikit-learn."""
