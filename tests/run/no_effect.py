#!/usr/bin/env python3
"""What a parameter file sets and a run does not take, steps that end in large numbers, and data that the domain does not take are said; and
nothing is said of files that mean what they do.

Mutations, each of which makes it fail: Resolver without warn_without_effect(), or that takes defaults for values; Boundary's check() without
warn_of_numbers(), warn_of_value() or refuse_origin(), its check_speed() that compares nothing; MoL without `growth`, or with `most` 1e80; Time
without its check, or with 1 in place of 4 differences; WaveToy without check_data(); Elliptic that does not look for t; Dendrite without covers(); Hydro without
check_data(); IOASCII and Checkpoint without their checks; Interpolate's and IOASCII's points without warn_of_place(); Hydro's check_data() without warn_of_axes(), or that
looks to the left of <=; Expressions' without computes(); Reached that follows both sides of a choice; Multiple that is 0 for a product.
"""
import subprocess
import tempfile

from _physics import check, finish, job

WAVE = """thorns: [UniGrid, Time, MoL, WaveToy, Reduce, IOASCII{more}]
Cereus: {{iterations: {n}, output: run}}
UniGrid: {{cells: {cells}, lower: {lower}, upper: 1, periodic: {periodic}{grid}}}
MoL: {{method: {method}}}
Time: {{{time}}}
WaveToy: {{{wave}}}
{rest}
"""


def wave(more="", n=0, cells="[16, 16]", lower="-1", periodic="true", grid="", method="RK4", time="courant: 0.3", wave="order: 4", rest=""):
    return WAVE.format(**locals())


HEAT = """thorns: [UniGrid, Time, MoL, Diffusion]
Cereus: {iterations: 0, output: run}
UniGrid: {cells: [16, 16]}
MoL: {method: METHOD}
Time: {TIME}
"""
GAS = """thorns: [UniGrid, Time, MoL, Boundary, EOS, Hydro]
Cereus: {iterations: 0, output: run}
UniGrid: {cells: [32], periodic: false}
Boundary: {BOUNDARY}
MoL: {method: METHOD}
EOS: {EOS}
Hydro: {HYDRO}
"""


def gas(boundary="all: extrapolate", method="SSPRK3", eos="gamma: 1.4", hydro="scheme: plm"):
    return GAS.replace("BOUNDARY", boundary).replace("METHOD", method).replace("EOS: {EOS}", f"EOS: {{{eos}}}").replace("HYDRO", hydro)


def on_levels(parfile):
    return parfile.replace("[UniGrid,", "[Forest,").replace("UniGrid: {cells: [32], periodic: false}", 'Forest: {cells: [24, 24], periodic: false, block: 12, levels: 2, boxes: ["1 -0.1 0.1 -0.1 0.1"]}')


def elliptic(words):
    return f"""thorns: [UniGrid, Time, Boundary, Elliptic, Multigrid]
Cereus: {{iterations: 0, output: run}}
Time: {{dt: 1}}
UniGrid: {{cells: [8, 8], periodic: false}}
Boundary: {{all: dirichlet}}
Elliptic: {{{words}}}
"""


def crystal(upper, radius):
    return f"""thorns: [UniGrid, Time, Boundary, Dendrite]
Cereus: {{iterations: 0, output: run}}
UniGrid: {{cells: [64, 64], lower: 0, upper: {upper}, periodic: false}}
Boundary: {{all: neumann}}
Dendrite: {{radius: {radius}}}
"""


WALLS = dict(more=", Boundary", periodic="false")
OUT = "Boundary: {{all: radiation{}}}"
TEXT = """thorns: [UniGrid, Time, MoL, Lost]
equations: |
  thorn Lost "A wave, damped with the wrong sign"
  evolve state "u"
    u
  operators centred(2), dissipation(3)
  initial
    u = sin(pi x)
  rhs
    D_t u = SIGN dissipation u
Cereus: {iterations: 400, output: run}
UniGrid: {cells: [64]}
MoL: {method: RK4}
Time: {dt: 0.01}
"""
SPREAD = """thorns: [UniGrid, Time, MoL, Spread]
equations: |
  thorn Spread "What spreads"
  parameter
    k = 1 in (0, inf) "How fast"
  evolve state "u"
    u diffusivity %s
  operators centred(2)
  initial
    u = k sin(pi x)
  rhs
    D_t u = u (1 - u) + %s D_ii u
Cereus: {iterations: 1, output: run}
UniGrid: {cells: [64]}
"""

