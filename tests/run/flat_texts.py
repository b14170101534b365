#!/usr/bin/env python3
"""Twenty texts of equations with scalars, vectors and tensors in 1D and 2D give what they give in 3D with one cell along the axes that are missing.

A mutation that makes it fail: sums over the grid's axes alone (sum_over in flesh/languages/equations/expand.cpp).
"""
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from _physics import DIMENSIONS, check, finish, job, rows

# What is evolved, parameters and lets, initial data (s is a scalar of x and y), right-hand sides, analysis.
TEXTS = {
    "a wave": ("u, r", "", "u = s\n  r = 0", "D_t u = r\n  D_t r = D_ii u", ""),
    "advection": ("u", "parameter\n  v_i = (1, 1/2, 1/4) 'p'", "u = s", "D_t u = -v_i D_i u", ""),
    "rotation": ("v_i", "parameter\n  Omega_i = (0.3, 0.2, 1) 'p'", "v_x = s\n  v_y = s^2\n  v_z = 1", "D_t v_i = -2 eps_ijk Omega_j v_k + 1/10 D_jj v_i", ""),
    "Maxwell": ("E_i, B_i", "", "E_x = 0\n  E_y = s\n  E_z = s^2\n  B_x = 1\n  B_y = 0\n  B_z = s", "D_t E_i = eps_ijk D_j B_k\n  D_t B_i = -eps_ijk D_j E_k", ""),
    "diffusion along a direction": ("u", "parameter\n  K_(ij) = (1, 1/5, 1/7, 2, 1/3, 3) 'p'", "u = s", "D_t u = 1/10 D_i (K_ij D_j u)", ""),
    "a matrix": ("v_i", "parameter\n  K_ij = ((0, 1, 2), (-1, 0, 3), (-2, -3, 1/2)) 'p'", "v_x = s\n  v_y = 1\n  v_z = s^2", "D_t v_i = K_ij v_j", ""),
    "a metric's evolution": ("g_(ij), u", "", "g_ij = delta_ij\n  u = s", "D_t g_ij = D_ij u + u delta_ij\n  D_t u = D_i (det(g) D_i u)/10", ""),
    "an antisymmetric tensor": ("F_[ij], A_i", "", "F_ij = 0\n  A_x = s\n  A_y = s^2\n  A_z = s^3", "D_t F_ij = D_i A_j - D_j A_i\n  D_t A_i = D_j F_ji", ""),
    "Burgers": ("v_i", "", "v_x = s\n  v_y = s^2\n  v_z = 1 - s", "D_t v_i = -v_j D_j v_i + 1/10 D_jj v_i", ""),
    "inverse and determinant": ("T_ij", "", "T_ij = delta_ij (1 + s/3)", "D_t T_ij = inverse(T)_ij + det(T) D_kk T_ij", "trace = T_ii"),
    "a background field": ("v_i, b_i", "let\n  B_i = 1/2 delta_ix + delta_iz", "v_x = 0\n  v_y = s\n  v_z = s^2\n  b_i = 0", "D_t v_i = eps_ijk eps_jlm D_l b_m B_k\n  D_t b_i = eps_ijk D_j (eps_klm v_l B_m)", ""),
    "Cahn and Hilliard": ("c", "let\n  store mu = c^3 - c - 1/10 D_ii c", "c = s/2", "D_t c = 1/10 D_ii mu", ""),
    "upwind": ("u", "operators\n  centred(4), upwind(4), dissipation(5)\n\nparameter\n  v^i = (1, -1/2, 1/4) 'p'", "u = s", "D_t u = v^k upwind_k u + 1/10 dissipation u", ""),
    "an operator of its own": ("u", "operators\n  centred(2)\n\noperator Dplus(u) = (u(+1) - u(0)) / h", "u = s", "D_t u = Dplus_i u Dplus_i u / 10 + x_i D_i u", ""),
    "parts of a tensor": ("T_ij", "", "T_xx = s\n  T_xy = 1\n  T_xz = s^2\n  T_yx = 2\n  T_yy = s\n  T_yz = 0\n  T_zx = s\n  T_zy = 3\n  T_zz = 1", "D_t T_ij = tracefree(T)_ij + sym(T)_ij - T_ik T_kj / 9", ""),
    "Schroedinger": ("a, b", "parameter\n  k_i = (1, 2, 3) 'p'", "a = s\n  b = 0", "D_t a = -1/2 D_ii b + k_i k_i b\n  D_t b = 1/2 D_ii a - k_i k_i a", "density = a^2 + b^2"),
    "gradient of a divergence": ("v_i", "", "v_x = s\n  v_y = s^2\n  v_z = s^3", "D_t v_i = 1/10 D_i D_j v_j + 1/20 D_jj v_i", ""),
    "polarisations": ("q_(ij)", "parameter\n  e_(ij) = (1, 0, 0, -1, 0, 0) 'p'", "q_ij = e_ij s", "D_t q_ij = D_kk q_ij / 10 - e_ik q_kj - e_jk q_ki", ""),
    "a spin": ("m_i", "parameter\n  H_i = (0, 0, 2) 'p'", "m_x = s\n  m_y = 0\n  m_z = sqrt(1 - s^2/4)", "D_t m_i = -eps_ijk m_j (H_k + D_ll m_k) - 1/10 eps_ijk m_j eps_klm m_l H_m", ""),
    "gravity and shear": ("r, v_i", "parameter\n  g_i = (0, 0, -1) 'p'\n  S_ij = ((0, 3/2, 0), (0, 0, 1/3), (1/5, 0, 0)) 'p'", "r = 1 + s/4\n  v_i = 0", "D_t r = -D_i (r v_i)\n  D_t v_i = g_i - S_ij v_j - D_i r", ""),
}
RUN = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII]
Cereus: {{iterations: 4, output: run, compile: false}}
UniGrid: {{cells: {cells}, lower: 0, upper: 1, periodic: true}}
Time: {{dt: 0.005}}
IOASCII: {{variables: ["@evolved"{seen}], every: 2, reductions: [minimum, maximum, norm1, norm2, average]}}
equations: |
"""


def text_of(evolved, more, initial, rhs, analysis):
    derived = f"derive seen\n  {analysis.split(' = ')[0]}\n\n" if analysis else ""
    operators = "" if "operators" in more else "operators\n  centred(2)\n\n"
    return (f'thorn Text "is tried in all dimensions"\n\nevolve state\n  {evolved}\n\n{derived}{operators}'.replace("'p'", '"p"') + more.replace("'p'", '"p"')
            + f"\n\nlet\n  s = sin(2 pi x) + 1/3 cos(2 pi y)\n\ninitial\n  {initial}\n\nrhs\n  {rhs}\n" + (f"\nanalysis\n  {analysis}\n" if analysis else ""))


def values(name, cells):
    folder = tempfile.mkdtemp(prefix="cereus-")
    analysis = TEXTS[name][-1]
    parfile = RUN.format(cells=cells, seen=', "Text::' + analysis.split(" = ")[0] + '"' if analysis else "") + "".join(f"  {line}\n" for line in text_of(*TEXTS[name]).splitlines())
    done = subprocess.run(**job(folder, parfile, CEREUS_DEVICE="none"), capture_output=True, timeout=120)
    if done.returncode != 0:
        return done.stdout[-200:] + done.stderr[-600:]
    found = {}
    for file in sorted(os.listdir(os.path.join(folder, "run"))):
        if file.endswith(".asc"):
            found[file] = rows(os.path.join(folder, "run"), file)
    return found


def furthest(flat, full):
    if isinstance(flat, str) or isinstance(full, str):
        return flat if isinstance(flat, str) else full
    if flat.keys() != full.keys() or not flat:
        return f"files {sorted(flat)} and {sorted(full)}"
    worst = 0
    for file in flat:
        for one, other in zip(flat[file], full[file], strict=True):
            worst = max([worst, *(abs(a - b) / max(1, abs(a)) for a, b in zip(one, other, strict=True))])
    return worst


def compare(case):
    name, flat, full = case
    return f"{name} in {len(flat)}D", furthest(values(name, flat), values(name, full))


cases = [(name, flat, flat + [1] * (3 - len(flat))) for name in TEXTS for flat in ([16], [12, 8]) if {len(flat), 3} <= set(DIMENSIONS)]
with ThreadPoolExecutor(4) as pool:
    for what, difference in pool.map(compare, cases):
        check(not isinstance(difference, str) and difference <= 1e-13, f"{what}: {difference}")
finish("" if cases else "needs kernels of all dimensions")
