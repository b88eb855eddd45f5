"""scikit-learn's face of the library: one file per public class."""
