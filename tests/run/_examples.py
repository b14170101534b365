"""Parameter files of parfiles/ on a small grid, for the tests that run all of them."""
import glob
import os
import re

CELLS = {1: [200], 2: [44, 36], 3: [26, 22, 18]}
PARFILES = sorted(glob.glob(os.path.join(os.environ["CEREUS_SOURCE"], "parfiles", "*.yaml")))


def name_of(parfile):
    return os.path.basename(parfile).removesuffix(".yaml")


def refined(text):
    return "\nForest:" in text


def small(text):
    """The dimension of a parameter file, and the settings that make its grid small; blocks that are refined stay as they are."""
    program = re.search(r"^stencils:\n  (\w+):", text, re.M)  # it says how many cells there are
    dim = 2 if program else re.search(r"^(?:  |(?:UniGrid|Forest): \{)cells: ([\d, []*\d)", text, re.M)[1].count(",") + 1
    return dim, [] if refined(text) else [f"{program[1]}.N={CELLS[dim][0]}" if program else f"UniGrid.cells={CELLS[dim]}"]
