#!/usr/bin/env python3
"""Audit mode names the routine, the variable and the point of what a routine did and did not say, and passes an honest one.

Mutations in flesh/src/exec/audit.cpp, each of which makes it fail: no comparison of what was not declared; no poison before the
routine; a snapshot of the interior only (then the ghost point goes unseen); no call of watch_reads; no rebuilding of services is
seen by standing_wave.py, whose audited run must have the same bits.
"""
import os

from _physics import check, fails, finish

THORNS = os.environ["CEREUS_TEST_THORNS"]


def text(lie, audit="true"):
    return f"""
thorns: [UniGrid, Time, Liar]
Cereus: {{thorn_path: ["{THORNS}"], iterations: 2, audit: {audit}}}
UniGrid: {{cells: [8, 8, 8]}}
Time: {{dt: 0.1}}
Liar: {{lie: {lie}}}
"""


code, said = fails(text("none"))
check(code == 0, f"an honest run passes{'' if code == 0 else ': ' + said}")
for lie, words in (("undeclared", ["Liar::first", "Liar::secret", "(5, 6, 7)", "x = 0.25", "did not declare"]),
                   ("unwritten", ["Liar::first", "Liar::told", "(3, 2, 1)", "left it unwritten"]),
                   ("ghost", ["Liar::first", "Liar::told", "(-1, 4, 5)", "did not declare"])):
    code, said = fails(text(lie))
    missing = [w for w in words if w not in said]
    check(code == 3 and not missing, f"{lie}: exit {code}" + (f", without {missing}: {said}" if missing else ""))
    code, said = fails(text(lie, "false"))
    check(code == 0, f"{lie}: unseen without audit")
for lie, words in (("asking", "Liar::first asks to write Liar::Secret, which it did not declare; declare it with .writes<Liar::Secret>()"),
                   ("twins", "Liar::twins asks for Liar::Twin, which is the struct of Liar::castor and of Liar::pollux")):
    code, said = fails(text(lie, "false"))
    check(code == 3 and words in said, f"{lie}: exit {code}: {said[-200:].strip()}")


def peep(how, audit="true"):
    return f"""
thorns: [UniGrid, Time, Peeper]
Cereus: {{thorn_path: ["{THORNS}"], iterations: 0, audit: {audit}}}
UniGrid: {{cells: [8, 8, 8]}}
Time: {{dt: 0.1}}
Peeper: {{peep: {how}}}
"""


for how, words in (("rarely", ["Peeper::look", "Peeper::seen", "star<1>", "star<0>", "reads_all_neighbours"]),
                   ("far", ["Peeper::gather", "Peeper::seen", "star<2>", "star<1>"])):
    code, said = fails(peep(how))
    missing = [w for w in words if w not in said]
    check(code == 3 and not missing, f"{how}: exit {code}" + (f", without {missing}: {said}" if missing else ""))
for how in ("none", "honest"):
    code, said = fails(peep(how))
    check(code == 0, f"{how}: passes{'' if code == 0 else ': ' + said}")
finish()
