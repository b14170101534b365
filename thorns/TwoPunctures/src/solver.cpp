// Newton's method on the values at the nodes of A, B and φ. The derivative of the source is averaged over φ: then each
// Fourier mode has a dense matrix of its own, which is factorised in the first steps and kept.
#include "solver.hpp"

#include <cereus/caught.hpp>
#include <cereus/error.hpp>
#include <cereus/text.hpp>

#include <omp.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <utility>

namespace TwoPunctures {
namespace {
using cereus::Failure, cereus::format_double;
using Eigen::ArrayXd, Eigen::ArrayXXd, Eigen::Index, Eigen::MatrixXd;
using std::numbers::pi;

ArrayXd nodes(Index n) {
  return (pi * (2 * ArrayXd::LinSpaced(n, 0, static_cast<double>(n - 1)) + 1) / (2 * static_cast<double>(n))).cos();
}
// Of the polynomial through the zeros x_i of T_n: D_ij = (w_j/w_i)/(x_i − x_j), w_i = (−1)^i √(1 − x_i²); rows sum to
// 0. J.-P. Berrut and L. N. Trefethen, SIAM Review 46 (2004) 501, (5.1) and (9.3).
MatrixXd derivative(const ArrayXd& x) {
  const Index n = x.size();
  MatrixXd d = MatrixXd::Zero(n, n);
  const auto weight = [&](Index i) { return (i % 2 ? -1 : 1) * std::sqrt(1 - x[i] * x[i]); };
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (i != j) d(i, j) = weight(j) / weight(i) / (x[i] - x[j]), d(i, i) -= d(i, j);
  return d;
}
// Values at those zeros become coefficients of T_k.
MatrixXd chebyshev(Index n) {
  MatrixXd t(n, n);
  for (Index k = 0; k < n; ++k)
    for (Index i = 0; i < n; ++i)
      t(k, i) = (k ? 2.0 : 1.0) / static_cast<double>(n) *
                std::cos(pi * static_cast<double>(k * (2 * i + 1)) / (2 * static_cast<double>(n)));
  return t;
}
// Columns: 1, cos φ, sin φ, …, cos nφ/2 at the nodes 2πk/n.
MatrixXd waves(Index n) {
  MatrixXd f(n, n);
  for (Index k = 0; k < n; ++k)
    for (Index m = 0; m < n; ++m) {
      const double phase = 2 * pi * static_cast<double>(k * ((m + 1) / 2)) / static_cast<double>(n);
      f(k, m) = m % 2 || m == 0 ? std::cos(phase) : std::sin(phase);
    }
  return f;
}

class Newton {
 public:
  Newton(const Pair<double>& pair, const Points& p);
  bool solve();  // whether it has converged
  Solution solution() const;
  Pair<double> pair;  // bare masses may be changed between two solutions

 private:
  double step(bool factorise);
  MatrixXd linear(const MatrixXd& modes) const;  // the differential operator, of all modes
  void factorise(const ArrayXd& slope);
  Index row(Index i, Index j) const { return i + j * na_; }
  static Index number(Index column) { return (column + 1) / 2; }  // of waves around the axis

