// 1/√x and a/b. What a device has for them by itself ends in a call for numbers that hardly occur, and a call keeps the
// compiler from working on several points at a time. There they are straight code, which the device's thorn has. In a
// strict build, and on the host, they are division and root, rounded as IEEE asks.
#pragma once
#include "math.hpp"
#if defined(__CUDA_ARCH__) && !defined(CEREUS_STRICT)
#include <accelerator_math.hpp>
#else
namespace cereus {
template <class T> CEREUS_KERNEL T inverse_sqrt(T x) { return T(1) / sqrt(x); }
template <class T> CEREUS_KERNEL T quotient(T a, T b) { return a / b; }
}  // namespace cereus
#endif
