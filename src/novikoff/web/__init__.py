"""The playground: a local server around the library (here) and the page it serves (`static/`).

The page draws; everything is computed here, by the library, in a process of its own that can be
abandoned. `questions` and `replies` say what goes over the wire.
"""
