// Work on parts of a list beside each other.
#pragma once
#include <cstddef>
#include <exception>
namespace Forest {
// Calls f(n) for each n below `count`, by all threads. What one of them throws is thrown when all have ended.
template <class F> void in_parallel(std::size_t count, F&& f) {
  std::exception_ptr failure;
#pragma omp parallel for schedule(static) if (count > 1)
  for (std::size_t n = 0; n < count; ++n) try {
      f(n);
    } catch (...) {
#pragma omp critical
      failure = std::current_exception();
    }
  if (failure) std::rethrow_exception(failure);
}
}  // namespace Forest
