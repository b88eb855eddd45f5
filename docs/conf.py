"""How Sphinx builds the site; docs/design/0014-documentation.md says why so."""

import os
import sys
import warnings
from pathlib import Path

from novikoff import __version__, losses

DOCS = Path(__file__).parent
MARK = "../src/novikoff/web/static/icon.svg"
sys.path.insert(0, str(DOCS / "_extensions"))
# Its public name is an attribute; Sphinx imports what it documents.
sys.modules["novikoff.losses"] = losses


def _remove_what_examples_left_behind() -> None:
    """Pages of examples that were renamed or removed, which sphinx-gallery keeps."""
    examples, gallery = DOCS.parent / "examples", DOCS / "gallery"
    for copy in gallery.rglob("*.py"):
        if not (examples / copy.relative_to(gallery)).exists():
            for made in copy.parent.glob(f"{copy.stem}.*"):
                made.unlink()


_remove_what_examples_left_behind()

project = "novikoff"
author = "the authors of novikoff"
copyright = "the authors of novikoff, BSD-3-Clause"
version = release = __version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "commands",
    "offline",
    "pictures",
    "playground",
]
exclude_patterns = [
    "_build",
    "_extensions",
    "_generated",
    "pictures",
    "replays",
    "**/sg_execution_times.rst",  # it would load scripts from elsewhere
    "sg_execution_times.rst",
]
templates_path = ["_templates"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
smartquotes = False  # "mistake" is a value, not a quotation
default_role = "literal"  # `name` in a docstring is code, whether or not it can be linked
highlight_language = "python"

myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say it in words
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False  # the template lists them

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "ignore_pattern": r"(^|/)(?!plot_)[^/]*\.py$",
    "within_subsection_order": "FileNameSortKey",
    "doc_module": ("novikoff",),
    "backreferences_dir": "api/backreferences",
    "reference_url": {"novikoff": None},
    "min_reported_time": 5,
    "show_memory": False,
    "ignore_repr_types": r"matplotlib",  # the legend that a line returns says nothing
    "image_srcset": ["2x"],
    "reset_modules": ("matplotlib", "seaborn", "examples.reset_warnings"),
    "reset_modules_order": "both",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "remove_config_comments": True,
    "plot_gallery": True,
}

html_theme = "pydata_sphinx_theme"
html_title = "novikoff"
html_static_path = ["_static"]
html_extra_path = ["_generated/extra"]
html_css_files = ["site.css"]
html_favicon = MARK
html_context = {"default_mode": "auto"}
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"image_light": MARK, "image_dark": MARK, "text": project},
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "show_nav_level": 1,
    "navigation_depth": 2,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "tango",
    "pygments_dark_style": "github-dark",
}
html_sidebars = {"index": [], "contributing": [], "changelog": []}

# A site is made without a network and without a screen.
os.environ.setdefault("MPLBACKEND", "Agg")
warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")

(DOCS / "_generated" / "extra").mkdir(parents=True, exist_ok=True)  # Sphinx looks for it at once
