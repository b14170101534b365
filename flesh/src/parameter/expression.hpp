// Numbers in parameter files may be written as arithmetic: 2*pi/3, sqrt(2)/4, 1e-3^2.
#pragma once

#include <string_view>

namespace cereus {

/// The value of a formula (cereus/formula.hpp) without names, always finite. Throws Error, whose message begins with
/// `column N: `, on anything else.
double evaluate(std::string_view text);

}  // namespace cereus