  Index na_, nb_, np_;
  MatrixXd along_a_, along_b_, waves_, to_modes_;
  ArrayXd q_;             // A − 1, by i
  ArrayXd around_;        // what multiplies u_φφ, by row
  ArrayXXd weight_, a2_;  // of the source, and Ā_ij Ā^ij: by row and φ
  std::vector<Vector<double>> place_;
  MatrixXd u_;                                     // U = u/(A − 1): by row and mode
  std::vector<Eigen::PartialPivLU<MatrixXd>> lu_;  // by number of waves
  int steps_ = 0;
};

Newton::Newton(const Pair<double>& given, const Points& p)
    : pair(given),
      na_(p.a),
      nb_(p.b),
      np_(p.phi),
      waves_(waves(np_)),
      to_modes_(waves_.transpose().inverse()),
      u_(MatrixXd::Zero(na_ * nb_, np_)),
      lu_(static_cast<std::size_t>(np_ / 2 + 1)) {
  const ArrayXd x = nodes(na_), b = nodes(nb_), a = (1 + x) / 2;
  q_ = a - 1;
  // By the product rule, u_A = U + q U_A and u_AA = 2 U_A + q U_AA.
  const MatrixXd da = 2 * derivative(x), db = derivative(b), one = MatrixXd::Identity(na_, na_),
                 q = q_.matrix().asDiagonal();
  const MatrixXd first = one + q * da, second = 2 * da + q * da * da;
  along_a_ = ((1 - a * a).square() / 4).matrix().asDiagonal() * (second + (1 / a).matrix().asDiagonal() * first);
  along_b_ =
      ((1 + b * b).square() / 4).matrix().asDiagonal() * (db * db - (2 * b / (1 - b * b)).matrix().asDiagonal() * db);
  around_.resize(na_ * nb_), weight_.resize(na_ * nb_, np_), a2_.resize(na_ * nb_, np_);
  place_.resize(static_cast<std::size_t>(na_ * nb_ * np_));
  const double half = pair.plus.place.x;
  for (Index j = 0; j < nb_; ++j)
    for (Index i = 0; i < na_; ++i) {
      const double sinh2 = cereus::square(2 * a[i] / (1 - a[i] * a[i])),
                   sin2 = cereus::square((1 - b[j] * b[j]) / (1 + b[j] * b[j]));
      around_[row(i, j)] = 1 / sinh2 + 1 / sin2;
      for (Index k = 0; k < np_; ++k) {
        const double phi = 2 * pi * static_cast<double>(k) / static_cast<double>(np_);
        auto& at = place_[static_cast<std::size_t>(row(i, j) + k * na_ * nb_)];
        at = cartesian<double>({a[i], b[j], std::cos(phi), std::sin(phi)}, half);
        weight_(row(i, j), k) = half * half / 8 * (sinh2 + sin2);
        a2_(row(i, j), k) = squared(pair.curvature(at));
      }
    }
}

MatrixXd Newton::linear(const MatrixXd& modes) const {
  MatrixXd out(modes.rows(), modes.cols());
  for (Index m = 0; m < np_; ++m) {
    const Eigen::Map<const MatrixXd> u(modes.col(m).data(), na_, nb_);
    Eigen::Map<MatrixXd> r(out.col(m).data(), na_, nb_);
    const Eigen::Map<const ArrayXXd> around(around_.data(), na_, nb_);
    const MatrixXd qu = q_.matrix().asDiagonal() * u;
    r = along_a_ * u + qu * along_b_.transpose();
    r.array() -= static_cast<double>(number(m) * number(m)) * around * qu.array();
  }
  return out;
}

// slope: the derivative of the source by u, averaged over φ, by row.
void Newton::factorise(const ArrayXd& slope) {
  const auto modes = static_cast<Index>(lu_.size());
  const auto factorise_mode = [&](Index m) {
    MatrixXd all = MatrixXd::Zero(na_ * nb_, na_ * nb_);
    for (Index j = 0; j < nb_; ++j) {
      all.block(row(0, j), row(0, j), na_, na_) = along_a_;
      for (Index other = 0; other < nb_; ++other)
        all.block(row(0, j), row(0, other), na_, na_).diagonal() += along_b_(j, other) * q_.matrix();
      for (Index i = 0; i < na_; ++i)
        all(row(i, j), row(i, j)) += q_[i] * (slope[row(i, j)] - static_cast<double>(m * m) * around_[row(i, j)]);
    }
    lu_[static_cast<std::size_t>(m)].compute(all);
  };
  cereus::Caught caught;
#pragma omp parallel for schedule(dynamic)
  for (Index m = 0; m < modes; ++m) caught([&] { factorise_mode(m); });
  caught.rethrow();
}

// Returns the largest change of u.
double Newton::step(bool anew) {
  const ArrayXXd values = (u_ * waves_.transpose()).array();
  ArrayXXd psi(values.rows(), np_);
  for (Index k = 0; k < np_; ++k)
    for (Index j = 0; j < nb_; ++j)
      for (Index i = 0; i < na_; ++i)
        psi(row(i, j), k) =
            pair.singular(place_[static_cast<std::size_t>(row(i, j) + k * na_ * nb_)]) + q_[i] * values(row(i, j), k);
  const ArrayXXd source = weight_ * a2_ * psi.pow(-7);
  if (anew) factorise((-7 * source / psi).rowwise().mean());
  const MatrixXd residual = linear(u_) + source.matrix() * to_modes_;
  MatrixXd change(u_.rows(), np_);
  for (Index m = 0; m < np_; ++m) change.col(m) = lu_[static_cast<std::size_t>(number(m))].solve(residual.col(m));
  u_ -= change;
  ++steps_;
  const MatrixXd at_nodes = change * waves_.transpose();
  double largest = 0;
  for (Index r = 0; r < at_nodes.rows(); ++r)
    largest = std::max(largest, std::fabs(q_[r % na_]) * at_nodes.row(r).cwiseAbs().maxCoeff());
  return at_nodes.allFinite() ? largest : std::nan("");
}

bool Newton::solve() {
  constexpr int most = 40, factorised = 4;
  constexpr double enough = 1e-14;
  double change = 1;
  for (int n = 0; n < most; ++n) {
    const double before = std::exchange(change, step(steps_ < factorised));
    if (change < enough || (change < 1e-11 && change > before / 2)) return true;  // or no better for rounding
    if (!(change < 1e10)) break;
  }
  return false;
}

Solution Newton::solution() const {
  Solution s{};
  s.pair = pair, s.steps = steps_;
  const int width = static_cast<int>((np_ + abreast - 1) / abreast) * abreast;
  s.points = {static_cast<int>(na_), static_cast<int>(nb_), width};
  s.c.resize(static_cast<std::size_t>(na_ * nb_ * width));
  const MatrixXd ta = chebyshev(na_), tb = chebyshev(nb_);
  for (Index m = 0; m < np_; ++m) {
    const MatrixXd c = ta * Eigen::Map<const MatrixXd>(u_.col(m).data(), na_, nb_) * tb.transpose();
    for (Index i = 0; i < na_; ++i)
      for (Index j = 0; j < nb_; ++j) s.c[static_cast<std::size_t>(m + width * (j + nb_ * i))] = c(i, j);
  }
  const double half = pair.plus.place.x, bare[] = {pair.plus.bare, pair.minus.bare};
  const auto mean = [&](double a, double b) {  // of U around the axis
    return (s.over_factor({a, b, 1, 0}) + s.over_factor({a, b, -1, 0})) / 2;
  };
  s.adm = bare[0] + bare[1] - 2 * half * mean(1, 0);
  for (std::size_t n : {0, 1}) s.mass[n] = bare[n] * (1 - mean(0, n ? -1 : 1) + bare[1 - n] / (4 * half));
  return s;
}
}  // namespace

double Solution::over_factor(const Spheroidal<double>& at) const {
  return expansion(points, at, [&](int i, int j, int m) { return coefficient(i, j, m); });
}
double Solution::u(const Vector<double>& x) const {
  const auto at = spheroidal(x, pair.plus.place.x, pair.least);
  return (at.a - 1) * over_factor(at);
}

double bytes_needed(const Points& p) {
  const double rows = double(p.a) * p.b;
  return 8 * rows * rows * (p.phi / 2 + 1 + omp_get_max_threads());  // and each thread the matrix that it factorises
}

Solution solve(const Pair<double>& pair, const Points& points) {
  Newton n(pair, points);
  if (!n.solve())
    throw Failure(
        "TwoPunctures: Newton's method does not converge; take more points, or smaller momenta and spins for these "
        "masses");
  return n.solution();
}

// A secant for each mass by itself; a step that has no secant yet leaves u as it is.
Solution solve_for_masses(Pair<double> pair, const std::array<double, 2>& masses, const Points& points) {
  constexpr int most = 30;
  std::array<double, 2> bare = masses, old_bare{}, old_mass{};
  pair.plus.bare = bare[0], pair.minus.bare = bare[1];
  Newton newton(pair, points);
  for (int n = 0; n < most && bare[0] >= 0 && bare[1] >= 0; ++n) {
    newton.pair.plus.bare = bare[0], newton.pair.minus.bare = bare[1];
    if (!newton.solve()) break;
    const Solution s = newton.solution();
    bool done = true;
    for (std::size_t k : {0, 1}) {
      if (masses[k] == 0) continue;
      const double missing = masses[k] - s.mass[k], now = bare[k];
      done = done && std::fabs(missing) < 1e-12 * masses[k];
      const double slope =
          n > 0 && now != old_bare[k] ? (s.mass[k] - old_mass[k]) / (now - old_bare[k]) : s.mass[k] / now;
      bare[k] += missing / slope, old_bare[k] = now, old_mass[k] = s.mass[k];
    }
    if (done) return s;
  }
  throw Failure("TwoPunctures: there are no bare masses for which the punctures have the masses " +
                format_double(masses[0]) + " and " + format_double(masses[1]) +
                "; take larger ones, or smaller momenta and spins");
}
}  // namespace TwoPunctures
