#include "solid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace IOImage {
namespace {
struct Cells {
  Slice slice;
  std::vector<double> open;

  std::size_t index(std::size_t n, double x) const {
    const Slice::Axis& axis = slice.along[n];
    const double cell = std::floor((x - axis.first) / axis.spacing + 0.5);
    const double last = static_cast<double>(axis.shown.size()) - 1;
    return static_cast<std::size_t>(axis.shown[static_cast<std::size_t>(std::clamp(cell, 0.0, last))]);
  }
  bool operator()(double x, double y) const {
    const std::size_t row = slice.along.size() > 1 ? index(1, y) : 0;
    return open[row * slice.along[0].at.size() + index(0, x)] == 0;
  }
};
}  // namespace

Solid solid_of(Slice slice, std::vector<double> open) { return Cells{std::move(slice), std::move(open)}; }

void leave_out(const Solid& solid, const Slice& slice, std::vector<double>& values) {
  const Slice::Axis &x = slice.along[0], &y = slice.along.back();
  const std::size_t rows = values.size() / x.at.size();
  for (std::size_t j = 0; j < rows; ++j)
    for (std::size_t i = 0; i < x.at.size(); ++i)
      if (lies_in(solid, {x.at[i], y.at[rows > 1 ? j : 0]}, x.spacing, y.spacing))
        values[j * x.at.size() + i] = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace IOImage
