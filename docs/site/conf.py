"""How Sphinx makes the site of what build.py has gathered."""
from pygments.lexers.special import TextLexer

project = "Cereus"
author = "the authors of Cereus"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "Cereus"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
myst_heading_anchors = 6
myst_enable_extensions = ["dollarmath"]
myst_update_mathjax = False  # it speaks to another version than Debian's
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG"
mathjax2_config = {"tex2jax": {"ignoreClass": ".*", "processClass": "math"}, "showMathMenu": False, "messageStyle": "none"}
suppress_warnings = ["misc.highlighting_failure", "myst.header"]


def setup(app):
    app.add_lexer("stencil", TextLexer)  # stencil programs, which are not coloured
