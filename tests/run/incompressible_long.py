#!/usr/bin/env python3
"""Incompressible flow at the sizes of published figures: the lid-driven cavity, convection between plates and in a box, vortices behind a cylinder,
the decay of Taylor and Green's vortex in 3 dimensions. Minutes.

Figures are those of independent programs, or of theory. incompressible.py has the mutations; this one looks at what takes minutes. Of those it
notices: the viscosity coefficient, the weight of the pressure, the sign of buoyancy, the lid at the wrong face, scalars carried by the velocity of
the wrong face, faces beside solid cells that the pressure moves.
"""
import numpy as np
from _incompressible import CONV_U, CONV_V, between, fields, flow, parfile
from _physics import DIMENSIONS, check, finish, order_of, rows, run


def centres(n):
    return (np.arange(n) + 0.5) / n


def cavity(n):
    """Largest distance of u and v on the lines through the centre from the converged ones, and of the least streamfunction from −0.10352."""
    f = flow([n, n], {"viscosity": 0.01, "y_upper_velocity": "[1]", "implicit": "true", "tolerance": 1e-6}, time=24, periodic=False, method="RK2",
             limits="{courant: 0.8}")
    y = np.concatenate([[0], centres(n), [1]])
    u = np.concatenate([[0], f["u"][n // 2], [1]])
    v = np.concatenate([[0], f["v"][:, n // 2], [0]])
    away = [abs(between(y, q, round(at * 128) / 128) - value) for q, table in ((u, CONV_U), (v, CONV_V)) for at, value in table.items()]
    psi = np.cumsum(f["u"], axis=1) / n
    return max(away), abs(psi.min() + 0.10352)


if 2 in DIMENSIONS:
    coarse, fine = cavity(64), cavity(128)
    order = order_of(coarse[0], fine[0])
    check(fine[0] < 1e-3 and fine[1] < 2e-4 and abs(order - 2) < 0.2, f"cavity at Re = 100: away by {coarse[0]:.1e} and {fine[0]:.1e}, ψ by {fine[1]:.1e}, order {order:.2f}")

    # A layer that is heated from below: the Rayleigh number at which the wave of length 2.016 neither grows nor decays is 1707.76 (Reid and Harris,
    # Phys. Fluids 1 (1958) 102).
    def growth(ra, n):
        more = 'Boundary: {all: neumann, overrides: ["Incompressible::T y_lower dirichlet 1", "Incompressible::T y_upper dirichlet 0"]}'
        folder = run(parfile([2 * n, n], {"viscosity": 1, "scalars": '["T = 1 - y + 1e-4*sin(pi*y)*cos(2*pi*x/2.016)"]', "diffusivity": 1, "buoyant": "T",
                                          "gravity": [0, -ra, 0], "tolerance": 1e-6},
                             time=0.8, upper=[2.016, 1], periodic=[True, False], method="RK2", limits="{diffusive_courant: 0.8, land_on: [0.4]}", every=0,
                             scalars=("energy",), reductions="[average]", more=more).replace("every: 1, red", "every: 0, every_time: 0.4, red"))
        energy = [r[-1] for r in rows(folder, "incompressible-densities.average.asc")]
        return np.log(energy[2] / energy[1]) / 0.8
    critical = []
    for n in (12, 24):
        low, high = growth(1600, n), growth(1800, n)
        critical.append(1600 + 200 * low / (low - high))
    limit = critical[1] + (critical[1] - critical[0]) / 3
    check(abs(limit / 1707.76 - 1) < 0.005, f"critical Rayleigh number {critical[0]:.1f}, {critical[1]:.1f}: {limit:.1f}, by theory 1707.76")

    # A box that is heated at one side, Ra = 1e4, Pr = 0.71 (de Vahl Davis, Int. J. Numer. Meth. Fluids 3 (1983) 249): Nusselt number 2.243, largest
    # velocities on the lines through the centre 16.178 and 19.617.
    def box(n):
        more = 'Boundary: {all: neumann, overrides: ["Incompressible::T x_lower dirichlet 0.5", "Incompressible::T x_upper dirichlet -0.5"]}'
        f = flow([n, n], {"viscosity": 0.71, "scalars": '["T = 0.5 - x"]', "diffusivity": 1, "buoyant": "T", "gravity": [0, -7100, 0], "tolerance": 1e-6},
                 time=0.3, periodic=False, limits="{courant: 0.8, diffusive_courant: 0.8}", method="RK2", variables=("u", "v", "T"), more=more)
        return np.array([(0.5 - f["T"][0]).mean() * 2 * n, f["u"][n // 2].max(), f["v"][:, n // 2].max()])
    coarse, fine = box(16), box(32)
    limit, published = fine + (fine - coarse) / 3, np.array([2.243, 16.178, 19.617])
    check((abs(limit / published - 1) < 0.01).all(), f"convection in a box: {coarse}, {fine}: {limit}, published {published}")

    # Vortices behind a cylinder in a channel: Strouhal number 0.295 to 0.305 (Schäfer and Turek, Notes Numer. Fluid Mech. 52 (1996) 547, case 2D-2).
    profile = "6*y*(0.41-y)/0.41^2"
    text = parfile([220, 40], {"viscosity": 0.001, "x_lower": "inflow", "x_lower_velocity": f'["{profile}"]', "x_upper": "outflow",
                               "velocity": f'["{profile}*(1 + 0.3*sin(20*x))"]', "obstacle": '"0.05^2 - (x-0.2)^2 - (y-0.2)^2"', "advection": "limited",
                               "tolerance": 1e-5},
                   time=5, upper=[2.2, 0.41], periodic=False, method="RK2", variables=("p",), scalars=("velocity_y",), reductions="[maximum], points: [0.4, 0.2, 0]")
    _, t, _, _, _, v = np.array(rows(run(text), "incompressible-cells.points.asc")).T
    up = np.nonzero((t[:-1] > 3) & (v[:-1] < 0) & (v[1:] >= 0))[0]
    times = t[up] - v[up] * (t[up + 1] - t[up]) / (v[up + 1] - v[up])
    strouhal = 0.1 / np.diff(times).mean()
    check(len(times) > 4 and 0.29 < strouhal < 0.31 and v[t > 3].max() > 0.3, f"vortices behind a cylinder: Strouhal number {strouhal:.4f}, of {len(times)} vortices")

# Taylor and Green's vortex at Re = 1600: energy by a spectral program of 512³ (C3.5 of the high-order workshop).
if 3 in DIMENSIONS:
    folder = run(parfile([32] * 3, {"viscosity": "1/1600", "velocity": '["sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)"]', "tolerance": 1e-6}, time=2, upper="2*pi",
                         limits="{courant: 0.5, land_on: [1]}", scalars=("energy", "enstrophy"), reductions="[average]", variables=("u",)).replace("every: 1, red", "every: 0, every_time: 1, red"))
    energy = [r[-2] for r in rows(folder, "incompressible-densities.average.asc")]
    check(all(abs(e - known) < 5e-5 for e, known in zip(energy, (0.125, 0.12452, 0.12392))), f"Taylor and Green's vortex in 3D: energy {energy}, published 0.12500 0.12452 0.12392")
finish()
