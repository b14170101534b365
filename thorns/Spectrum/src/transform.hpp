// The Fourier transform along one axis of a slab, line by line: f̂(m) = Σ f(j) exp(−2πi j m / n). A line's result does
// not depend on who computes it, so the spectrum has the same bits on any number of processes and threads.
#pragma once
#include <omp.h>
#include <kissfft/kissfft.hh>

#include <cereus/caught.hpp>

#include "slab.hpp"

namespace Spectrum {
inline void transform(Slab& slab, int axis) {
  std::int64_t stride = 1;
  for (int d = 0; d < axis; ++d) stride *= slab.box.extent(d);
  const std::int64_t n = slab.box.extent(axis), lines = slab.box.points() / n;
  struct Own {  // of a thread: a transform has scratch memory
    kissfft<double> fourier;
    std::vector<Complex> line;
  };
  const auto size = static_cast<std::size_t>(n);
  std::vector<Own> of_thread(
      static_cast<std::size_t>(omp_get_max_threads()), Own{kissfft<double>(size, false), std::vector<Complex>(size)});
  cereus::Caught caught;
#pragma omp parallel for schedule(static)
  for (std::int64_t l = 0; l < lines; ++l)
    caught([&] {
      auto& [fourier, line] = of_thread[static_cast<std::size_t>(omp_get_thread_num())];
      Complex* first = slab.values.data() + l / stride * stride * n + l % stride;
      fourier.transform(first, line.data(), 0, 1, static_cast<std::size_t>(stride));
      for (std::int64_t i = 0; i < n; ++i) first[i * stride] = line[static_cast<std::size_t>(i)];
    });
  caught.rethrow();
}
}  // namespace Spectrum
