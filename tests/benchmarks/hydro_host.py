#!/usr/bin/env python3
"""Thorn Hydro on the host, PLM (van Leer), HLLC, SSPRK2, 128³ doubles, whole steps through `cereus run`, against a loop written by hand. Prints, and writes JSON.

    hydro_host.py OUTPUT.json HYDRO_HOST_PROGRAM [THREADS]      hydro_host.cpp, compiled (benchmark_hydro_host)

Five rounds, one after the other; the best of each counts. Both must end with the same largest speed. CEREUS names the executable.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

from _rates import host, note, write

os.environ.setdefault("MACHINE", host())
N, STEPS = 128, 8
PARFILE = f"""thorns: [UniGrid, Time, EOS, MoL, Hydro, Reduce, IOASCII]
Cereus: {{iterations: {STEPS}, poison: false}}
UniGrid: {{cells: [{N}, {N}, {N}], lower: 0, upper: 1, periodic: true}}
Time: {{courant: 0.3}}
MoL: {{method: SSPRK2}}
EOS: {{gamma: 5/3}}
Hydro: {{quadrature: 1, density: "1 + 0.2*sin(2*pi*(x + y))", velocity: ["0.1*cos(2*pi*y)", "0.1*sin(2*pi*z)", "0.05"], pressure: "1"}}
IOASCII: {{variables: ["Hydro::max_speed"], every: {STEPS}}}
"""
threads = sys.argv[3] if len(sys.argv) > 3 else "2"
environment = dict(os.environ, OMP_NUM_THREADS=threads)


def ours():
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "bench.yaml"), "w") as f:
        f.write(PARFILE)
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "bench.yaml"], cwd=folder, capture_output=True, text=True, env=environment)
    found = re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)
    if done.returncode or not found:
        sys.exit(done.stdout + done.stderr)
    with open(glob.glob(os.path.join(folder, "bench", "*speed*.asc"))[0]) as f:
        return float(found[-1]), float(f.read().split()[-1])


rates = []
for _ in range(5):
    rate, speed = ours()
    hand, its_speed, rows = subprocess.run([sys.argv[2], str(N), str(STEPS)], capture_output=True, text=True, check=True, env=environment).stdout.split()
    rates.append((rate, float(hand)))
    print(f"cereus {rate:.2f}, by hand {float(hand):.2f} Mcell-steps/s ({rows} rows a tile); largest speeds differ by {abs(speed - float(its_speed)):.1e}", flush=True)
    if abs(speed - float(its_speed)) > 1e-12:
        sys.exit("they do not compute the same")
rate, hand = (max(r) for r in zip(*rates))
print(f"cereus over the loop written by hand: {rate / hand:.3f} (bar 0.85)")
note(f"Hydro on the host, {threads} threads, {N}³ double, PLM-HLLC-SSPRK2, over a loop written by hand ({hand:.1f} Mcell-steps/s)", rate / hand, "×", "≥ 0.85", bool(rate >= 0.85 * hand))
write(sys.argv[1])
