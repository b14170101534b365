// Which places of a slice are solid: pictures have no colours there.
#pragma once

#include "plots.hpp"
#include "slice.hpp"

namespace IOImage {

// From a variable that is 0 in solid cells.
Solid solid_of(Slice, std::vector<double> open);
// Values at points with nothing but solid around them become NaN.
void leave_out(const Solid&, const Slice&, std::vector<double>& values);

}  // namespace IOImage
