"""The playground: a page in `static/` that computes by itself, and the few ways to open it.

`static/engine/` is the library once more, for points of a plane, in JavaScript; the rest of
`static/` draws and listens. Here is what Python does about it: put the page's files together
(`site`), serve them to this machine (`server`), say what it opens with (`documents`), and
show it in a notebook (`notebook`).
"""
