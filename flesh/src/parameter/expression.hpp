// Numbers in parameter files may be written as arithmetic: 2*pi/3, sqrt(2)/4, 1e-3^2.
#pragma once

#include <string_view>

namespace cereus {

/// The value of an expression, always finite. Throws Error, whose message begins with `column N: `, on anything else.
/// Operators + - * / ^ ** and parentheses; powers bind tightest and to the right, so -2^2 is -4.
/// Functions sqrt sin cos tan asin acos atan atan2 exp log log10 abs min max floor ceil pow; names pi and e.
double evaluate(std::string_view text);

}  // namespace cereus
