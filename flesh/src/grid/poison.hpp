// Poison: a quiet NaN with a payload of ours, so that what was never written differs from an ordinary NaN.
#pragma once
#include <cstdint>

#include "cereus/scalar.hpp"
namespace cereus {
inline constexpr std::uint64_t poison64 = 0xfff8ce2e05deadbeULL;
inline constexpr std::uint32_t poison32 = 0xffce2e05U;
inline constexpr std::uint32_t poison_int = 0x8ce2e05dU;

// Touches all memory first from the threads that will use it; with poison false it is zero instead.
void fill_poison(char* memory, ScalarType, std::int64_t elements, bool poison);
// Whether an element (or either part of a complex one) is poison.
bool is_poison(const char* element, ScalarType);
}  // namespace cereus
