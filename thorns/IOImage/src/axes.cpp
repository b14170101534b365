// Ticks are whole multiples of a round step, so that neither their values nor their labels carry rounding errors.
#include "axes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace IOImage {

namespace {

constexpr double slack = 1e-9;  // a tick this close (in steps) to the end of the axis still counts

// 1, 2 or 5 times a power of ten.
struct Step {
  int mantissa, exponent;
  double value() const { return exponent < 0 ? mantissa / std::pow(10, -exponent) : mantissa * std::pow(10, exponent); }
};

// The step that divides the range into about `target` parts: the nearest round one on a logarithmic scale.
Step round_step(double range, int target) {
  const double rough = range / std::max(target, 1);
  const int exponent = int(std::floor(std::log10(rough)));
  const double mantissa = rough / std::pow(10, exponent);
  if (mantissa < 1.414) return {1, exponent};
  if (mantissa < 3.162) return {2, exponent};
  if (mantissa < 7.071) return {5, exponent};
  return {1, exponent + 1};
}

std::string with_minus(std::string number) {
  if (number.starts_with('-')) number.replace(0, 1, "−");
  return number;
}

std::string fixed(double value, int decimals) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value == 0 ? 0.0 : value);
  return with_minus(buffer);
}

std::string power_of_ten(int exponent) {
  constexpr std::array digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) text += digits[std::size_t(digit - '0')];
  return text;
}

Ticks linear_ticks(const Scale& scale, int target) {
  const Step step = round_step(scale.hi - scale.lo, target);
  const double first = std::ceil(scale.lo / step.value() - slack), last = std::floor(scale.hi / step.value() + slack);
  const double largest = std::max(std::abs(first), std::abs(last));
  const int magnitude = largest > 0 ? int(std::floor(std::log10(largest * step.mantissa) + 1e-12)) + step.exponent : 0;
  // A common exponent where numbers are large or small, unless it only turns 100002 into 1.00002.
  const bool shorter = magnitude < 0 || step.exponent >= 1;
  const int shift = shorter && (magnitude >= 5 || magnitude <= -4) ? magnitude : 0;
  const Step shown{step.mantissa, step.exponent - shift};
  Ticks ticks;
  for (double k = first; k <= last; ++k) {
    ticks.values.push_back(k * step.value());
    ticks.labels.push_back(fixed(k * shown.value(), std::max(0, -shown.exponent)));
  }
  if (shift != 0) ticks.factor = "×" + power_of_ten(shift);
  return ticks;
}

Ticks logarithmic_ticks(const Scale& scale, int target) {
  const int first = int(std::floor(std::log10(scale.lo) + slack)), last = int(std::ceil(std::log10(scale.hi) - slack));
  const auto inside = [&](double value) { return value >= scale.lo * (1 - slack) && value <= scale.hi * (1 + slack); };
  const int decades = last - first;
  const Step step = round_step(decades, target);
  const int stride = std::max(1, int(std::lround(step.value())));
  Ticks ticks;
  for (int e = first; e <= last; ++e) {
    const double decade = std::pow(10, e);
    if (inside(decade)) {
      if (e % stride == 0) {
        ticks.values.push_back(decade);
        ticks.labels.push_back(power_of_ten(e));
      } else {
        ticks.minor.push_back(decade);
      }
    }
    if (stride == 1 && decades <= 12)
      for (int m = 2; m < 10; ++m)
        if (inside(m * decade)) ticks.minor.push_back(m * decade);
  }
  // One power of ten alone does not tell a reader the scale.
  return ticks.values.size() >= 2 ? ticks : linear_ticks({scale.lo, scale.hi}, target);
}

}  // namespace

double Scale::fraction(double value) const {
  if (!log) return (value - lo) / (hi - lo);
  if (!(value > 0)) return std::nan("");
  return std::log(value / lo) / std::log(hi / lo);
}

Scale make_scale(double lo, double hi, double margin, bool log) {
  if (hi < lo) std::swap(lo, hi);
  if (log) {
    lo = std::max(lo, 1e-300), hi = std::max(hi, lo);
    const double widening = hi > lo * (1 + 1e-9) ? std::pow(hi / lo, margin) : 3;
    return {std::max(lo / widening, 1e-303), std::min(hi * widening, 1e303), true};
  }
  // Differences must neither overflow nor drown in rounding.
  lo = std::clamp(lo, -1e300, 1e300), hi = std::clamp(hi, -1e300, 1e300);
  const double size = std::max(std::abs(lo), std::abs(hi));
  const double extent = hi - lo;
  const double widening = extent > 1e-10 * size && extent > 1e-290 ? margin * extent : size > 1e-290 ? 0.1 * size : 1;
  return {lo - widening, hi + widening};
}

Ticks make_ticks(const Scale& scale, int target) {
  return scale.log ? logarithmic_ticks(scale, target) : linear_ticks(scale, target);
}

}  // namespace IOImage
