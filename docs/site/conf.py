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
suppress_warnings = ["misc.highlighting_failure", "myst.header"]


def setup(app):
    app.add_lexer("stencil", TextLexer)  # stencil programs, which are not coloured
