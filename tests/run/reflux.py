#!/usr/bin/env python3
"""What is conserved stays where levels meet and where blocks change: mass, momentum, energy and a scalar of a blast with a wind, in 2D and 3D, with stages of
several methods; the same bits on 1, 2 and 4 processes, on a mirror device and under audit. A uniform wind stays so.

Mutations, each of which makes it fail: no correction; the weight of another stage; one fine face for the mean of four; of the coarse side's fluxes the wrong sign.
"""
import os
import subprocess
import tempfile

from _physics import DIMENSIONS, bits, check, finish, job

RUN = """thorns: [Forest, Time, MoL, EOS, Hydro, Reduce, IOASCII{more}]
Cereus: {{iterations: {steps}, output: out}}
Forest: {{cells: {cells}, lower: 0, upper: 1, block: {block}, levels: {levels}, {forest}}}
MoL: {{method: {method}}}
Time: {{courant: 0.3}}
Hydro: {{{scheme}, density: "{density}", velocity: ["0.7", "0.3", "0.2"], pressure: "{pressure}", scalars: {scalars}}}
IOASCII: {{variables: ["Hydro::state"{dye}], reductions: [sum, norm1, norm_inf], every: {steps}}}
"""
BLAST = "1 + 20*exp(-((x-0.45)^2 + (y-0.55)^2{z})/0.004)"


def run(text, processes=1, options=()):
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, text, processes, options), capture_output=True, timeout=280)
    return done.returncode, done.stdout + done.stderr, os.path.join(folder, "out")


def text(dim, steps, forest, levels=3, method="SSPRK2", scheme="scheme: plm, limiter: mc", block=16, n=4, more="", scalars='["dye = x < 0.4 ? 1 : 0"]', density="1", pressure=None):
    pressure = pressure or BLAST.format(z=" + (z-0.5)^2" if dim == 3 else "")
    return RUN.format(cells=[n * block] * dim, steps=steps, forest=forest, levels=levels, method=method, scheme=scheme, block=block, more=more, scalars=scalars, dye=', "Hydro::dye"' if scalars != "[]" else "", density=density, pressure=pressure)


def series(out, what, group="state"):
    """By component, at the beginning and at the end."""
    with open(os.path.join(out, f"hydro-{group}.{what}.asc")) as f:
        rows = [[float(x) for x in line.split()[2:]] for line in f if line[0] != "#"]
    return list(zip(rows[0], rows[-1]))


def drift(out, dye, walls=False):
    """The largest change of a sum, relative to the sum of moduli, that of momenta to the largest of them; walls do not keep these."""
    momentum = max(begin for begin, _ in series(out, "norm1")[1:4])
    sums = series(out, "sum") + (series(out, "sum", "scalars") if dye else [])
    return max(abs(end - begin) / (momentum if n in (1, 2, 3) else begin) for n, (begin, end) in enumerate(sums) if not (walls and n in (1, 2, 3)))


STATIC = 'boxes: ["1 0.26 0.74 0.26 0.74", "2 0.4 0.6 0.4 0.6"]'
FOLLOWS = 'every: 4}\nRefine: {variables: ["Hydro::density"], measure: gradient, refine_above: 0.1, coarsen_below: 0.03'
for dim, steps, forest, kind in ((2, 60, STATIC, {}), (2, 30, STATIC, dict(method="RK3", scheme="scheme: weno5")), (2, 12, STATIC, dict(method="RKF78", scalars="[]")),
                                 (2, 40, FOLLOWS, dict(more=", Refine")), (2, 20, STATIC, dict(method="RK4", scheme="scheme: plm, viscosity: 0.01, conductivity: 0.01")),
                                 (3, 12, 'boxes: ["1 0.3 0.7 0.3 0.7 0.3 0.7"]', dict(levels=2, block=12, n=4))):
    if dim not in DIMENSIONS:
        continue
    code, said, out = run(text(dim, steps, forest, **kind))
    if check(code == 0, f"{dim}D, {kind}: exit {code} {said[-600:] if code else ''}"):
        far, moved = drift(out, "scalars" not in kind), abs(series(out, "norm_inf")[0][1] - 1)
        check(far < 1e-13 and moved > 0.005, f"{dim}D, {kind or 'static'}: sums are off by {far:.1e} after {steps} steps, the density by {moved:.2f}")

