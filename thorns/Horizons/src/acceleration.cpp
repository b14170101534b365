#include "acceleration.hpp"

#include <Eigen/Dense>

namespace Horizons {
// Symmetric surfaces change in few ways: what is smaller beside the largest difference is rounding.
constexpr double noise = 1e-8;

std::vector<double> Acceleration::step(const std::vector<double>& x, const std::vector<double>& f) {
  using Eigen::Map, Eigen::MatrixXd, Eigen::VectorXd;
  const auto rows = static_cast<Eigen::Index>(x.size()), columns = static_cast<Eigen::Index>(xs_.size());
  const auto vector = [&](const std::vector<double>& v) { return Map<const VectorXd>(v.data(), rows); };
  MatrixXd dx(rows, columns), df(rows, columns);
  for (Eigen::Index n = 0; n < columns; ++n) {  // newest first
    const std::size_t before = static_cast<std::size_t>(n);
    dx.col(n) = (n ? vector(xs_[before - 1]) : vector(x)) - vector(xs_[before]);
    df.col(n) = (n ? vector(fs_[before - 1]) : vector(f)) - vector(fs_[before]);
  }
  std::vector<double> step = f;
  if (columns > 0) {
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> least_squares;
    least_squares.setThreshold(noise);
    const VectorXd weights = least_squares.compute(df).solve(vector(f));
    Map<VectorXd>(step.data(), rows) -= (dx + df) * weights;
  }
  xs_.insert(xs_.begin(), x), fs_.insert(fs_.begin(), f);
  if (xs_.size() > most) xs_.pop_back(), fs_.pop_back();
  return step;
}
}  // namespace Horizons
