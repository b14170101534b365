"""What the output of a run with black holes says: trumpets, horizons, energy and angular momentum of waves, ringdown, orders. Nothing but files of the run is read. G = c = 1."""
import glob
import os
import re

import numpy as np
from scipy.interpolate import CubicSpline

# ω of the mode l = m = 2 of a hole with mass 1 and spin a, and of one without spin (of any m); E. Berti, V. Cardoso, A. Starinets, Class. Quantum Grav. 26 (2009) 163001.
RING = 0.373672 - 0.088962j
KERR = {0.65: 0.511969 - 0.082462j, 0.68: 0.523975 - 0.081513j, 0.69: 0.528221 - 0.081162j, 0.70: 0.532600 - 0.080793j, 0.72: 0.541794 - 0.079991j}
# M. Hannam et al., Phys. Rev. D 78 (2008) 064020: α² = 1 − 2/R + C² exp(α)/R⁴ at the areal radius R of a hole of mass 1.
TRUMPET, THROAT = (3 + 10**0.5) ** 3 / 128 * np.exp(3 - 10**0.5), 1.3124082892


def trumpet(radius):
    """α and K of the end state of 1+log slicing at areal radii outside of THROAT, by Newton's method from the outer branch or, inside of the saddle, the inner one."""
    lapse = np.where(radius > 1.5405694, 1.0, 0.0)
    for _ in range(100):
        grown = TRUMPET * np.exp(lapse) / radius**4
        lapse = lapse - (lapse**2 - 1 + 2 / radius - grown) / (2 * lapse - grown)
    grown = TRUMPET * np.exp(lapse) / radius**4
    slope = (2 / radius**2 - 4 * grown / radius) / (2 * lapse - grown)  # dα/dR
    return lapse, slope * np.sqrt(grown) / 2  # 2 α K = α β^R dα/dR, β^R = α √(α² − 1 + 2/R)


def parameter(folder, name, missing=None):
    """A number, or a list of them, of parameters.yaml; `missing` where it has none."""
    with open(os.path.join(folder, "parameters.yaml")) as f:
        found = re.search(rf"^ *{name}: \[?([-\d., e+]+)\]?", f.read(), re.M)
    return [float(x) for x in found[1].split(",")] if found or missing is None else missing


def columns(path):
    """Name -> numbers of a file of BH_diagnostics or of a series."""
    with open(path) as f:
        head = [line for line in f if line.startswith("#")]
    names = re.findall(r"# column +\d+ = (?:cctk_)?(.*)", "".join(head))
    if not names:
        names = re.findall(r"\d+:(\S+)", head[-1])
        names = names if names[0] == "iteration" else ["iteration", "time"] + names
    return dict(zip(names, np.loadtxt(path, ndmin=2).T))


def horizon(folder, number):
    path = os.path.join(folder, f"BH_diagnostics.ah{number}.gp")
    return columns(path) if os.path.exists(path) else None


def line(folder, name):
    """time -> x and name -> values along the x axis of `name`.x.asc."""
    path = os.path.join(folder, f"{name}.x.asc")
    with open(path) as f:
        names = re.findall(r"\d+:(\S+)", next(text for text in f if text.startswith("# data columns")))
    rows = np.loadtxt(path)
    return {t: {"x": part[:, 9], **{n: part[:, 12 + k] for k, n in enumerate(names)}} for t in np.unique(rows[:, 8]) for part in (rows[rows[:, 8] == t],)}


def modes(folder):
    """(l, m, r) -> times, C_lm of Ψ4."""
    found = {}
    for path in glob.glob(os.path.join(folder, "mp_Psi4_l*.asc")):
        l, m, r = re.search(r"_l(\d+)_m(-?\d+)_r([\d.]+)\.asc", path).groups()
        t, real, imaginary = np.loadtxt(path, ndmin=2).T
        found[int(l), int(m), float(r)] = evenly(t, real + 1j * imaginary)
    return found


def evenly(t, values):
    """At times that lie evenly, as integrals need them: steps that do not divide the time between looks come at uneven times."""
    if len(t) < 4 or np.ptp(np.diff(t)) < 1e-6 * t[-1] / len(t):
        return t, values
    even = np.linspace(t[0], t[-1], len(t))
    return even, CubicSpline(t, values)(even)


def edge(n):
    """From 0 to 1, smoothly."""
    return np.sin(0.5 * np.pi * np.arange(n) / n) ** 2


