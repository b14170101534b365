// The Fourier transform along one axis of a slab, line by line: f̂(m) = Σ f(j) exp(−2πi j m / n). A line's result does
// not depend on who computes it, so the spectrum has the same bits on any number of processes and threads.
#pragma once
#include <kissfft/kissfft.hh>

#include "slab.hpp"

namespace Spectrum {
inline void transform(Slab& slab, int axis) {
  std::int64_t stride = 1;
  for (int d = 0; d < axis; ++d) stride *= slab.box.extent(d);
  const std::int64_t n = slab.box.extent(axis), lines = slab.box.points() / n;
#pragma omp parallel
  {
    const kissfft<double> fourier(static_cast<std::size_t>(n), false);  // one a thread: it has scratch memory
    std::vector<Complex> line(static_cast<std::size_t>(n));
#pragma omp for schedule(static)
    for (std::int64_t l = 0; l < lines; ++l) {
      Complex* first = slab.values.data() + l / stride * stride * n + l % stride;
      fourier.transform(first, line.data(), 0, 1, static_cast<std::size_t>(stride));
      for (std::int64_t i = 0; i < n; ++i) first[i * stride] = line[static_cast<std::size_t>(i)];
    }
  }
}
}  // namespace Spectrum
