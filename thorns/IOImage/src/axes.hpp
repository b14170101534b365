// The numbers on an axis: which range to show, where the ticks are, and what is written beside them.
#pragma once

#include <string>
#include <vector>

namespace IOImage {

// A range of values, lo < hi, and how it is spread along an axis.
struct Scale {
  double lo = 0, hi = 1;
  bool log = false;

  // Zero at lo, one at hi; NaN where a logarithm does not exist.
  double fraction(double value) const;
};

// The range from lo to hi made wider by `margin` (a fraction of it) on both sides; a range without extent gets one.
Scale make_scale(double lo, double hi, double margin = 0, bool log = false);

struct Ticks {
  std::vector<double> values;
  std::vector<std::string> labels;  // one per value
  std::vector<double> minor;        // without labels
  std::string factor;               // common to all labels, e.g. "×10⁻⁵"; empty when there is none
};

// About `target` ticks at round numbers (1, 2 or 5 times a power of ten, or powers of ten on a logarithmic scale).
Ticks make_ticks(const Scale& scale, int target);

}  // namespace IOImage
