"""Model files: one file per model, no pickle, and reading one executes nothing.

`save` writes an estimator of this library, or a scikit-learn pipeline around one; `load` reads it
back so that it predicts, and goes on learning, to the bit. docs/model-files.md describes the
format, docs/design/0008-model-files.md why it is one of our own. `disk.py` is how
the library writes any file.
"""

from novikoff.persistence.errors import ModelFileError
from novikoff.persistence.files import load, save

__all__ = ["ModelFileError", "load", "save"]
