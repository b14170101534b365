#!/usr/bin/env python3
"""Element-wise assignments g = 2 √f and h = f g + k over the bandwidth of a copy, from the call until it is over: those of the class World of
Python; with --program those of C++, by the program benchmark_view_elementwise; on a GPU (`--device cuda`, or DEVICE=cuda) CuPy and JAX in the same run.

    CEREUS=build/bin/cereus COMMIT=… python3 tests/benchmarks/elementwise.py docs/measured/view.json [--device cuda] [--cells 512] [--rounds 20] [--program FILE]

The copy is cudaMemcpy within the device, counted as read and written; on the host that of the World, g = f. Of each the best of the rounds, in turn.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

import _rates
from _rates import host, note

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(os.environ["CEREUS"]))), "lib", "python3"))

arguments = argparse.ArgumentParser()
arguments.add_argument("file")
arguments.add_argument("--device", default=os.environ.get("DEVICE", "none"))
arguments.add_argument("--cells", type=int)
arguments.add_argument("--rounds", type=int, default=20)
arguments.add_argument("--program")
arguments.add_argument("--only-program", action="store_true", help="without the module of Python")
a = arguments.parse_args()
GPU = a.device == "cuda"
N = a.cells or (512 if GPU else 256)
WHERE = f"{N}³{', GPU' if GPU else ', host'}"
FILE = os.path.abspath(a.file)
if not GPU:
    os.environ["MACHINE"] = host()
K, BAR = 0.5, 0.93
ARRAYS = {"copy": 2, "g = 2 √f": 2, "h = f g + k": 3}
PROGRAM = a.program and os.path.abspath(a.program)
os.chdir(tempfile.mkdtemp(prefix="cereus-"))


def best(ways):
    """Seconds of each way, the least of all rounds."""
    least = dict.fromkeys(ways, 1e30)
    for _ in range(a.rounds):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            least[name] = min(least[name], time.perf_counter() - start)
    return least


def tell(who, least, copy, against, bar=None):
    for (name, arrays), seconds in zip(ARRAYS.items(), least):
        ratio = arrays / ARRAYS["copy"] * copy / seconds
        print(f"{who:24} {name:12} {8e-9 * arrays * N**3 / seconds:8.1f} GB/s, {ratio:.3f} of {against}", flush=True)
        if name != "copy" or GPU:
            judged = bar and name != "copy"
            note(f"element-wise {name}, {who}, {WHERE}: over the bandwidth of {against}", ratio, "", f"≥ {bar}" if judged else "", ratio >= bar if judged else None)


def world():
    import cereus as cs
    w = cs.World(cells=(N, N, N), lower=0, upper=1, periodic=True, name="elementwise")
    w.thorn("Cereus", device=a.device)
    if a.device == "mirror":
        w.thorn("AcceleratorMirror")
    f, g, h = w.field("f", initial="1 + x"), w.field("g"), w.field("product")
    w.run(iterations=0)

    def copied():
        g[:] = f

    def root():
        g[:] = 2 * np.sqrt(f)

    def product():
        h[:] = f * g + K
    for way in (copied, root, product):  # what has taken some seconds is compiled
        end = time.perf_counter() + 3
        while time.perf_counter() < end:
            way()
    return w, (copied, root, product)


def cupy_ways():
    import cupy
    f = 1 + cupy.arange(N**3, dtype="f8") / N**3
    g, h = cupy.sqrt(f), cupy.sqrt(f)
    wait = cupy.cuda.Device().synchronize
    kernel_root = cupy.ElementwiseKernel("T f", "T g", "g = 2 * sqrt(f)", "kernel_root")
    kernel_product = cupy.ElementwiseKernel("T f, T g, T k", "T h", "h = f * g + k", "kernel_product")

    def copied():
        cupy.cuda.runtime.memcpyAsync(g.data.ptr, f.data.ptr, f.nbytes, 3, 0)  # device to device
        wait()

    def same():
        g[...] = f
        wait()

    def root():
        g[...] = 2 * cupy.sqrt(f)
        wait()

    def product():
        h[...] = f * g + K
        wait()

    def root_by_kernel():
        kernel_root(f, g)
        wait()

    def product_by_kernel():
        kernel_product(f, g, K, h)
        wait()
    return copied, {"CuPy": (same, root, product), "CuPy, kernels written out": (same, root_by_kernel, product_by_kernel)}


def jax_ways():
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    jax.config.update("jax_enable_x64", True)
    f = 1 + jax.numpy.arange(N**3, dtype="f8") / N**3
    g = jax.numpy.sqrt(f)
    same, root, product = (jax.jit(x) for x in (jax.numpy.copy, lambda f: 2 * jax.numpy.sqrt(f), lambda f, g: f * g + K))
    return {"JAX, jit": (lambda: same(f).block_until_ready(), lambda: root(f).block_until_ready(), lambda: product(f, g).block_until_ready())}


def with_python():
    w, ours = world()
    ways, copy = {"World": ours}, ours[0]
    if GPU:
        copy, peers = cupy_ways()
        ways |= peers
        try:
            ways |= jax_ways()
        except Exception as wrong:  # a peer that is not there
            print(f"no JAX: {wrong}")
    flat = {"copy": copy} | {f"{who} {n}": way for who, three in ways.items() for n, way in enumerate(three)}
    for way in flat.values():
        way()
    least = best(flat)
    against = "cudaMemcpy" if GPU else "g = f"
    print(f"{against}: {16e-9 * N**3 / least['copy']:.1f} GB/s")
    for who in ways:
        tell(who, [least[f"{who} {n}"] for n in range(3)], least["copy"], against, BAR if who == "World" else None)
    w.close()


def with_program():
    options = [] if a.device in ("none", "cuda") else ["--activate", "AcceleratorMirror"]
    done = subprocess.run([PROGRAM, str(N), str(a.rounds), *options, "--set", f"Cereus.device={a.device}"], capture_output=True, text=True)
    print(done.stdout + done.stderr, end="")
    rows = re.findall(r"^(.*?) +([0-9.]+) GB/s, ([0-9.]+) of (.*)$", done.stdout, re.M)
    if done.returncode or not rows or (GPU and rows[0][0] != "cudaMemcpy"):
        sys.exit(f"{PROGRAM}: exit code {done.returncode}, on which device?")
    for what, _, ratio, against in rows[1:]:
        judged = what.startswith(("g = 2", "h ="))
        note(f"element-wise {what}, C++, {WHERE}: over the bandwidth of {against}", float(ratio), "", f"≥ {BAR}" if judged else "", float(ratio) >= BAR if judged else None)


if PROGRAM:
    with_program()
    _rates.write(FILE)
if not a.only_program:
    with_python()
    _rates.write(FILE)
