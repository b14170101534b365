// A list of numbers as a curve in a terminal.
#pragma once
#include <cstddef>
#include <string>
#include <vector>
namespace cereus {
// At most so many signs wide; a value that is not finite is a ×. What varies by less than 10⁻¹⁰ of itself is flat.
std::string curve(const std::vector<double>&, std::size_t width);
}  // namespace cereus
