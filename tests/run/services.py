#!/usr/bin/env python3
"""Of two thorns that offer a service, the one that was not chosen runs nothing: the run has the bits that it has without it.

Mutation that makes it fail: assemble() schedules all thorns.
"""
import os
import subprocess
import tempfile

from _physics import check, fails, finish, rows, run

THORNS = os.environ["CEREUS_TEST_THORNS"]
PARFILE = """thorns: [UniGrid, Time, {thorns}, Reduce, IOASCII, WaveToy]
Cereus: {{thorn_path: ["{folder}"], iterations: 4{services}}}
UniGrid: {{cells: [16, 16, 16]}}
IOASCII: {{variables: ["WaveToy::u"], every: 1}}
"""


def parfile(thorns, service=""):
    return PARFILE.format(thorns=thorns, folder=THORNS, services=f", services: [TimeIntegrator={service}]" if service else "")


def norms(text):
    return rows(run(text), "wavetoy-state.norm2.asc")


alone = norms(parfile("MoL"))
for thorns in ("MoL, Idler", "Idler, MoL"):
    check(norms(parfile(thorns, "MoL")) == alone, f"{thorns}: MoL is chosen, and runs alone")
code, said = fails(parfile("MoL, Idler"))
check(code == 1 and "both offer TimeIntegrator" in said, f"none is chosen: {code} {said.strip()}")
code, said = fails(parfile("MoL, Idler", "Idler"))
check(code == 1 and "MoL runs nothing, since Cereus.services chose others" in said, f"what goes into MoL's groups is refused: {code} {said.strip()}")
with tempfile.NamedTemporaryFile("w", suffix=".yaml") as f:
    f.write(parfile("MoL, Idler", "MoL"))
    f.flush()
    graph = subprocess.run([os.environ["CEREUS"], "graph", f.name], capture_output=True, text=True)
    check(graph.returncode == 0 and "MoL::update" in graph.stdout and "Idler" not in graph.stdout, f"nor is it in the graph {graph.stderr}")
finish()
