// Fills memory with poison and recognises it, by bits: comparing NaNs would tell nothing.
#include "grid/poison.hpp"

#include <cstring>

namespace cereus {
namespace {
template <class T> void fill(char* memory, std::int64_t n, T value) {
  T* p = reinterpret_cast<T*>(memory);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) p[i] = value;
}
template <class T> bool equals(const char* p, T value) {
  T x;
  std::memcpy(&x, p, sizeof x);
  return x == value;
}
}  // namespace

void fill_poison(char* memory, ScalarType type, std::int64_t n, bool poison) {
  switch (type) {
    case ScalarType::float32: return fill(memory, n, poison ? poison32 : 0u);
    case ScalarType::complex64: return fill(memory, 2 * n, poison ? poison32 : 0u);
    case ScalarType::float64: return fill(memory, n, poison ? poison64 : std::uint64_t{0});
    case ScalarType::complex128: return fill(memory, 2 * n, poison ? poison64 : std::uint64_t{0});
    case ScalarType::int32: return fill(memory, n, poison ? poison_int : 0u);
  }
}

bool is_poison(const char* p, ScalarType type) {
  switch (type) {
    case ScalarType::float32: return equals(p, poison32);
    case ScalarType::complex64: return equals(p, poison32) || equals(p + 4, poison32);
    case ScalarType::float64: return equals(p, poison64);
    case ScalarType::complex128: return equals(p, poison64) || equals(p + 8, poison64);
    case ScalarType::int32: return equals(p, poison_int);
  }
  return false;
}
}  // namespace cereus
