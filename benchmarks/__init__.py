"""This library against its peers: ratios in one process and one run. ``make bench``."""
