"""The documentation site: `nox -s site` builds it with Sphinx into build/site."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import roundsim

project = "roundsim"
copyright = "the roundsim authors"
version = release = roundsim.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "reference", "front", "plain"]
exclude_patterns = ["_*"]

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
highlight_language = "none"
default_role = "code"
smartquotes = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_maximum_signature_line_length = 90

html_theme = "furo"
html_title = f"roundsim {version}"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
