#!/usr/bin/env python3
"""What runs with black holes found, beside exact and published values: prints a table and writes JSON.

    holes.py OUTPUT.json puncture|head-on|qc0|gw150914 FOLDER [COARSER COARSEST]

FOLDER is the output folder of parfiles/puncture.yaml, head-on.yaml, qc0-small.yaml, qc0-medium.yaml, qc0-refined.yaml, qc0-shells.yaml or gw150914-24.yaml, whole or as far as it came; with
three, of the same run with other spacings, orders of convergence are measured as well. Bars are for runs that are long enough, and not for laptop's (fewer than 60 cells along z). Rows carry the
number of cells; MACHINE of the environment says what it ran on (see _rates.py).
"""
import os
import sys

import numpy as np
from _holes import KERR, RING, THROAT, at, columns, extrapolated, horizon, kerr, line, modes, order, parameter, radiated, ringdown, throat, trumpet
from _rates import note, size, write

output, case, folder, *coarser = sys.argv[1:]
cells = [int(n) for n in parameter(folder, "cells")]
levels = int(parameter(folder, "levels", [1])[0])
QC0_MASS, QC0_SPIN = 1.007876440660, 0.77876432749
RUN = (f"{case} from ±{parameter(folder, 'place')[2]:g}" if case == "head-on" else case) + f", {size(cells)} cells" + (f" and {levels} levels" if levels > 1 else "") + \
    (" with steps of their own" if "subcycle: true" in open(os.path.join(folder, "parameters.yaml")).read() else "")
if case == "gw150914":
    RUN = f"GW150914, M/{cells[0] * 2 ** (levels - 1) / (parameter(folder, 'upper')[0] - parameter(folder, 'lower')[0]):.0f} on {levels} levels"
    last = columns(os.path.join(folder, "orbits.asc"))
    RUN += ", the whole run" if last["separation"][-1] < 0.5 else f", to t = {last['time'][-1]:.0f} M"


def row(what, value, unit="", bar=None, ripe=True):
    """`bar`: what the value must not exceed, judged where the run is `ripe`: long enough for it."""
    bar = bar if ripe and cells[2] >= 60 else None
    met = None if bar is None else bool(value <= bar)
    what = f"{RUN}: {what}"
    note(what, float(value), unit, bar, met)
    print(f"{what:120} {value:12.5g} {unit:3}" + ("" if bar is None else f" bar {bar:g} {'met' if met else 'MISSED'}"), flush=True)


def least(what, value, bar):
    note(f"{RUN}: {what}", float(value), "", bar, bool(value >= bar))
    print(f"{what:120} {value:12.5g}  bar {bar:g} {'met' if value >= bar else 'MISSED'}", flush=True)


def constraints(t0):
    paths = [os.path.join(folder, f"constraints-{name}.asc") for name in ("squares.average", "sizes.maximum")]
    if not all(map(os.path.exists, paths)):
        return
    squares, sizes = map(columns, paths)
    t0 = min(t0, squares["time"][-1])
    late = squares["time"] >= t0
    row(f"‖H‖ between the spheres of Constraints from t = {t0:.3g} on, largest", np.sqrt(squares["H2"] / squares["volume"])[late].max())
    row(f"|H| there from t = {t0:.3g} on, largest", sizes["sizeH"][late].max())


