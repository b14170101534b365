#!/usr/bin/env python3
"""Flat universes with dust and with radiation expand as those of Friedmann, at the order of RK4, and the Hamiltonian constraint holds at that order.

With harmonic slicing α = a³ in coordinate time t, and τ' = a³: for a pressure of w ρ and q = 2/(1 + w), a = τ^(q/3), τ = (1 − (q−1) t)^(−1/(q−1)),
K = −q/τ, ρ = q²/(24π τ²), from a = τ = 1 at t = 0. The test thorn Fluid adds T_ab.
Mutations that make it fail: 8 for 16 π rho in H; - S for + S in D_t K; no `rhs with TmunuBase` in equations.edl.
"""
import math
import os
import subprocess
import tempfile

import h5py
from _physics import DIMENSIONS, bits, check, fails, finish, job, order_of, run

END = 0.5
PARFILE = """
thorns: [UniGrid, Time, MoL, IOHDF5, ADMBase, BSSN, TmunuBase{fluid}]
Cereus: {{iterations: {steps}, thorn_path: {path}{cereus}}}
UniGrid: {{cells: [8, 8, 8]}}
Time: {{dt: {dt!r}}}
BSSN: {{slicing: harmonic, shift: zero, startlapse: given, order: 4}}
IOHDF5: {{variables: [BSSN::W, BSSN::alpha, BSSN::K, BSSN::H], every: {steps}}}
"""
FLUID = "Fluid: {{w: {w!r}, expansion: {expansion!r}, density: {density!r}}}\n"


def parfile(w, steps, cereus="", fluid=", Fluid"):
    q = 2 / (1 + w)
    text = PARFILE.format(fluid=fluid, steps=steps, path=os.environ["CEREUS_TEST_THORNS"], cereus=cereus, dt=END / steps)
    return text + (FLUID.format(w=w, expansion=q / 3, density=q * q / (24 * math.pi)) if fluid else "")


def errors(w, steps):
    """Relative errors of a, α and K, and what H leaves of 16 π ρ."""
    q = 2 / (1 + w)
    tau = (1 - (q - 1) * END) ** (-1 / (q - 1))
    a, rho = tau ** (q / 3), q * q / (24 * math.pi * tau * tau)
    with h5py.File(os.path.join(run(parfile(w, steps)), f"run_{steps:08d}.hdf")) as f:
        W, alpha, K, H = (f[f"data/{steps}/meshes/BSSN__{name}"][()].max() for name in ("W", "alpha", "K", "H"))
    return {"a": abs(1 / W / a - 1), "alpha": abs(alpha / a ** 3 - 1), "K": abs(K * tau / q + 1), "H": abs(H) / (16 * math.pi * rho)}


if 3 not in DIMENSIONS:
    finish("the kernels are of three dimensions")

for w, what in ((0.0, "dust"), (1 / 3, "radiation")):
    coarse, fine = errors(w, 16), errors(w, 32)
    for name in coarse:
        order = order_of(coarse[name], fine[name])
        check(3.7 < order < 4.4 and fine[name] < 1e-5, f"{what}: {name} off by {coarse[name]:.2g}, then {fine[name]:.2g}, order {order:.2f}")

one = bits(run(parfile(0.0, 4)), 4)
check(bits(run(parfile(0.0, 4), processes=2), 4) == one, "the same bits on 2 processes")
check(bits(run(parfile(0.0, 4, cereus=", audit: true")), 4) == one, "an audit finds nothing, and the same bits")
code, said = fails(parfile(0.0, 4, fluid=""))
check(code == 1 and "reads TmunuBase::eTtt, " in said and "which no active thorn writes" in said, "TmunuBase without matter: an error that says so")

for fluid, fused in ((True, False), (False, True)):
    text = parfile(0.0, 4) if fluid else parfile(0.0, 4, fluid="").replace(", TmunuBase", "").replace("ADMBase", "ADMBase, ExactMetrics")
    done = job(tempfile.mkdtemp(prefix="cereus-"), text, CEREUS_DEVICE="none")
    done["args"][1] = "graph"
    said = subprocess.run(**done, capture_output=True).stdout
    check(("rhs_with_TmunuBase" in said) == fluid and ("is fused in" in said) == fused, f"{'with' if fluid else 'without'} matter: the update {'is' if fused else 'is not'} fused into rhs")
finish()
