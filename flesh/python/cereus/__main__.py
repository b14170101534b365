"""`python3 -m cereus COMMAND …` is `cereus COMMAND …` of the executable that this package came with; this process becomes it."""
from __future__ import annotations

import os
import sys

from .jobs import executable
from .needs import Error

try:
    program = executable()
except Error as error:
    sys.exit(str(error))
os.environ.setdefault("CEREUS_PYTHON", sys.executable)  # for commands that are written in Python
os.execv(program, [program, *sys.argv[1:]])