CASES = [
    # A parameter of another choice; line and column.
    ("a limiter of weno5", gas(hydro="scheme: weno5, limiter: mc"), "7:33: Hydro.limiter has no effect with scheme: weno5, only with scheme: plm; remove one of the two", True),
    ("a limiter of plm", gas(hydro="scheme: plm, limiter: mc"), "has no effect", False),
    ("a solver of ppm", gas(hydro="scheme: ppm, solver: hllc"), "has no effect", False),
    ("a default that is given", gas(hydro="scheme: weno5, limiter: van_leer"), "has no effect", False),
    ("gamma of an isothermal gas", gas(eos="kind: isothermal, gamma: 1.6"), "EOS.gamma has no effect with kind: isothermal, only with kind: gamma or stiffened", True),
    ("an error of RK4", wave(method="RK4, relative_error: 1e-4"), "MoL.relative_error has no effect with method: RK4", True),
    ("an error of RK45", wave(method="RK45, relative_error: 1e-4", time="dt: 0.01"), "has no effect", False),
    ("stretch_from alone", wave(grid=", stretch_from: 0.5"), "UniGrid.stretch_from has no effect with stretch_factor: [1.0], only with stretch_factor given", True),
    ("courant beside dt", wave(time="dt: 0.01, courant: 0.3"), "Time.courant has no effect with dt: 0.01, only with dt: 0.0", True),
    ("dt alone", wave(time="dt: 0.01"), "has no effect", False),
    ("processes with a device, of which there is none", wave().replace("iterations: 0", "iterations: 0, device_processes: 1"), "Cereus.device_processes has no effect: no process takes a device", True),
    ("a width of a plane wave", wave(wave="initial_data: plane, width: 0.3"), "WaveToy.width has no effect with initial_data: plane", True),
    ("courant of what diffuses", HEAT.replace("METHOD", "RK4").replace("TIME", "courant: 0.3"), "Time.courant limits nothing: no thorn offers a speed", True),
    ("diffusive_courant of what diffuses", HEAT.replace("METHOD", "RK4").replace("TIME", "diffusive_courant: 0.3"), "limits nothing", False),
    # Conditions.
    ("value without dirichlet", wave(**WALLS, rest="Boundary: {all: neumann, value: 2}"), "Boundary.value has no effect: no face says dirichlet", True),
    ("speed without radiation", wave(**WALLS, rest="Boundary: {all: neumann, radiation_speed: 2}"), "Boundary.radiation_speed has no effect", True),
    ("a face that the grid has not", wave(**WALLS, rest="Boundary: {all: neumann, z_lower: reflect}"), "Boundary.z_lower: reflect has no effect: the grid has no axis z", True),
    ("an override at a periodic face", wave(more=", Boundary", periodic="[true, false]", rest='Boundary: {all: neumann, overrides: ["WaveToy::u x_lower dirichlet 1"]}'),
     "that of WaveToy::u has no effect: the domain does not end at x_lower", True),
    ("one value for all", wave(**WALLS, rest="Boundary: {all: dirichlet, value: 1}"), "Boundary.value: 1 is held by u, rho of WaveToy::state alike", True),
    ("a value for one", wave(**WALLS, rest='Boundary: {all: dirichlet, value: 1, overrides: ["WaveToy::rho all dirichlet 0"]}'), "alike", False),
    ("0 for all", wave(**WALLS, rest="Boundary: {all: dirichlet}"), "alike", False),
    ("radiation at another speed", wave(**WALLS, rest=OUT.format(", radiation_speed: 2")), "leave at x_lower with a speed of 2, while WaveToy offers 1", True),
    ("radiation at the wave's own", wave(**WALLS, wave="speed: 3", rest=OUT.format("")), "speed", False),
    ("radiation from a face with the origin", wave(**WALLS, lower="0", rest=OUT.format("")), "radiation at x_lower leaves the origin of coordinates", True),
    ("radiation beside a mirror at the origin", wave(**WALLS, lower="0", rest="Boundary: {all: radiation, x_lower: reflect, y_lower: reflect}"), "origin", False),
    # Steps.
    ("what diffuses in long steps", HEAT.replace("METHOD", "Euler").replace("TIME", "dt: 0.01"), "what diffuses blows up; MoL.method bears at most 0.003", True),
    ("the limit of Euler", HEAT.replace("METHOD", "Euler").replace("TIME", "diffusive_courant: 0.99"), "blows up", False),
    ("long steps by RK4", HEAT.replace("METHOD", "RK4").replace("TIME", "diffusive_courant: 1.3"), "blows up", False),
    ("too long steps by RK4", HEAT.replace("METHOD", "RK4").replace("TIME", "diffusive_courant: 1.5"), "blows up", True),
    ("weno5 by Euler", gas(method="Euler", hydro="scheme: weno5"), "waves of weno5 grow with MoL.method: Euler", True),
    ("plm by Euler", gas(method="Euler"), "grow with", False),
    ("weno5 on levels", on_levels(gas(hydro="scheme: weno5")), "Hydro.scheme: weno5 has order 2 where levels meet", True),
    ("ppm on levels", on_levels(gas(hydro="scheme: ppm")), "order 2 where levels meet", False),
    ("a wave that grows", wave(n=60, method="RK2", time="dt: 0.3"), "MoL: the largest value of WaveToy::state is", True),
    ("a wave that does not", wave(n=60), "largest value", False),
    ("dissipation with its sign turned", TEXT.replace("SIGN", "-"), "MoL: the largest value of Lost::state is", True),
    ("dissipation", TEXT.replace("SIGN", ""), "largest value", False),
    ("a step of an adaptive method", wave(method="RK45", time="dt: 0.01"), "Time.dt is the first step alone", True),
    ("signals that outrun a method", gas(method="SSPRK3}\nTime: {dt: 0.2"), "the fastest signals cross", True),
    # Data.
    ("a plane wave that does not close", wave(wave="initial_data: plane, wave_number: [0.3, 0, 0]"),
     "WaveToy.wave_number: 0.6 wavelengths along the periodic axis x: the wave has a step at its ends, and the known solution is not that of the run; take a multiple of 0.5", True),
    ("a plane wave that does", wave(wave="initial_data: plane, wave_number: [1.5, 0, 0]"), "wavelengths", False),
    ("a pulse elsewhere", wave(wave="centre: [2, 0, 0]"), "WaveToy.centre: 2 along x is outside the domain, which goes from -1 to 1", True),
    ("a source of t", elliptic('source: "cos(t)"'), "Elliptic.source: 'cos(t)' changes with t, but is solved for when the run begins alone; say each_step: true", True),
    ("a source of t in each step", elliptic('source: "cos(t)", each_step: true'), "changes with t", False),
    ("a crystal that fills its box", crystal(4, 8), "the domain lies within a seed of radius 8", True),
    ("a crystal with room", crystal(40, 8), "Dendrite: the domain", False),
    ("a crystal outside", crystal(40, 8).replace("radius: 8", "radius: 8, seeds: [90, 0, 0]"), "Dendrite.seeds: 90 along x is outside the domain", True),
    ("gravity along a periodic axis", gas(hydro="gravity: [-1, 0, 0]").replace("periodic: false", "periodic: true").replace("Boundary: {all: extrapolate}", ""), "Hydro.gravity: all falls along x, which is periodic", True),
    ("gravity between walls", gas(boundary="all: reflect", hydro="gravity: [-1, 0, 0]"), "Hydro.gravity", False),
    ("gravity along an axis that is not there", gas(hydro="gravity: [0, -1, 0]"), "Hydro.gravity: the grid has no axis y", True),
    ("a pressure of an isothermal gas", gas(eos="kind: isothermal", hydro='pressure: "2"'), "Hydro.pressure: that of an isothermal gas is a² ρ", True),
    ("a source that is evolved", elliptic('source: "WaveToy::u", centring: vertices').replace("[UniGrid, Time,", "[UniGrid, Time, MoL, WaveToy,"), "'WaveToy::u' changes with WaveToy::u, but is solved for when the run begins alone", True),
    ("a pulse below the distance of points", wave(wave="width: 0.06", cells="[16, 16]"), "WaveToy.width: 0.06 is below half the distance of points, 0.125", True),
    ("a pulse above it", wave(wave="width: 0.1", cells="[32, 32]"), "distance of points", False),
    ("a wave of three points", wave(wave="initial_data: standing, wave_number: [2.5, 0, 0]"), "WaveToy.wave_number: 3.2 points a wavelength along the axis x, which needs 4 at least", True),
    ("a wave of four", wave(wave="initial_data: standing, wave_number: [2, 0, 0]"), "a wavelength", False),
    ("a plane wave into walls", wave(**WALLS, wave="initial_data: plane, wave_number: [0.5, 0, 0]", rest="Boundary: {all: dirichlet}"),
     "the wave runs through the ends of the axis x, and the known solution is not that of the run; make it periodic", True),
    ("a plane wave along walls", wave(more=", Boundary", periodic="[true, false]", wave="initial_data: plane, wave_number: [0.5, 0, 0]", rest="Boundary: {all: neumann}"), "known solution", False),
    ("a standing wave between walls", wave(**WALLS, wave="initial_data: standing, wave_number: [0.25, 0.5, 0]", rest="Boundary: {all: neumann}"), "known solution", False),
    ("a standing wave that does not end there", wave(**WALLS, wave="initial_data: standing, wave_number: [0.3, 0.5, 0]", rest="Boundary: {all: neumann}"),
     "neither a crest nor a node at both ends of the axis x", True),
    ("z in a plane", gas(hydro='density: "1 + 0.1 * sin(z)"'), "Hydro.density: '1 + 0.1 * sin(z)': the grid has no axis z, and z is 0", True),
    ("x where there is x", gas(hydro='density: "1 + 0.1 * sin(x)"'), "has no axis", False),
    ("z in a source", elliptic('source: "x <= z ? 1 : 0"'), "Elliptic.source: 'x <= z ? 1 : 0': the grid has no axis z", True),
    ("z in initial data", wave(more=", Expressions", rest='Expressions: {initial: ["WaveToy::u = sin(z)"]}'), "Expressions.initial: 'WaveToy::u = sin(z)': the grid has no axis z", True),
    ("initial data of what is computed", wave(more=", Expressions", rest='Expressions: {initial: ["WaveToy::energy = 1"]}'),
     "Expressions.initial: 'WaveToy::energy = 1': WaveToy::energy computes WaveToy::energy whenever something reads it; it has no initial data", True),
    # Texts.
    ("a parameter of another choice of a text", TEXT.replace("SIGN", "").replace("MoL, Lost", "MoL, Wave").replace("Time: {", "Wave: {data: plane, width: 0.2}\nTime: {").replace("thorn Lost", "thorn Other"),
     "Wave.width has no effect with data: plane, only with data: pulse", True),
    ("a parameter that no equation takes", TEXT.replace("SIGN", "").replace("  evolve", "  parameter\n    a = 1 \"Nothing\"\n  evolve", 1), "parameter 'a' has no effect: no equation takes it", True),
    ("a diffusivity that is not the equation's", SPREAD % (1, "0.1"), "the diffusivity of 'u' is not the one with which its equation lets it spread", True),
    ("the equation's", SPREAD % (1, "1"), "diffusivity", False),
    ("a diffusivity that is a parameter", SPREAD % ("k", "k"), "diffusivity", False),
    ("one that is written in another way", SPREAD % ("2 k k / 2", "k^2"), "diffusivity", False),
    # Files.
    ("points outside", wave(rest='IOASCII: {variables: ["WaveToy::u"], points: [7, 0, 0]}'), "IOASCII.points: 7 along x is outside the domain, which goes from -1 to 1; the nearest grid point is taken", True),
    ("points inside", wave(rest='IOASCII: {variables: ["WaveToy::u"], points: [0.7, 0, 0]}'), "outside", False),
    ("lines_every alone", wave(rest="IOASCII: {lines_every: 3}"), "IOASCII.lines_every has no effect with lines: []", True),
    ("a checkpoint that is never written", wave(more=", Checkpoint", rest="Checkpoint: {at_end: false}"), "Checkpoint writes only where a run is stopped early", True),
    ("nothing evolved", elliptic('source: "1"').replace("Boundary, Elliptic", "Boundary, Reduce, IOASCII, Elliptic"), "IOASCII writes nothing: no variable is evolved", True),
    ("a series of nothing", wave(more=", IOImage", rest="IOImage: {series: [\"none*.asc\"]}"), "IOImage.series: the run wrote no file like 'none*.asc'", True),
    ("scalars in Carpet's files", wave(more=", IOHDF5", rest="IOHDF5: {every: 1, format: [carpet], variables: [\"WaveToy::u\", \"WaveToy::max_speed\"]}"),
     "WaveToy::max_speed is no grid function", True),
    # Services.
    ("IOASCII without Reduce", wave().replace(" Reduce,", ""), "IOASCII needs the service Reduction, which no active thorn offers; add Reduce to thorns:", True),
]
for what, text, said, there in CASES:
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, text, CEREUS_DEVICE="none"), capture_output=True, timeout=200)
    all_said = done.stdout + done.stderr
    right = (said in all_said) == there and done.returncode in ((0, 1) if there else (0,))
    check(right, f"{what}: {'says' if there else 'does not say'} '{said}'" + ("" if right else f": code {done.returncode}, {all_said[-1500:]}"))
finish()