def puncture():
    """Rung 6: the trumpet, and the horizon's mass."""
    space, gauge = line(folder, "bssn-geometry"), line(folder, "bssn-gauge")
    ripe = max(space) >= 50
    begin = 50 if ripe else 0.75 * max(space)
    radii, found = np.array([1.4, 1.6, 1.8, 2, 2.5, 3, 4, 6]), []
    for t in (t for t in space if t >= begin):
        areal = space[t]["x"] * np.sqrt(space[t]["g_yy"]) / space[t]["W"]
        outside = slice(np.argmin(areal[1:12]) + 2, None)  # of the throat: from there on R grows, and of the points beside it, where nothing is smooth
        alpha, K = (values[outside] for values in (gauge[t]["alpha"], space[t]["K"]))
        found.append([*at(areal[outside], alpha, radii), *at(areal[outside], K, radii), throat(areal[outside], alpha)])
    for n, known in enumerate(np.concatenate(trumpet(radii))):
        name, radius = ("α", "K")[n // len(radii)], radii[n % len(radii)]
        off = abs(np.array(found)[:, n] - known).max()
        row(f"{name} at R = {radius:g} M from t = {begin:.3g} M on, furthest from {known:.6f}", off, bar=(0.003, 0.0015)[n // len(radii)] if radius == 2 else None, ripe=ripe)
    row(f"areal radius of the throat at the end, from {THROAT:.4f}", abs(found[-1][-1] - THROAT), "M", 0.02, ripe)
    hole = horizon(folder, 1)
    if hole:
        masses = hole["m_irreducible"][hole["time"] >= begin]
        row(f"M_irr from t = {begin:.3g} M on, largest less smallest", np.ptp(masses), "M", 5e-4, ripe)
        row("M_irr then, furthest from 1", abs(masses - 1).max(), "M")
    constraints(begin)


def waves(mass, omega, bar, slowest, after):
    """Ringdown at each sphere; energy and angular momentum of all waves with frequencies above `slowest`, extrapolated."""
    found, (l, m) = modes(folder), (2, 0) if case == "head-on" else (2, 2)
    radii = sorted({r for (_, _, r), (t, _) in found.items() if t[-1] > after + r + 10})  # spheres that waves have reached
    for r in radii:
        t, values = found[l, m, r]
        w, spread = ringdown(t, values.real if m == 0 else values, omega, t[-1])
        if np.isfinite(spread):
            name = f"ringdown of C_{l}{m} at r = {r:g}:"
            row(f"{name} Re ω", w.real, "1/M")
            row(f"{name} −Im ω", -w.imag, "1/M")
            row(f"{name} half the spread of Re ω over where fits begin", spread, "1/M")
            row(f"{name} ω, from that of the hole at the end, relative", abs(w - omega) / abs(omega), bar=bar)
    radii = [r for r in radii for t, c in [found[l, m, r]] if abs(c[t > t[-1] - 5]).max() < 0.2 * abs(c).max()]  # spheres that waves have passed
    if not radii:
        return np.nan, np.nan
    carried = [radiated(found, r, mass, slowest, after) for r in radii]
    energy, momentum = (extrapolated(radii, [c[k] for c in carried]) for k in (0, 1))
    for r, (part, _) in zip(radii, carried):
        row(f"E_rad at r = {r:g}", part, "M")
    row("E_rad, extrapolated", energy, "M")
    if m:
        row("J_rad, extrapolated", momentum, "M²")
    return energy, momentum


def converging(l, m):
    """Order of C_lm over three spacings at each sphere that is seen for 20 M after the wave reached it; where C_lm turns, of its amplitude and phase, too, while it is loud."""
    runs = [modes(f) for f in (folder, *coarser)]
    along = [int(parameter(f, "cells")[0]) for f in (coarser[1], coarser[0], folder)]
    h, of = [1 / n for n in along], f"{along[0]}, {along[1]} and {along[2]} cells along x"
    for r in sorted({r for _, _, r in runs[0]}):
        t = runs[0][l, m, r][0]
        t = t[t <= min(run[l, m, r][0][-1] for run in runs)]
        if t[-1] < r + 20:
            continue
        fine, middle, coarse = (np.interp(t, *run[l, m, r]) for run in runs)
        where = f"C_{l}{m} at r = {r:g} to t = {t[-1]:.3g}, {of}"
        least(f"order of {where}", order(h, coarse, middle, fine), 4)
        if m:
            loud = (abs(fine) > 0.1 * abs(fine).max()) & (t > r + 10)
            for name, part in (("amplitude", abs), ("phase", lambda c: np.unwrap(np.angle(c)))):
                least(f"order of the {name} of {where}", order(h, part(coarse[loud]), part(middle[loud]), part(fine[loud])), 4)


def common(number):
    hole = horizon(folder, number)
    if hole:
        row("the common horizon is first found at t", hole["time"][0], "M")
    return hole


def head_on():
    """Rung 7: ringdown of C_20, and the sum of energies."""
    apart = len(parameter(folder, "start_times")) == 2
    hole = common(2 if apart else 1)
    energy, _ = waves(1, RING, 0.01, 0.1, 5)
    loudest = {mode: max(abs(v).max() for (l, m, _), (_, v) in modes(folder).items() if (l, m) == mode) for mode in {key[:2] for key in modes(folder)}}
    row("largest mode with m not 0 or odd l, over that of l = 2, m = 0", max(v for (l, m), v in loudest.items() if m or l % 2) / loudest[2, 0])
    if apart and np.isfinite(energy):
        row("E_rad, further from 4.5e-4 than 2.5e-4: how far", max(0, abs(energy - 4.5e-4) - 2.5e-4), "M", 0)
    if hole and np.isfinite(energy):
        mass = hole["m_irreducible"][-1]
        ripe = bool(hole["time"][-1] > hole["time"][0] + 30)
        row("M_irr at the end, short of 1 by", 1 - mass, "M")
        row("M_irr at the end + E_rad, from 1", abs(mass + energy - 1), "M", 5e-4, ripe)
    constraints(10)
    if coarser:
        converging(2, 0)


def qc0():
    """Rung 8: balances (a) to (g)."""
    hole = common(3)
    until = hole["time"][0] if hole else np.inf
    for number in (1, 2):  # (e)
        single = horizon(folder, number)
        if single:
            masses = single["m_irreducible"][single["time"] < until]
            row(f"(e) M_irr of hole {number} until the common horizon, largest less smallest over the mean", np.ptp(masses) / masses.mean(), "", 5e-3 if cells[2] < 200 else 1e-3)
    tracks = np.loadtxt(os.path.join(folder, "punctures.asc"), ndmin=2)
    x, y, z = (tracks[:, 2 + k::3] for k in range(3))
    row("(f) tracks, each other's images under half a turn: furthest", max(abs(x.sum(1)).max(), abs(y.sum(1)).max(), abs(z).max()), "M", 1e-3)
    steps = np.diff(tracks[:, 1])
    bends = np.diff(np.stack([x[:, 0], y[:, 0]]), axis=1) / steps
    row("(f) velocity of a track, largest change from one look to the next", abs(np.diff(bends, axis=1)).max())
    spin = hole["spin_z"][-1] / hole["mass"][-1] ** 2 if hole else 0
    known = min(KERR) <= spin <= max(KERR)
    omega = kerr(spin) / hole["mass"][-1] if known else kerr(0.69) / QC0_MASS
    energy, momentum = waves(QC0_MASS, omega, 0.015 if known else None, 0.17, 10)  # (d)
    if hole and np.isfinite(energy):
        mass, J, around = (hole[name][-1] for name in ("mass", "spin_z", "xy-plane circumference"))
        medium, ripe = cells[2] >= 200, hole["time"][-1] > until + 40
        row(f"(a) M at the end + E_rad, from {QC0_MASS:.6f}, relative", abs(mass + energy - QC0_MASS) / QC0_MASS, "", 2e-3 if medium else 5e-3, ripe)
        row(f"(b) J at the end + J_rad, from {QC0_SPIN:.6f}, relative", abs(J + momentum - QC0_SPIN) / QC0_SPIN, "", 0.01 if medium else 0.02, ripe)
        row("(c) M of the equator's circumference and M of area and J, relative", abs(around / (4 * np.pi) / mass - 1), "", 3e-3, ripe)
        row("M at the end, short of that of the data by", QC0_MASS - mass, "M")
        row("spin at the end, J/M²", spin)
    if coarser:
        converging(2, 2)  # (g)


def gw150914():
    """Rung 9: six orbits, as the gallery of the Einstein Toolkit has them, and balances."""
    both = [horizon(folder, n) for n in (1, 2)]
    orbits = columns(os.path.join(folder, "orbits.asc"))
    t, apart = orbits["time"], orbits["separation"]
    merged = t[apart < 0.5][0] if (apart < 0.5).any() else np.inf  # where punctures fall together, a horizon around both is there
    when, bar = ("until 20 M before the merger", 1e-3) if np.isfinite(merged) else ("so far", None)
    for n, (hole, mass, spin) in enumerate(zip(both, (36 / 65, 29 / 65), (0.31, -0.46)), 1):
        early = hole["time"] < merged - 20
        row(f"mass of hole {n} {when}, furthest from {mass:.6f}, relative", abs(hole["mass"][early] / mass - 1).max(), "", bar)
        around = np.argmin(abs(hole["time"] - 100))
        if hole["time"][-1] > 90:
            row(f"spin of hole {n} at t = 100 M, from {spin}, relative", abs(hole["spin_z"][around] / hole["mass"][around] ** 2 / spin - 1), "", 0.01)
    if not np.isfinite(merged):
        row("orbits so far", orbits["orbits"][-1])
        row("how far the punctures are apart", apart[-1], "M")
        return
    row("orbits to the merger", orbits["orbits"][-1])
    row("orbits to the merger, from 6", abs(orbits["orbits"][-1] - 6), "", 0.25)
    row("the punctures are half an M apart at t", merged, "M")
    row("the same, from 899 M, relative", abs(merged / 899 - 1), "", 0.02)
    end = horizon(folder, 3) or both[0]  # horizons around the punctures are one then
    mass, J = end["mass"][-1], end["spin_z"][-1]
    row("mass at the end", mass)
    row("mass at the end, from 0.95", abs(mass - 0.95), "", 0.005)
    row("spin at the end, J/M²", J / mass**2)
    row("spin at the end, from 0.69", abs(J / mass**2 - 0.69), "", 0.01)
    energy, momentum = waves(0.989946, kerr(J / mass**2) / mass, 0.015, 0.045, 50)
    if np.isfinite(energy):
        row("M at the end + E_rad, from 0.989946, relative", abs(mass + energy - 0.989946) / 0.989946, "", 3e-3)
        row("J at the end + J_rad, from 0.956543, relative", abs(J + momentum - 0.956543) / 0.956543, "", 0.015)


{"puncture": puncture, "head-on": head_on, "qc0": qc0, "gw150914": gw150914}[case]()
write(output)
