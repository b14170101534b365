#!/usr/bin/env python3
"""Loops compiled for an H200 without one: those of light kernels that march or modify; with --long also the right-hand side of BSSN, at each order and with each update. None spills. A light kernel would quietly take the slower loop instead, and only its rate would tell. Where there is no nvcc 13 it is skipped.

Mutations that make it fail, the second with --long: more thread blocks a multiprocessor in `march_of` (loop/march.hpp), in 3D and double 8 for updates from a source, too; more
registers for values in `print_large.cpp`.
"""
import os
import re
import shutil
import subprocess
import tempfile

from _physics import check, finish

SOURCE = """#include <cereus/make_table.hpp>
#include "%(source)s/thorns/Stencils/src/kernels.hpp"
#include "%(source)s/thorns/Diffusion/src/kernels.hpp"
const cereus::detail::EmbeddedFile cereus::detail::thorn_source[] = {{nullptr, nullptr}};
using namespace cereus::detail;
template <class K, int dim, class Real, int sources> void* loop() {
  static_assert(marches<K, dim, Real>());
  return reinterpret_cast<void*>(&device_march<K, dim, Real, false, sources>);
}
template <class K, int dim, class Real> void* modify() {
  static_assert(modifies_vectors<K, dim, Real>());
  return reinterpret_cast<void*>(&device_modify<K, dim, Real, true>);
}
template <class Real> void* const loops[] = {
    modify<Stencils::StepElectric<2, Real>, 2, Real>(), modify<Stencils::StepMagnetic<2, Real>, 2, Real>(),
    loop<Stencils::Jacobi1D<7, 1, Real>, 1, Real, 0>(), loop<Stencils::Jacobi2D<2, Real>, 2, Real, 0>(), loop<Stencils::Poisson2D<2, Real>, 2, Real, 0>(),
    loop<Stencils::Gradient2D<2, Real>, 2, Real, 0>(), loop<Stencils::TotalVariation<2, Real>, 2, Real, 0>(), loop<Stencils::Jacobi3D<3, Real>, 3, Real, 0>(),
    loop<Diffusion::CalcRhs<2, 2, Real>, 2, Real, 1>(), loop<Diffusion::CalcRhs<2, 3, Real>, 3, Real, 1>(), loop<Diffusion::CalcRhs<2, 3, Real>, 3, Real, cereus::Epilogue::max_sources>()};
template void* const loops<float>[];
template void* const loops<double>[];
"""
LARGE = """#include <cereus/make_table.hpp>
#include "kernels.hpp"
#include <AcceleratorCUDA/loop/late.hpp>
const cereus::detail::EmbeddedFile cereus::detail::thorn_source[] = {{nullptr, nullptr}};
using namespace cereus::detail;
"""
KERNEL = """extern "C" __global__ void __launch_bounds__(128, %(blocks)d) rhs_%(order)d_%(real)s_%(sources)d%(partial)s(const __grid_constant__ BSSN::CalcRhs<%(order)d, 3, %(real)s> k,
    const __grid_constant__ LateArguments<late_addresses<BSSN::CalcRhs<%(order)d, 3, %(real)s>>> a) {
  late_loop<BSSN::CalcRhs<%(order)d, 3, %(real)s>, 3, %(real)s, 288, 288 * 266, %(sources)d, 32, 4, 1, 1%(axes)s>(k, a);
}
"""
nvcc = shutil.which(os.environ.get("CUDACXX") or "nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
version = re.search(r"release (\d+)", subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout) if nvcc else None
if not version or version[1] != "13":  # another compiler needs other numbers of registers
    finish("no nvcc 13 here: nothing compiled")
folder = tempfile.mkdtemp(prefix="cereus-")
source = os.environ["CEREUS_SOURCE"]


def compiled(name, text, loops, short):
    path = os.path.join(folder, name + ".cu")
    with open(path, "w") as f:
        f.write(text)
    done = subprocess.run([nvcc, "-std=c++20", "-O3", "-DNDEBUG", "--expt-relaxed-constexpr", "--diag-suppress=20011,20014", "-arch=sm_90", "-cubin", "-Xptxas", "-v",
                           "-I", os.path.join(source, "flesh/include"), "-I", os.path.join(source, "thorns/AcceleratorCUDA/include"), "-o", path + "bin", path],
                          capture_output=True, text=True)
    check(done.returncode == 0, f"{name}: compiled{done.stderr[-2000:] if done.returncode else ''}")
    found = re.findall(r"Compiling entry function '(\S+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores.*?Used (\d+) registers", done.stderr, re.DOTALL)
    check(len(found) == loops, f"{name}: {len(found)} loops of {loops}")
    for entry, stack, stores, registers in found:
        check(stack == "0" and stores == "0", f"{short(entry)}: {registers} registers, {stack} bytes of stack, {stores} of them spilled")


def short(entry):
    found = re.search(r"device_(march|modify)IN\d+\D+?\d+(.*?)(?=Lb[01]E|vRK)", entry)
    return f"{found[1]} {found[2]}" if found else entry


compiled("light", SOURCE % {"source": source}, 22, short)
if os.environ.get("CEREUS_LONG") != "1":
    finish()
done = subprocess.run([os.environ["CEREUS"], "equations", os.path.join(source, "thorns/BSSN/equations.edl"), "--write", folder], capture_output=True, text=True)
check(done.returncode == 0, f"BSSN is written{done.stderr}")
variants = [(order, "double", sources, False) for order in (4, 6, 8) for sources in (0, 2)] + [(8, "float", 0, False), (8, "double", 3, False)]
variants += [(8, "double", sources, True) for sources in (1, 2, 3)]  # in a domain on stretched axes with radiating faces
compiled("large", LARGE + "".join(KERNEL % {"order": order, "real": real, "sources": sources, "blocks": 2 if real == "double" else 3, "partial": "_partial" * partial,
                                            "axes": ", cereus::StretchedAxes, true" * partial} for order, real, sources, partial in variants),
         len(variants), str)
finish()
