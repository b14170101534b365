#!/usr/bin/env python3
"""Ghost zones that leave for other devices before anybody asks for them have the same bits as on one process of the host,
whatever comes in between: nothing, somebody who changes the state now and then, analysis on the device and on the host.

Mutations, each of which makes it fail: packed from the present state instead of what was just updated; `sent` kept when the
interior is written; what nobody wanted left where it is; messages packed where the one before lies; nothing is sent ahead.
"""
import glob
import json
import os
import subprocess
import tempfile

from _physics import check, finish

PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, WaveToy, IOASCII, TimerReport{more}]
Cereus: {{iterations: 14, thorn_path: [{thorns}]}}
UniGrid: {{cells: [24, 28, 32], lower: -1, upper: 1, blocks: {blocks}, uneven: {uneven}}}
Time: {{courant: 0.3}}
MoL: {{method: {method}}}
WaveToy: {{order: 4, initial_data: gaussian, width: 0.25, centre: [0.8, -0.9, 0.7]}}
IOASCII: {{variables: ["WaveToy::u", "WaveToy::rho", "WaveToy::energy"], every: {every}, lines: [x, y, z], lines_every: 6, line_through: [0.9, 0.9, -0.9]}}
"""
DEVICE = {} if "CEREUS_ACTIVATE" in os.environ else {"CEREUS_DEVICE": "mirror", "CEREUS_ACTIVATE": "Accelerator,AcceleratorMirror"}


def written(processes, on_device, more="", method="RK4", every=5, blocks=1, uneven="false"):
    """All numbers that a run writes."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(PARFILE.format(more=more, method=method, every=every, blocks=blocks, uneven=uneven, thorns=os.environ["CEREUS_TEST_THORNS"]))
    environment = os.environ | DEVICE
    if not on_device:
        environment = {k: v for k, v in environment.items() if k != "CEREUS_ACTIVATE"} | {"CEREUS_DEVICE": "none"}
    done = subprocess.run([os.environ["CEREUS"], "run", "run.yaml", "-n", str(processes)], cwd=folder, capture_output=True, text=True,
                          env=environment, timeout=100)
    check(done.returncode == 0, f"exit {done.returncode} {done.stderr[-500:] if done.returncode else ''}")
    check(not on_device or processes == 1 or "from device to device" in done.stdout, f"on {processes}: from device to device")
    if on_device and processes > 1:  # RK45 updates what no kernel reads next
        with open(os.path.join(folder, "run", "timers.json")) as f:
            ahead = sum(t["ahead"] for t in json.load(f)["traffic"])
        check((ahead > 0) == (method == "RK4"), f"{method} on {processes}: {ahead} bytes were sent ahead")
    return {os.path.basename(p): [l for l in open(p) if not l.startswith("#")] for p in glob.glob(os.path.join(folder, "run", "*.asc"))}


for name, choice in {
    "nothing in between": {},
    "the state is changed now and then": {"more": ", Damper"},
    "and looked at in each step": {"more": ", Damper", "every": 1},
    "a step that is tried again": {"method": "RK45"},
    "several blocks": {"blocks": 3, "uneven": "true"},
}.items():
    # A GPU contracts a·b + c, so it is its own reference.
    reference = written(1, on_device="CUDA" in os.environ.get("CEREUS_ACTIVATE", ""), **choice)
    check(len(reference) > 12, f"{len(reference)} files")
    for processes in (2, 4):
        check(written(processes, on_device=True, **choice) == reference, f"{name}: the same bits on {processes}")
finish()