def integral(t, values, least, last=None):
    """Over time, with frequencies below `least` taken as that (C. Reisswig, D. Pollney, Class. Quantum Grav. 28 (2011) 195015); a twentieth fades at either end, or `last`
    values at the second; beyond them is silence."""
    first = max(2, len(t) // 20)
    last = last or first
    window = np.ones(len(t))
    window[:first], window[-last:] = edge(first), edge(last)[::-1]
    n = 1 << (4 * len(t) - 1).bit_length()
    omega = 2 * np.pi * np.fft.fftfreq(n, t[1] - t[0])
    omega = np.where(omega < 0, np.minimum(omega, -least), np.maximum(omega, least))
    return np.fft.ifft(np.fft.fft(values * window, n) / (1j * omega))[:len(t)]


def silent(values):
    """How many of the last values fade: a twentieth, or what comes after the last of a fifth of the largest, if that is less, and eight or more: the wave has passed then."""
    loud = np.flatnonzero(abs(values) >= 0.2 * np.nanmax(abs(values)))
    passed, fade = len(values) - loud[-1] - 1, max(2, len(values) // 20)
    return passed if 8 <= passed < fade else fade


def radiated(waves, radius, mass, least, after):
    """Energy and angular momentum along z of all modes at a sphere, counted from `after` + r on. Waves are those far away, to first order in 1/R (H. Nakano et al.,
    Phys. Rev. D 91 (2015) 104022), with R the areal radius of the sphere in space that is nearly isotropic."""
    energy = momentum = 0
    loudest = max((values for (l, m, r), (t, values) in waves.items() if r == radius), key=lambda values: np.nanmax(abs(values)))
    last = silent(loudest)
    areal = radius * (1 + mass / (2 * radius)) ** 2
    for (l, m, r), (t, values) in waves.items():
        if r == radius:
            far = (1 - 2 * mass / areal) * areal * (values - (l - 1) * (l + 2) / (2 * areal) * integral(t, values, least, last))
            news = integral(t, far, least, last)
            strain, late = integral(t, news, least, last), t > after + r
            energy += np.trapz(abs(news[late]) ** 2, t[late]) / (16 * np.pi)
            momentum += m * np.trapz((strain * news.conj()).imag[late], t[late]) / (16 * np.pi)
    return energy, momentum


def extrapolated(radii, values):
    """To 1/r = 0, linear in 1/r; the value itself for one sphere."""
    return np.polyfit(1 / np.asarray(radii), values, 1)[-1] if len(radii) > 1 else values[0]


def fit(t, values, omega):
    """ω of values = A exp(−iωt), or, of real values, its real part: least squares, Gauss and Newton's method from `omega`, A eliminated."""
    t = t - t[0]
    real = np.isrealobj(values)

    def rest(w):
        wave = np.exp(-1j * w * t)
        basis = np.stack([wave.real, wave.imag], 1) if real else wave[:, None]
        left = values - basis @ np.linalg.lstsq(basis, values, rcond=None)[0]
        return left if real else np.concatenate([left.real, left.imag])

    for _ in range(50):
        here, step = rest(omega), 1e-6
        slopes = np.stack([(rest(omega + d) - here) / step for d in (step, step * 1j)], 1)
        a, b = np.linalg.lstsq(slopes, -here, rcond=None)[0]
        move = complex(a, b)
        omega += move * min(1, 0.1 / abs(move)) if move else 0
        if abs(move) < 1e-10:
            break
    return omega


def ringdown(t, values, guess, end):
    """ω and its spread, over fits that begin 10 to 20 M after the peak and end at `end`, or where a hundredth of the peak is left."""
    t, values = t[t <= end], values[t <= end]
    peak = np.argmax(abs(values))
    loud = np.nonzero(abs(values) >= 0.01 * abs(values[peak]))[0][-1]
    found = [fit(t[a:loud + 1], values[a:loud + 1], guess) for a in range(peak, loud) if 10 <= t[a] - t[peak] <= 20 and t[loud] - t[a] > 10]
    return (np.median(np.real(found)) + 1j * np.median(np.imag(found)), np.ptp(np.real(found)) / 2) if found else (complex(np.nan, np.nan), np.nan)


def kerr(spin):
    """ω of a hole with mass 1 and this spin, within the table: a polynomial through it."""
    spins = np.array([0, *KERR])
    return np.polyval(np.polyfit(spins, np.array([RING, *KERR.values()]), len(spins) - 1), spin)


def at(x, values, places):
    """Lagrange's polynomial through the four points around each place."""
    found = []
    for place in places:
        first = min(max(np.searchsorted(x, place) - 2, 0), len(x) - 4)
        found.append(np.polyval(np.polyfit(x[first:first + 4] - place, values[first:first + 4], 3), 0))
    return np.array(found)


def throat(areal, alpha):
    """The areal radius where α is 0: a parabola through the points with α < 1/4, which is right to 0.005 for the exact trumpet."""
    near = alpha < 0.25
    return np.polyval(np.polyfit(alpha[near], areal[near], 2), 0) if near.sum() > 2 else np.nan


def order(h, coarse, middle, fine):
    """p of values + c h^p, from the norms of two differences."""
    ratio = np.linalg.norm(coarse - middle) / np.linalg.norm(middle - fine)
    low, high = 0.0, 16.0
    for _ in range(60):
        p = (low + high) / 2
        low, high = (p, high) if (h[0]**p - h[1]**p) / (h[1]**p - h[2]**p) < ratio else (low, p)
    return p
