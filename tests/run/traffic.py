#!/usr/bin/env python3
"""What travels, for whom: exact bytes between processes and between host and device, as the report and `graph` give them.

Mutations, each of which makes it fail:
  UniGrid      what is received counts as sent; what is staged does not count; what stays in a process is foreseen
  make_valid   all for the first stale variable; the routine not named; nothing for routines behind it
  execute      no Caller: what a service reads for IOImage::slices is then the flesh's
  Accelerator  host and device exchanged; points foreseen instead of bytes
  Forecast     kernels, or routines that launch them, on the host; routines on demand that never run; a device although
               Cereus.device is none
  graph        no step before the one that is shown; the blocks of process 0 alone
  TimerReport  rank 0 alone instead of the sum; the caution about times where there is no device
"""
import json
import os
import re
import subprocess
import tempfile

from _physics import DIMENSIONS, check, finish

THORNS = os.environ["CEREUS_TEST_THORNS"]
N, STEPS = 16, 4
FIELD, PLANE = 8 * N**3, 8 * N**2
MIRROR = ", Accelerator, AcceleratorMirror"


def wave(more="", device="none", order=4):
    """RK4 of a wave: u is read at an offset in each of four stages, ρ never."""
    return f"""thorns: [UniGrid, Time, MoL, Reduce, WaveToy, IOASCII, IOImage, TimerReport{MIRROR if device == "mirror" else ""}]
Cereus: {{iterations: {STEPS}, device: {device}, lane: false}}  # which copies whole variables with their padding
UniGrid: {{cells: [{N}, {N}, {N}]}}
WaveToy: {{order: {order}}}
""" + (more or "IOASCII: {variables: []}\nIOImage: {variables: []}\n")


def cereus(command, parfile, *more):
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(parfile)
    done = subprocess.run([os.environ["CEREUS"], command, "run.yaml", *more], cwd=folder, capture_output=True, text=True,
                          timeout=200, env={k: v for k, v in os.environ.items() if k != "CEREUS_ACTIVATE"})
    if done.returncode:
        check(False, f"{command} ends with {done.returncode}: {done.stdout}{done.stderr}\n{parfile}")
    return done.stdout, os.path.join(folder, "run")


def ran(parfile, *more):
    """{(routine, variable): (to host, to device, to processes)} of a run, what it said, and its timers.txt."""
    said, out = cereus("run", parfile, *more)
    with open(os.path.join(out, "timers.json")) as f:
        moved = {(t["routine"], t["variable"]): (t["to_host"], t["to_device"], t["to_processes"])
                 for t in json.load(f)["traffic"]}
    with open(os.path.join(out, "timers.txt")) as f:
        return moved, said, f.read()


def same(moved, expected, what):
    check(moved == expected, f"{what}: {moved}" + ("" if moved == expected else f" instead of {expected}"))


def size(text):
    """Bytes of "4.0 KiB"."""
    number, unit = text.split()
    return float(number) * 1024 ** ["B", "KiB", "MiB"].index(unit)


if 3 not in DIMENSIONS:
    finish()

# --- between processes: each of 2 sends 2 faces of N² points, order/2 layers, in each stage --------------------------------

