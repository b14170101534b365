#!/usr/bin/env python3
"""The loops of light kernels, compiled for an H200 without one: those that march, and those of kernels that modify. None spills, or a run would quietly take
the slower loop instead, and only its rate would tell. Where there is no nvcc 13 it is skipped.

Mutation that makes it fail: more thread blocks a multiprocessor in `march_of` (loop/march.hpp), in 3D and double 8 for updates from a source, too.
"""
import os
import re
import shutil
import subprocess
import tempfile

from _physics import check, finish

SOURCE = """#include <cereus/kernel_table.hpp>
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
nvcc = shutil.which(os.environ.get("CUDACXX") or "nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
version = re.search(r"release (\d+)", subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout) if nvcc else None
if not version or version[1] != "13":  # another compiler needs other numbers of registers
    finish("no nvcc 13 here: nothing compiled")
folder = tempfile.mkdtemp(prefix="cereus-")
source = os.environ["CEREUS_SOURCE"]
path = os.path.join(folder, "loops.cu")
with open(path, "w") as f:
    f.write(SOURCE % {"source": source})
done = subprocess.run([nvcc, "-std=c++20", "-O3", "-DNDEBUG", "--expt-relaxed-constexpr", "--diag-suppress=20011,20014", "-arch=sm_90", "-cubin", "-Xptxas", "-v", "-I", os.path.join(source, "flesh/include"), "-I", os.path.join(source, "thorns/AcceleratorCUDA/include"), "-o",
                       os.path.join(folder, "loops.cubin"), path], capture_output=True, text=True)
check(done.returncode == 0, f"compiled{done.stderr[-2000:] if done.returncode else ''}")
found = re.findall(r"Compiling entry function '(\S+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores.*?Used (\d+) registers", done.stderr, re.DOTALL)
check(len(found) == 22, f"{len(found)} loops of 22")
for name, stack, stores, registers in found:
    short = re.search(r"device_(march|modify)IN\d+\D+?\d+(.*?)(?=Lb[01]E|vRK)", name)
    check(stack == "0" and stores == "0", f"{f'{short[1]} {short[2]}' if short else name}: {registers} registers, {stack} bytes of stack, {stores} of them spilled")
finish()