if 2 in DIMENSIONS:
    # Nine scalars are two batches; walls touch fine blocks; RK45 repeats steps.
    nine = str([f"dye{n} = x < 0.{n + 1} ? 1 : 0.5" for n in range(9)]).replace("'", '"')
    walls = 'periodic: false, boxes: ["1 0 0.4 0 0.4", "2 0 0.2 0.4 0.6"]}\nBoundary: {all: reflect'
    hard = text(2, 6, walls, n=3, method="RK45, relative_error: 1e-7, absolute_error: 1e-8", more=", Boundary", scalars=nine).replace('"Hydro::dye"', '"Hydro::scalars"').replace("courant: 0.3", "courant: 0.9")
    code, said, out = run(hard)
    if check(code == 0, f"walls, nine scalars, RK45: exit {code} {said[-500:] if code else ''}"):
        far = drift(out, True, walls=True)
        check(far < 1e-13, f"walls, nine scalars, RK45: sums are off by {far:.1e}")
    code, said, again = run(hard.replace("IOASCII, Boundary]", "IOASCII, Boundary, Accelerator, AcceleratorMirror]"), 2)
    check(code == 0 and "AcceleratorMirror" in open(os.path.join(again, "parameters.yaml")).read() and series(again, "sum", "scalars") == series(out, "sum", "scalars")
          and series(again, "norm1") == series(out, "norm1"), f"walls, nine scalars, RK45, a mirror on 2 processes: the same bits {said[-400:] if code else ''}")
    if "CEREUS_LONG" in os.environ:  # Hydro's loops in float are compiled for it alone
        single = text(2, 30, STATIC, scalars="[]").replace("output: out", "output: out, real: float")
        code, said, out = run(single)
        check(code == 0 and drift(out, False) < 1e-6, f"float: sums are off by {drift(out, False):.1e}")
    small = text(2, 16, FOLLOWS, more=", Refine, IOHDF5") + 'IOHDF5: {variables: ["Hydro::state"], every: 16}\n'
    code, said, out = run(small)
    one = bits(out, 16)
    check(code == 0 and len(one) > 10, f"a run to compare with: {len(one)} files and fields {said[-300:] if code else ''}")
    for what, processes, options in (("2 processes", 2, ()), ("4 processes", 4, ()), ("audit", 1, ("--set", "Cereus.audit=true"))):
        code, said, out = run(small, processes, options)
        check(code == 0 and bits(out, 16) == one, f"{what}: the same bits {said[-600:] if code else ''}")
    code, said, out = run(small.replace("IOHDF5]", "IOHDF5, Accelerator, AcceleratorMirror]"), 2)
    check(code == 0 and bits(out, 16) == one, f"a mirror device on 2 processes: the same bits {said[-600:] if code else ''}")
    code, said, out = run(text(2, 30, STATIC, pressure="1", scalars="[]"))
    if check(code == 0, "a uniform wind"):
        off = max(abs(end - begin) for begin, end in series(out, "norm_inf"))
        check(off < 1e-12, f"a uniform wind stays so: off by {off:.1e}")
    heat = 'equations: |\n  thorn Heat "Heat" in cells\n  evolve state "Temperature"\n    u diffusivity 1\n  operators centred(2)\n  initial\n    u = x\n  rhs\n    D_t u = D_ii u\n'
    code, said, out = run(f"thorns: [Forest, Time, MoL]\nCereus: {{iterations: 1, output: out}}\nForest: {{cells: [48, 48], block: 16, levels: 2, boxes: ['1 -0.1 0.1 -0.1 0.1']}}\n" + heat)
    check(code == 0 and "Heat::state is in cells, and its thorn says no fluxes" in said, f"what is not conserved is said {said[-300:]}")
finish("" if {2, 3} & set(DIMENSIONS) else "kernels were compiled for one dimension only")
