#!/usr/bin/env python3
"""Parameter files of parfiles/ on a small grid under `Cereus.audit=true`: no routine reads or writes what it does not declare. With --long
all of them, else one of each family of thorns.

A mutation that makes it fail: an audit that takes for undeclared what a solver's exchanges fill (flesh/src/exec/audit.cpp without filled_meanwhile).
"""
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from _examples import PARFILES, name_of, small
from _physics import DIMENSIONS, check, finish

SHORT = ("burgers", "cahn-hilliard", "cavity", "cavity-sola", "cylinder", "dendrite", "diffusion", "kelvin-helmholtz", "mixed", "plume", "poisson",
         "schroedinger", "sedov-adaptive", "sod", "stencil-fdtd2d", "stencil-jacobi3d", "wave-adaptive", "wave-refined")


def audit(parfile):
    name = name_of(parfile)
    with open(parfile) as f:
        dim, settings = small(f.read())
    if dim not in DIMENSIONS:
        return []
    if dim == 3:  # an audit looks at each point of each kernel: black holes take minutes
        settings = [s.replace("[26, 22, 18]", "[16, 16, 16]") for s in settings]
    settings += ["Cereus.audit=true", f"Cereus.iterations={4 if dim < 3 else 1}", "Cereus.final_time=1000", "Cereus.output=out"]
    command = [os.environ["CEREUS"], "run", parfile, *(word for s in settings for word in ("--set", s))]
    env = {k: v for k, v in os.environ.items() if k != "CEREUS_ACTIVATE"} | {"CEREUS_DEVICE": "none"}
    done = subprocess.run(command, cwd=tempfile.mkdtemp(prefix="cereus-"), capture_output=True, text=True, timeout=1500, env=env)
    return [(done.returncode == 0, name + ("" if done.returncode == 0 else f": exit {done.returncode} {(done.stdout + done.stderr)[-600:]}"))]


chosen = [p for p in PARFILES if "CEREUS_LONG" in os.environ or name_of(p) in SHORT]
check(len(chosen) >= len(SHORT), f"{len(chosen)} files are there")
with ThreadPoolExecutor(2) as pool:
    for results in pool.map(audit, chosen):
        for good, text in results:
            check(good, text)
finish()
