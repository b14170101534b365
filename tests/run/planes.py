#!/usr/bin/env python3
"""Vectors, tensors and scalars of texts in one and two dimensions have the values of the same text in three with one cell along the other axes:
components of parameters along axes that the grid lacks stay, coordinates and derivatives there are 0. Matrices as parameters are read row by row.

Mutations that make it fail: components of parameters that are 0 along an axis that the grid lacks (flesh/languages/equations/expand.cpp, component());
columns for rows, and all nine places of a symmetric matrix for its six (parameter()).
"""
import math
import os
import subprocess
import tempfile

from _physics import check, finish, job, rows

# Right-hand sides of v_i (a vector), s_(ij) (a symmetric tensor) and q (a scalar), with parameters a, B_i.
VECTORS = ("-2 eps_ijk B_j v_k", "B_i B_j v_j", "D_jj v_i + B_i q", "eps_ijk D_j v_k + B_i", "x_j B_j v_i", "B_i det(s)", "M_ij v_j + S_ij D_j q", "inverse(s)_ij v_j + inverse(M)_ij B_j", "D_i q - B_j s_ij", "a v_i + x_i")
TENSORS = ("D_kk s_ij + B_i B_j", "B_i v_j + B_j v_i", "D_i v_j + D_j v_i", "delta_ij B_k B_k", "tracefree(s)_ij")
SCALARS = ("B_i v_i", "D_i v_i + B_i B_i", "B_j D_j q + a q", "x_i B_i", "sqrt(B_i B_i) q", "eps_ijk B_i v_j D_k q + s_ii")
TEXT = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII]
Cereus: {{iterations: 2, output: run, compile: {compile}}}
UniGrid: {{cells: {cells}, lower: 0, upper: {upper}, periodic: true}}
Time: {{dt: 0.01}}
MoL: {{method: RK4}}
IOASCII: {{variables: ["Plane::state"], every: 1, reductions: [average, norm2]}}
equations: |
  thorn Plane "in fewer dimensions"
  parameter
    a = 1/3 "a number"
    B_i = (1/2, -2/3, 7/4) "a vector"
    M_ij = ((1, 2, -3), (1/4, 1/5, 1/6), (-7, 8, 9)) "a matrix"
    S_(ij) = (1, 2, 3, 4, 5, 6) "a symmetric matrix"
  evolve state "vector, tensor, scalar"
    v_i
    s_(ij)
    q
  operators centred(4)
  initial
    v_x = sin(2 pi x)
    v_y = 1/4 + cos(2 pi x)
    v_z = 2
    s_ij = delta_ij (2 + sin(2 pi x)) + B_i B_j
    q = 1 + cos(2 pi x)
  rhs
    D_t v_i = {v}
    D_t s_ij = {s}
    D_t q = {q}
"""


def values(cells, texts, compile="false"):
    folder = tempfile.mkdtemp(prefix="cereus-")
    v, s, q = texts
    upper = [1] * len(cells)
    done = subprocess.run(**job(folder, TEXT.format(cells=cells, upper=upper, v=v, s=s, q=q, compile=compile), CEREUS_DEVICE="none"), capture_output=True, timeout=100)
    if not check(done.returncode == 0, f"{cells} {texts}" + (done.stderr[-1500:] if done.returncode else "")):
        return []
    return rows(folder, "plane-state.norm2.asc")[-1] + rows(folder, "plane-state.average.asc")[-1]


for n in range(len(VECTORS)):
    texts = VECTORS[n], TENSORS[n % len(TENSORS)], SCALARS[n % len(SCALARS)]
    # Coordinates that are no periodic functions have no place in a derivative; these texts have none.
    full = values([16, 1, 1], texts)
    for cells in ([16], [16, 1]):
        less = values(cells, texts)
        near = len(full) == len(less) and all(math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-13) for a, b in zip(full, less))
        check(near, f"{len(cells)}D as 3D: {texts}" + ("" if near else f" {full} {less}"))
both = values([16], (VECTORS[0], TENSORS[0], SCALARS[0]), "true"), values([16], (VECTORS[0], TENSORS[0], SCALARS[0]))
check(all(math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-13) for a, b in zip(*both)), "compiled as interpreted")

# A field that turns in a plane, about the axis that the plane lacks: after t = pi/2 (1, 0) is (0, -1).
CORIOLIS = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII]
Cereus: {final_time: pi/4, output: run, compile: false}
UniGrid: {cells: [8, 8], periodic: true}
Time: {dt: pi/400}
MoL: {method: RK4}
equations: |
  thorn Coriolis "Rotation"
  parameter
    Omega_i = (0, 0, 1) "Angular velocity"
  evolve state
    v_i
  operators centred(2)
  initial
    v_x = 1
    v_y = 0
    v_z = 0
  rhs
    D_t v_i = -2 eps_ijk Omega_j v_k
IOASCII: {variables: ["Coriolis::state"], reductions: [average], every_time: pi/4}
"""
folder = tempfile.mkdtemp(prefix="cereus-")
done = subprocess.run(**job(folder, CORIOLIS, CEREUS_DEVICE="none"), capture_output=True, timeout=100)
found = rows(folder, "coriolis-state.average.asc")[-1] if done.returncode == 0 else []
check(len(found) > 3 and abs(found[-3]) < 1e-8 and abs(found[-2] + 1) < 1e-8, f"a field that turns: {found}{done.stderr[-500:]}")

# A plane wave diffuses at the rate K_ij k_i k_j; a vector that M makes of itself is (1, t, t²).
ANISOTROPIC = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII]
Cereus: {{final_time: 1, output: run, compile: {compile}}}
UniGrid: {{cells: [32, 32], lower: 0, upper: 1, periodic: true}}
Time: {{dt: 0.01}}
MoL: {{method: RK4}}
equations: |
  thorn Anisotropic "Diffusion along axes that are not those of the grid"
  parameter
    K_(ij) = (1, 0, 0, 1, 0, 1) "Diffusivity"
    M_ij = ((0, 0, 0), (1, 0, 0), (0, 2, 0)) "Rate of a vector"
  evolve state
    u, v_i
  operators centred(6)
  initial
    u = cos(2 pi (x + 2 y)), v_x = 1, v_y = 0, v_z = 0
  rhs
    D_t u = D_i (K_ij D_j u)
    D_t v_i = M_ij v_j
Anisotropic: {{K: [0.01, -0.002, 0, 0.003, 0, 1]{more}}}
IOASCII: {{variables: ["Anisotropic::state"], reductions: [norm_inf], every_time: 1}}
"""
KEPT = math.exp(-4 * math.pi**2 * (0.01 - 4 * 0.002 + 4 * 0.003))
for compile in ("false", "true"):
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, ANISOTROPIC.format(compile=compile, more=""), CEREUS_DEVICE="none"), capture_output=True, timeout=100)
    found = rows(folder, "anisotropic-state.norm_inf.asc")[-1][-4:] if done.returncode == 0 else []
    near = len(found) == 4 and all(math.isclose(a, b, rel_tol=1e-4) for a, b in zip(found, (KEPT, 1, 1, 1)))
    check(near, f"anisotropic diffusion, compile: {compile}: {found} for {KEPT}{done.stderr[-500:]}")
folder = tempfile.mkdtemp(prefix="cereus-")
done = subprocess.run(**job(folder, ANISOTROPIC.format(compile="false", more=", M: [0, 1]"), CEREUS_DEVICE="none"), capture_output=True, timeout=100)
said = done.stdout + done.stderr
check(done.returncode == 1 and "must be a list of 9 numbers" in said, f"a matrix of two numbers: {said[-300:]}")
finish()
