"""Cereus from Python: reads what runs write, starts runs, and draws.

    import cereus
    run = cereus.open("wave")                  # the output folder of a run; print(run) says what is there
    run.series["wavetoy-state.norm2"]["u"]     # a column of a text file
    run.fields["WaveToy::u"].at(time=0.4).values        # u[z, y, x]
    cereus.run("wave.yaml", processes=4)       # and cereus.sweep, cereus.convergence, cereus.plot
    world = cereus.World(cells=(64, 64))       # a run in this process, step by step

Needs numpy; h5py for fields, yaml for parameters, matplotlib for pictures, xarray for `.xarray()`: each only when it is used.
"""
from .chains import Chain, submit
from .fields import Field, Patch, Snapshot
from .folder import Run, open
from .horizons import Horizon
from .jobs import run
from .needs import Error, Failure, Missing, Mistake, Unreadable
from .orders import Convergence, convergence
from .plots import film, plot
from .restarts import RestartTest, restart_test
from .sweeps import Point, Sweep, open_sweep, sweep
from .text import Table
from .variables import Expression, Local, Variable
from .world import World

__all__ = ["Chain", "Convergence", "Error", "Expression", "Failure", "Field", "Horizon", "Local", "Missing", "Mistake", "Patch", "Point", "RestartTest", "Run", "Snapshot", "Sweep", "Table", "Unreadable", "Variable", "World",
           "convergence", "film", "open", "open_sweep", "plot", "restart_test", "run", "submit", "sweep"]
