// The map of a stretched axis, its derivatives and its inverse.
#include "cereus/axes.hpp"

#include <algorithm>
#include <cmath>

namespace cereus {
namespace {
double ln_cosh(double u) { return std::fabs(u) + std::log1p(std::exp(-2 * std::fabs(u))); }  // + ln 2
double sech2(double u) { return 1 / (std::cosh(u) * std::cosh(u)); }
}  // namespace

double Stretch::x(double X) const {
  const double u = (X + from) / width, v = (X - from) / width;
  return factor * X + (1 - factor) * width / (2 * std::tanh(from / width)) * (ln_cosh(u) - ln_cosh(v));
}

double Stretch::slope(double X) const {
  const double u = (X + from) / width, v = (X - from) / width;
  return factor + (1 - factor) / (2 * std::tanh(from / width)) * (std::tanh(u) - std::tanh(v));
}

double Stretch::curvature(double X) const {
  const double u = (X + from) / width, v = (X - from) / width;
  return (1 - factor) / (2 * width * std::tanh(from / width)) * (sech2(u) - sech2(v));
}

// By Newton, kept between bounds: x' lies between 1 and a.
double Stretch::inverse(double y) const {
  if (!std::isfinite(y)) return y;
  const double ends[] = {y, y / factor};
  double low = std::min(ends[0], ends[1]), high = std::max(ends[0], ends[1]), X = 0.5 * (low + high);
  for (int n = 0; n < 200 && low < high; ++n) {
    const double off = x(X) - y;
    if (off == 0) return X;
    (off > 0 ? high : low) = X;
    double next = X - off / slope(X);
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    if (next == X) return X;
    X = next;
  }
  return X;
}
}  // namespace cereus