for order in (2, 4):
    exchange = 2 * 2 * (order // 2) * N**2 * 8
    moved, said, timers = ran(wave(order=order), "-n", "2")
    same(moved, {("WaveToy::rhs", "WaveToy::u"): (0, 0, 4 * STEPS * exchange)}, f"two processes, order {order}")
    graph, _ = cereus("graph", wave(order=order), "-n", "2")
    found = re.findall(r"↔ sync (\S+) \(\d layers?.*, (\S+ \S+) between processes\): (\S+)", graph)
    check([(v, size(b), r) for v, b, r in found] == [("WaveToy::u", exchange, "WaveToy::rhs")], f"graph of two processes: {found}")
check("bytes moved" in said and "to processes" in said and "to host" not in said, "the end of the run shows it")
check(re.search(r"^WaveToy::rhs +WaveToy::u +256 KiB +64\.0 KiB$", timers, re.M) is not None, "timers.txt has it, and each step's")

# Who comes first is who pays: the energy is output each step, and leaves ghost zones for the first stage of the next.
exchange = 2 * 2 * 2 * N**2 * 8
moved, _, _ = ran(wave("IOASCII: {variables: [\"WaveToy::energy\"], every: 1}\nIOImage: {variables: []}\n"), "-n", "2")
same(moved, {("WaveToy::rhs", "WaveToy::u"): (0, 0, 3 * STEPS * exchange),
             ("WaveToy::energy", "WaveToy::u"): (0, 0, (STEPS + 1) * exchange)}, "the energy reads first")

# Dissipation reads three layers of u and ρ, with edges and corners, behind the kernel, which reads two of u: all come at
# once. Pieces begin at multiples of 16 bytes.
damped = wave().replace("WaveToy, IOASCII", "WaveToy, Dissipation, IOASCII")
piece = lambda points: (8 * points + 15) // 16 * 16
exchange = 2 * 2 * (piece(3 * N**2) + 4 * piece(9 * N) + 4 * piece(27))
moved, _, _ = ran(damped, "-n", "2")
same(moved, {("WaveToy::rhs", f"WaveToy::{v}"): (0, 0, 4 * STEPS * exchange) for v in ("u", "rho")}, "a routine behind another")
graph, _ = cereus("graph", damped, "-n", "2")
found = re.findall(r"↔ sync (\S+) \(\d layers?.*, (\S+ \S+) between processes\): (\S+)", graph)
check([(v, size(b), r) for v, b, r in found] == [(f"WaveToy::{v}", exchange, "Dissipation::damp") for v in ("u", "rho")],
      f"its graph: {found}")
exchange = 2 * 2 * 2 * N**2 * 8

moved, said, timers = ran(wave())
same(moved, {}, "one process on the host")
check("bytes moved" not in said + timers and "times of kernels" not in said + timers, "nothing is shown of nothing")

# --- between host and device -----------------------------------------------------------------------------------------------

# From mirror to mirror ghost zones go past the host, or are staged on both sides.
moved, _, _ = ran(wave(device="mirror"), "-n", "2")
same(moved, {("WaveToy::rhs", "WaveToy::u"): (0, 0, 4 * STEPS * exchange)}, "two mirrors")
moved, _, _ = ran(wave(device="mirror"), "-n", "2", "--set", "UniGrid.transport=staged")
same(moved, {("WaveToy::rhs", "WaveToy::u"): (4 * STEPS * exchange,) * 3}, "two mirrors, staged")

# Lines of u are read on the host every 2 iterations, 0 included; norms are reduced where it is; a plane of ρ at the last step.
mixed = wave("""IOASCII: {variables: ["WaveToy::u"], every: 2, lines: [x, y]}
IOImage: {variables: ["WaveToy::rho"], every: 0}
""", device="mirror")
moved, _, _ = ran(mixed)
same(moved, {("IOASCII::lines", "WaveToy::u"): (3 * 2 * 8 * N, 0, 0), ("IOImage::slices", "WaveToy::rho"): (PLANE, 0, 0)},
     "a host that looks on")

# What the host writes in each step is reduced on the device.
liar = f"""thorns: [UniGrid, Time, Reduce, Liar, IOASCII, TimerReport{MIRROR}]
Cereus: {{iterations: {STEPS}, device: mirror, thorn_path: ["{THORNS}"]}}
UniGrid: {{cells: [{N}, {N}, {N}]}}
Time: {{dt: 0.1}}
IOASCII: {{variables: ["Liar::told", "Liar::secret"], every: 2}}
"""
moved, _, _ = ran(liar)
same(moved, {("IOASCII::norms", "Liar::told"): (0, 3 * FIELD, 0), ("IOASCII::norms", "Liar::secret"): (0, FIELD, 0)},
     "a host that writes, one of them once")

# One message has both; Liar::look reads a box: 2 faces, 8 edges and 8 corners; pieces begin at multiples of 16 bytes.
box = 2 * (2 * N**2 * 8 + 8 * N * 8 + 8 * 16)
moved, _, _ = ran(liar.replace("every: 2", "every: 0"), "-n", "2")
same(moved, {("Liar::look", "Liar::told"): (0, 0, box), ("Liar::look", "Liar::secret"): (0, 0, box)}, "two variables in a message")

# --- foreseen --------------------------------------------------------------------------------------------------------------


def copies(parfile, *more):
    graph, _ = cereus("graph", parfile, *more)
    return [(v, to, r, size(b)) for b, v, to, r in re.findall(r"→ (\S+ \S+) of (\S+) to the (\w+): (\S+)", graph)], graph


found, graph = copies(mixed)
check(found == [("WaveToy::u", "host", "IOASCII::lines", 2 * 8 * N), ("WaveToy::rho", "host", "IOImage::slices", PLANE)], f"graph foresees what the host reads: {found}")
check("made on the device by MoL::update" in graph and "runs every 2 iterations" in graph, "and says who made it, and how often")
check("Cereus.device: mirror asks for" in graph, "and for which device")
found, _ = copies(mixed, "-n", "2")
check(found == [("WaveToy::u", "host", "IOASCII::lines", 2 * 8 * N), ("WaveToy::rho", "host", "IOImage::slices", PLANE)], f"on two processes together: {found}")
found, _ = copies(liar)
check(found == [("Liar::told", "device", "IOASCII::norms", FIELD)], f"and what the device reads in each step: {found}")
found, graph = copies(mixed, "--set", "Cereus.device=auto")
check(len(found) == 2 and "takes if it finds one" in graph, "a machine without a device can tell")
found, graph = copies(mixed, "--set", "Cereus.device=none")
check(not found and "copies" not in graph, "no device, no copies")
finish()
