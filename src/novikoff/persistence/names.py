"""Everything a model file may name: classes, types and functions, each written down here.

A name in a file is looked up in these tables and nowhere else, so that no file can have anything
imported, let alone called, that is not on this page. The scikit-learn classes are chosen with care:
none of them hands numbers from its state to compiled code that trusts them (as trees, support
vector machines and nearest-neighbour trees do), but for a few that `check_sklearn.py` checks.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from novikoff.persistence.errors import ModelFileError

# Estimators and other objects whose attributes are stored by name.
_OBJECTS = {
    "novikoff.estimators.averaged": "AveragedPerceptron",
    "novikoff.estimators.kernel": "KernelPerceptron",
    "novikoff.estimators.max_margin": "MaxMarginClassifier",
    "novikoff.estimators.online": "OnlineClassifier",
    "novikoff.estimators.passive_aggressive": "PassiveAggressiveClassifier",
    "novikoff.estimators.perceptron": "Perceptron",
    "novikoff.estimators.pocket": "PocketPerceptron",
    "novikoff.estimators.voted": "VotedPerceptron",
    "novikoff.rules": (
        "ALMA AROW ConfidenceWeighted NHERD PassiveAggressive Perceptron ROMMA SecondOrder "
        "SoftConfidenceWeighted"
    ),
    "novikoff.streams.tables.encoder": "TableEncoder",
    "sklearn.calibration": "CalibratedClassifierCV _CalibratedClassifier _SigmoidCalibration",
    "sklearn.compose": "ColumnTransformer make_column_selector",
    "sklearn.decomposition": "IncrementalPCA PCA TruncatedSVD",
    "sklearn.feature_extraction": "DictVectorizer FeatureHasher",
    "sklearn.feature_extraction.text": (
        "CountVectorizer HashingVectorizer TfidfTransformer TfidfVectorizer"
    ),
    "sklearn.feature_selection": (
        "GenericUnivariateSelect RFE SelectFdr SelectFpr SelectFromModel SelectFwe SelectKBest "
        "SelectPercentile VarianceThreshold"
    ),
    "sklearn.impute": "KNNImputer MissingIndicator SimpleImputer",
    "sklearn.kernel_approximation": (
        "AdditiveChi2Sampler Nystroem PolynomialCountSketch RBFSampler SkewedChi2Sampler"
    ),
    "sklearn.linear_model": "LogisticRegression",
    "sklearn.multiclass": (
        "OneVsOneClassifier OneVsRestClassifier OutputCodeClassifier _ConstantPredictor"
    ),
    "sklearn.pipeline": "FeatureUnion Pipeline",
    "sklearn.preprocessing": (
        "Binarizer FunctionTransformer KBinsDiscretizer KernelCenterer LabelBinarizer LabelEncoder "
        "MaxAbsScaler MinMaxScaler Normalizer OneHotEncoder OrdinalEncoder PolynomialFeatures "
        "PowerTransformer QuantileTransformer RobustScaler StandardScaler TargetEncoder"
    ),
    "sklearn.random_projection": "GaussianRandomProjection SparseRandomProjection",
}

# Dataclasses and named tuples of this library: stored as all their fields, by name.
_RECORDS = {
    "novikoff.certificates.results": "MaxMargin",
    "novikoff.kernels.rows": "Rows",
    "novikoff.kernels.rules.alma": "ALMARule",
    "novikoff.kernels.rules.arow": "AROWRule",
    "novikoff.kernels.rules.confidence": "ConfidenceRule",
    "novikoff.kernels.rules.herding": "HerdingRule",
    "novikoff.kernels.rules.passive_aggressive": "PassiveAggressiveRule",
    "novikoff.kernels.rules.perceptron": "PerceptronRule",
    "novikoff.kernels.rules.romma": "ROMMARule",
    "novikoff.training.budget": "Forgetron Projectron RandomRemoval",
    "novikoff.training.dual_learned": "DualHistory DualLearned DualSpec",
    "novikoff.training.gram": "Gram",
    "novikoff.training.schemes": "Role Scheme",
    "novikoff.training.spec": "Learned",
    "novikoff.training.state": "State",
    "novikoff.training.votes": "Chain History",
}

# Types as values, such as OneHotEncoder's `dtype`.
_TYPES = {
    "builtins": "bool float int object str",
    "numpy": (
        "bool_ datetime64 float16 float32 float64 int16 int32 int64 int8 number object_ str_ "
        "timedelta64 uint16 uint32 uint64 uint8"
    ),
}

# Functions as values, such as FunctionTransformer's `func`: all of them pure.
_FUNCTIONS = {
    "numpy": (
        "absolute arcsinh cbrt cos exp expm1 log log10 log1p log2 negative reciprocal sign sin "
        "sqrt square tanh"
    ),
    "sklearn.feature_selection": (
        "chi2 f_classif f_regression mutual_info_classif mutual_info_regression r_regression"
    ),
}


def _flat(table: dict[str, str]) -> dict[str, str]:
    """Name in a file: module. Of our own names it is the public one; others may change."""

    def shown(module: str) -> str:
        private = module.startswith("novikoff.") and module != "novikoff.rules"
        return "novikoff" if private else module

    return {
        f"{shown(module)}.{name}": module
        for module, names in table.items()
        for name in names.split()
    }


OBJECTS, RECORDS = _flat(_OBJECTS), _flat(_RECORDS)
TYPES, FUNCTIONS = _flat(_TYPES), _flat(_FUNCTIONS)


_TABLES = {"object": OBJECTS, "record": RECORDS, "type": TYPES, "function": FUNCTIONS}


def find(kind: str, name: Any) -> Any:
    """What `name` stands for in the table of a kind: "object", "record", "type" or "function"."""
    module = _TABLES[kind].get(name) if isinstance(name, str) else None
    if module is None:
        raise ModelFileError(f"it names the {kind} {str(name)[:100]!r}, which no model file may.")
    return getattr(import_module(module), name.rpartition(".")[2])


@cache
def _full_names(kind: str, short: str) -> list[str]:
    return [name for name in _TABLES[kind] if name.rpartition(".")[2] == short]


def lookup(kind: str, thing: Any) -> str | None:
    """The name of a class, type or function in a table, or None; no subclass passes for it."""
    short = getattr(thing, "__name__", "")
    home = getattr(thing, "__module__", None)
    for alias in (short, f"{short}_"):  # numpy.bool_ calls itself bool
        for name in _full_names(kind, alias):
            root = name.partition(".")[0]
            # Somebody else's class of the same name: do not import ours to find that out.
            elsewhere = home is not None and home.partition(".")[0] != root
            if not elsewhere and find(kind, name) is thing:
                return name
    return None


def name_of(cls: type) -> str:
    """The name of a class whose instances a file may be about."""
    name = lookup("object", cls)
    if name is None:
        raise ModelFileError(
            f"{cls.__module__}.{cls.__qualname__} is not among the classes that a model file may "
            "hold; docs/model-files.md lists them. "
            + (
                "Save the estimator inside: search.best_estimator_."
                if hasattr(cls, "best_estimator_") or cls.__name__.endswith("SearchCV")
                else "Save the parts that are, or use joblib.dump and load the result only where "
                "you trust the file."
            )
        )
    return name
