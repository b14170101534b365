#include "observe/curve.hpp"

#include <algorithm>
#include <cmath>

namespace cereus {
std::string curve(const std::vector<double>& values, std::size_t width) {
  static constexpr const char* bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (double v : values)
    if (std::isfinite(v))
      low = std::min(low, v / 2),
      high = std::max(high, v / 2);  // halves: the difference of two numbers may be infinite
  if (!(high - low > 1e-10 * std::max(std::abs(low), std::abs(high)))) high = low;  // rounding noise
  std::string text;
  const std::size_t n = std::min(width, values.size());
  for (std::size_t i = 0; i < n; ++i) {
    const double v = values[n == 1 ? 0 : i * (values.size() - 1) / (n - 1)];
    text += !std::isfinite(v)
                ? "×"
                : bars[high > low ? static_cast<int>(std::clamp(8 * ((v / 2 - low) / (high - low)), 0.0, 7.0)) : 3];
  }
  return text;
}
}  // namespace cereus
