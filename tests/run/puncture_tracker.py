#!/usr/bin/env python3
"""PunctureTracker: on a shift that rotates, each step is Heun's to rounding, and the track is a circle at second order; on one that grows with time the rule of
trapezoids is exact; the same bits on 1, 2 and 4 processes and after a restart; messages.

Mutations tried: no `met` in pair_of, the last velocity for the last place (orbits); +β (circle), a step of Euler alone (circle, growth), the clock of the run, which comes a step later (growth).
"""
import math
import os
import subprocess

from _physics import DIMENSIONS, check, fails, finish, job, order_of, rows, run

DEVICE = {k: v for k, v in os.environ.items() if k == "CEREUS_ACTIVATE"}
PARFILE = """
thorns: [UniGrid, Time, Boundary, ADMBase, Expressions, Interpolate, PunctureTracker{thorns}]
Cereus: {{iterations: {steps}}}
UniGrid: {{cells: [12, 12, 8], lower: -1, upper: 1, periodic: false}}
Boundary: {{all: extrapolate}}
Time: {{dt: {dt}}}
Expressions: {{initial: ["ADMBase::betax = 2 * y", "ADMBase::betay = -2 * x", "ADMBase::betaz = 0.01 * z"]}}
Interpolate: {{order: 5}}
PunctureTracker:
  positions: [0.5, 0.1, 0.3,  -0.55, 0.2, -0.1]
  shift: ["ADMBase::betax", "ADMBase::betay", "ADMBase::betaz"]
{more}"""
GROWING = """
thorns: [UniGrid, Time, MoL, Boundary, Interpolate, PunctureTracker]
equations: |
  thorn Growing "A shift that grows with time"
  dimensions 3
  evolve shift "Shift"
    b^i
  operators centred(2)
  let
    push_1 = 1, push_2 = -1/2, push_3 = 0
  initial
    b^i = 0 push_i
  rhs
    D_t b^i = push_i
Cereus: {iterations: 5}
UniGrid: {cells: [12, 12, 8], lower: -1, upper: 1, periodic: false}
Boundary: {all: extrapolate}
Time: {dt: 0.1}
PunctureTracker: {count: [1], positions: [0.1, 0.2, 0.3], shift: ["Growing::b_x", "Growing::b_y", "Growing::b_z"]}
"""
START = (0.5, 0.1, 0.3, -0.55, 0.2, -0.1)


def parfile(steps=8, dt=0.05, thorns="", more=""):
    return PARFILE.format(steps=steps, dt=dt, thorns=thorns, more=more)


def track(folder):
    with open(os.path.join(folder, "punctures.asc"), "rb") as f:
        return f.read()


def error(steps):
    """Distance of both from their circles at t = 0.4."""
    last = rows(run(parfile(steps, 0.4 / steps)), "punctures.asc")[-1]
    angle, worst = 2 * last[1], 0
    for n in (0, 1):
        x, y, _ = START[3 * n:3 * n + 3]
        to = complex(x, y) * complex(math.cos(angle), math.sin(angle))
        worst = max(worst, abs(complex(*last[2 + 3 * n:4 + 3 * n]) - to))
    return worst


if 3 not in DIMENSIONS:
    finish("the grid is of three dimensions")
folder = run(parfile())
found, a, decay = rows(folder, "punctures.asc"), 0.1j, -0.01 * 0.05
check(len(found) == 9 and found[0] == [0, 0, *START], "a line each step, from the places where they start")
worst = 0
for n, row in enumerate(found):
    for p in (0, 1):
        z = complex(*START[3 * p:3 * p + 2]) * (1 + a + a * a / 2) ** n
        worst = max(worst, abs(complex(*row[2 + 3 * p:4 + 3 * p]) - z), abs(row[4 + 3 * p] - START[2 + 3 * p] * (1 + decay + decay**2 / 2) ** n))
check(worst < 1e-14, f"each step is Heun's, within {worst:.1e}")
apart = [[b - a for a, b in zip(row[2:5], row[5:8])] for row in found]
dot = lambda a, b: sum(x * y for x, y in zip(a, b))
turned = [0]
for a, b in zip(apart, apart[1:]):
    turned.append(turned[-1] + math.acos(min(1, dot(a, b) / math.sqrt(dot(a, a) * dot(b, b)))) / (2 * math.pi))
said = rows(folder, "orbits.asc")
off = max(max(abs(row[2] - t), abs(row[3] - math.sqrt(dot(a, a)))) for row, t, a in zip(said, turned, apart))
check(len(said) == 9 and 0.11 < said[-1][2] < 0.13 and off < 1e-8, f"orbits and separation are those of the tracks, to {off:.1e}: {said[-1]}")
met = rows(run(parfile(40).replace("ADMBase::betaz = 0.01 * z", "ADMBase::betaz = 0").replace("0.2, -0.1", "0.2, 0.3").replace("2 * y", "4 * x + 2 * y").replace("-2 * x", "4 * y - 2 * x")), "orbits.asc")
check(met[20][2] == met[-1][2] > 0.1 and met[-1][3] < 0.01, f"the line through those that have met turns no more: {met[20]} {met[-1]}")
check(abs(order_of(error(8), error(16)) - 2) < 0.1, "the track is a circle, at second order")
last = rows(run(GROWING), "punctures.asc")[-1]
wanted = [0.1 - last[1] ** 2 / 2, 0.2 + last[1] ** 2 / 4, 0.3]
check(max(abs(x - y) for x, y in zip(last[2:], wanted)) < 1e-14, f"exact where the shift grows with time: {last[2:]}")
for n in (2, 4):
    check(track(run(parfile(), n)) == track(folder), f"the same bits on {n} processes")

first = run(parfile(4, thorns=", Checkpoint"))  # which begins with the newest checkpoint in its folder
again = subprocess.run(**job(os.path.dirname(first), parfile(8, thorns=", Checkpoint"), **DEVICE), capture_output=True)
check(again.returncode == 0 and track(first) == track(folder), f"the same bits after a restart {again.stderr[-300:]}")
for text, said in ((parfile().replace("-0.1]", "-0.1, 1]"), "3 numbers a puncture"), (parfile().replace("  -0.55, 0.2, -0.1", ""), "count is 2"),
                   (parfile().replace(', "ADMBase::betaz"]', "]"), "three variables")):
    rc, output = fails(text)
    check(rc == 1 and said in output and "run.yaml:" in output, output.strip().splitlines()[-1][:150])
rc, output = fails(parfile().replace("0.5, 0.1, 0.3", "0.2, 0.1, 0.3"))
check(output.count("puncture 2 moves faster than light") == 1 and "puncture 1" not in output, "a puncture that is lost: " + output[-300:])
rc, output = fails(parfile().replace("0.5, 0.1, 0.3", "0.99, 0.99, 0.3"))
check(rc == 3 and "lies outside the domain" in output, "a puncture that leaves the domain: " + output.strip().splitlines()[-1][:150])
finish()
