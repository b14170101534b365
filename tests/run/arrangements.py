#!/usr/bin/env python3
"""Thorns from elsewhere may bring an arrangement; it is found in the folder that --thorns or Cereus.thorn_path names.

Mutations, each of which makes it fail: make_catalog() from options.thorn_folders alone; emplace() after the standard place; the check of
Origin::arrangement dropped.
"""
import os
import subprocess
import tempfile

from _physics import check, finish

folder = tempfile.mkdtemp(prefix="cereus-")
os.mkdir(os.path.join(folder, "elsewhere"))


def write(name, text):
    with open(os.path.join(folder, name), "w") as f:
        f.write(text)


def cereus(*words):
    done = subprocess.run([os.environ["CEREUS"], *words], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


write("elsewhere/waves.yaml", "description: A wave\nthorns: [UniGrid, Time, MoL, WaveToy]\nWaveToy: {order: 2}\n")
write("run.yaml", "arrangements: [waves]\nCereus: {iterations: 0, thorn_path: [elsewhere]}\nUniGrid: {cells: 8}\n")
check(cereus("check", "run.yaml")[0] == 0, "named by Cereus.thorn_path")
write("run.yaml", "arrangements: [waves]\nCereus: {iterations: 0}\nUniGrid: {cells: 8}\n")
check(cereus("check", "run.yaml", "--thorns", "elsewhere")[0] == 0, "named by --thorns")
check(cereus("check", "run.yaml", "--set", "Cereus.thorn_path=elsewhere")[0] == 0, "named by --set")
code, said = cereus("check", "run.yaml")
check(code == 1 and said.startswith("run.yaml:1:") and "no arrangement is called 'waves'" in said, f"not named: {said.strip()}")
check("A wave" in cereus("list", "--thorns", "elsewhere")[1], "list shows it")

OWN = "thorns: [UniGrid, Time, MoL, WaveToy]\n"
write("elsewhere/standard.yaml", OWN)
write("run.yaml", "arrangements: [standard]\nCereus: {iterations: 0, thorn_path: elsewhere}\nUniGrid: {cells: 8}\n")
code, said = cereus("graph", "run.yaml")
check(code == 0 and "WaveToy" in said and "IOHDF5" not in said, "one's own arrangement wins over the one that comes with Cereus")
write("elsewhere/standard.yaml", OWN + "Cereus: {thorn_path: [.]}\n")
code, said = cereus("check", "run.yaml")
check(code == 0, f"the file wins over an arrangement's thorn_path: {said.strip()}")
write("run.yaml", "arrangements: [standard]\nCereus: {iterations: 0}\n")
code, said = cereus("check", "run.yaml", "--thorns", "elsewhere")
check(code == 1 and "standard.yaml:2:10: an arrangement comes too late" in said, f"an arrangement's thorn_path: {said.strip()}")
finish()
