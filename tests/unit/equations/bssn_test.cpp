// The equations of the thorn BSSN against plain loops over full tensors, from random values and derivatives at a point.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <numbers>
#include <random>
#include <sstream>

#include "equations/evaluate.hpp"
#include "equations/kernel.hpp"

namespace cereus::equations {
namespace {
std::string read(const std::string& file) {
  std::ifstream in(std::string(std::getenv("CEREUS_SOURCE")) + file);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}
using Real = long double;
constexpr Real diss = 0.2L, driver = 0.75L, eta = 1.3L;

// Values of leaves: near flat space, the same for each question.
class Point {
 public:
  explicit Point(const Model& m) : m_(m) {}
  Real of(const std::string& tensor, std::vector<int> c, Op op = Op::variable, std::array<int, 3> along = {}) const {
    const auto [v, sign] = m_.variable(*m_.find(tensor), c);
    return sign * value(v, op, along);
  }
  // Upwinded and dissipated, as large kernels have it: multiples of the differences on a grid of spacing 1.
  static Real inverse_spacing(int axis) { return 10 + axis; }
  static Real weight(const std::string& op) { return op == "upwind" ? 1.L / 560 : 1.L / 1024; }
  Real moved(int v, Op op, std::array<int, 3> along) const {
    const Real value_of_op = value(v, op == Op::upwind ? Op::upwind_odd : Op::delta, along);
    return inverse_spacing(along[0]) * value_of_op *
           (op == Op::upwind ? 1 : weight(op == Op::dissipation ? "dissipation" : "upwind"));
  }
  Real value(int v, Op op, std::array<int, 3> along) const {
    if (op == Op::upwind || op == Op::upwind_even || op == Op::dissipation) return moved(v, op, along);
    std::seed_seq seed{v, static_cast<int>(op), along[0], along[1], along[2]};
    std::mt19937 engine(seed);
    const Real x = std::uniform_real_distribution<double>(-0.3, 0.3)(engine);
    const Variable& variable = m_.variables()[v];
    const bool one = variable.tensor == "W" || variable.tensor == "alpha" ||
                     (variable.tensor == "g" && variable.components[0] == variable.components[1]);
    return op == Op::variable && one ? 1 + x : x;
  }
  Real d(const std::string& t, std::vector<int> c, int a) const {
    std::array<int, 3> n{};
    ++n[a];
    return of(t, c, Op::derivative, n);
  }
  Real dd(const std::string& t, std::vector<int> c, int a, int b) const {
    std::array<int, 3> n{};
    ++n[a], ++n[b];
    return of(t, c, Op::derivative, n);
  }
  Real advect(const std::string& t, std::vector<int> c) const {  // with dissipation
    Real s = 0;
    for (int a = 0; a < 3; ++a) {
      const Real b = of("beta", {a});
      s += b * of(t, c, Op::upwind, {a}) + std::fabs(b) * of(t, c, Op::upwind_even, {a}) +
           diss * of(t, c, Op::dissipation, {a});
    }
    return s;
  }

 private:
  const Model& m_;
};
#define S(i) for (int i = 0; i < 3; ++i)

// M. Alcubierre et al., Phys. Rev. D 67 (2003) 084023, with W = det(γ)^(−1/6); P. Marronetti et al., Phys. Rev. D 77
// (2008) 064010.
struct Reference {
  Real u[3][3], L[3][3][3], C[3][3][3] = {}, M[3][3][3] = {}, N[3] = {}, Am[3][3] = {}, Au[3][3] = {}, c[3], div = 0,
                            AA = 0;
  Real R[3][3], X[3][3], trX = 0, V[3];
  const Point& p;
  Real g(int i, int j) const { return p.of("g", {i, j}); }
  Real A(int i, int j) const { return p.of("A", {i, j}); }
  Real W, K, alpha;
  std::string slicing = "onelog";
  explicit Reference(const Point& point) : p(point), W(p.of("W", {})), K(p.of("K", {})), alpha(p.of("alpha", {})) {
    S(i) S(j) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, r = (i + 1) % 3, s = (i + 2) % 3;
      u[i][j] = g(a, r) * g(b, s) - g(a, s) * g(b, r);
    }
    S(i) S(j) S(k) L[i][j][k] = (p.d("g", {i, j}, k) + p.d("g", {i, k}, j) - p.d("g", {j, k}, i)) / 2;
    S(i) S(j) S(k) S(l) C[i][j][k] += u[i][l] * L[l][j][k], M[i][j][k] += u[k][l] * L[i][j][l];
    S(i) S(j) S(k) N[i] += u[j][k] * C[i][j][k];
    S(i) S(j) S(k) Am[i][j] += u[i][k] * A(k, j);
    S(i) S(j) S(k) Au[i][j] += u[i][k] * Am[j][k];
    S(i) S(j) AA += A(i, j) * Au[i][j];
    S(i) c[i] = -p.d("W", {}, i) / (2 * W), div += p.d("beta", {i}, i);
    ricci();
    S(i) {
      Real x = 2 * N[i] * div / 3;
      S(j) {
        x += -2 * Au[i][j] * p.d("alpha", {}, j) +
             2 * alpha * (-2 * u[i][j] * p.d("K", {}, j) / 3 + 6 * Au[i][j] * c[j]) - N[j] * p.d("beta", {i}, j);
        S(k)
        x += 2 * alpha * C[i][j][k] * Au[j][k] + u[j][k] * p.dd("beta", {i}, j, k) +
             u[i][j] * p.dd("beta", {k}, j, k) / 3;
      }
      V[i] = x;
    }
  }
  void ricci() {
    Real D[3][3], tr = 0;
    S(i) S(j) {
      const Real wi = p.d("W", {}, i), wj = p.d("W", {}, j);
      D[i][j] = -p.dd("W", {}, i, j) / (2 * W) + wi * wj / (2 * W * W);
      S(k) D[i][j] += C[k][i][j] * p.d("W", {}, k) / (2 * W);
    }
    S(i) S(j) tr += u[i][j] * (D[i][j] + 2 * c[i] * c[j]);
    S(i) S(j) {
      R[i][j] = -2 * D[i][j] + 4 * c[i] * c[j] - 2 * g(i, j) * tr;
      S(k) {
        R[i][j] += (g(k, i) * p.d("X", {k}, j) + g(k, j) * p.d("X", {k}, i) + N[k] * (L[i][j][k] + L[j][i][k])) / 2;
        S(l)
        R[i][j] += -u[k][l] * p.dd("g", {i, j}, k, l) / 2 + C[k][i][l] * M[j][k][l] + C[k][j][l] * M[i][k][l] +
                   C[k][i][l] * M[k][j][l];
      }
      X[i][j] =
          -p.dd("alpha", {}, i, j) + 2 * (p.d("alpha", {}, i) * c[j] + p.d("alpha", {}, j) * c[i]) + alpha * R[i][j];
      S(k) X[i][j] += C[k][i][j] * p.d("alpha", {}, k);
    }
    S(i) S(j) trX += u[i][j] * X[i][j];
  }
  Real rate(const std::string& t, const std::vector<int>& index) const {
    const int i = index.empty() ? 0 : index[0], j = index.size() < 2 ? 0 : index[1];
    const Real advected = p.advect(t, index);
    if (t == "W") return W * (alpha * K - div) / 3 + advected;
    if (t == "alpha")
      return (slicing == "onelog" ? -2 * alpha : slicing == "harmonic" ? -alpha * alpha : 0) * K + advected;
    if (t == "X") return V[i] + advected;
    if (t == "beta") return driver * p.of("B", {i}) + advected;
    if (t == "B") return V[i] - eta * p.of("B", {i}) + advected;
    if (t == "K") {
      Real lap = 0;
      S(a) S(b) lap += u[a][b] * (p.dd("alpha", {}, a, b) + 2 * c[a] * p.d("alpha", {}, b));
      S(a) lap -= N[a] * p.d("alpha", {}, a);
      return -W * W * lap + alpha * (AA + K * K / 3) + advected;
    }
    Real drag = -2 * (t == "g" ? g(i, j) : A(i, j)) * div / 3;
    S(k)
    drag += (t == "g" ? g(i, k) : A(i, k)) * p.d("beta", {k}, j) + (t == "g" ? g(j, k) : A(j, k)) * p.d("beta", {k}, i);
    if (t == "g") return -2 * alpha * A(i, j) + drag + advected;
    Real x = W * W * (X[i][j] - g(i, j) * trX / 3) + alpha * K * A(i, j) + drag + advected;
    S(k) x -= 2 * alpha * A(i, k) * Am[k][j];
    return x;
  }
};

// The energy–momentum tensor of spacetime, projected by n^a and δ^a_b + n^a n_b: J. York, in L. Smarr (ed.), Sources of
// Gravitational Radiation (1979) 83.
struct Matter {
  Real rho = 0, flux[3] = {}, stress[3][3] = {}, trace = 0;
  const Reference& space;
  explicit Matter(const Reference& r) : space(r) {
    const Point& p = r.p;
    Real T[4][4], n[4] = {1 / r.alpha}, P[4][3] = {};
    T[0][0] = p.of("Ttt", {});
    S(i) T[0][i + 1] = T[i + 1][0] = p.of("Tt", {i}), n[i + 1] = -p.of("beta", {i}) / r.alpha, P[i + 1][i] = 1;
    S(i) S(j) T[i + 1][j + 1] = p.of("T", {i, j});
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        rho += T[a][b] * n[a] * n[b];
        S(i) flux[i] -= P[a][i] * T[a][b] * n[b];
        S(i) S(j) stress[i][j] += P[a][i] * P[b][j] * T[a][b];
      }
    S(i) S(j) trace += r.W * r.W * r.u[i][j] * stress[i][j];
  }
  Real term(const std::string& t, const std::vector<int>& index) const {
    const Real pi = std::numbers::pi_v<Real>, W2 = space.W * space.W, alpha = space.alpha;
    if (t == "K") return 4 * pi * alpha * (rho + trace);
    if (t == "H") return -16 * pi * rho;
    if (t == "M") return -8 * pi * flux[index[0]];
    if (t == "A") {
      const int i = index[0], j = index[1];
      return -8 * pi * alpha * W2 * (stress[i][j] - space.g(i, j) / W2 * trace / 3);
    }
    Real x = 0;
    S(j) x -= 16 * pi * alpha * space.u[index[0]][j] * flux[j];
    return x;
  }
};
#undef S

class BSSN : public testing::Test {
 protected:
  double value(const Assignment& a) const {
    return evaluate(program.graph, a.value, [&](const Node& n) -> double {
      if (n.op == Op::parameter) return static_cast<double>(n.text == "diss" ? diss : n.text == "eta" ? eta : driver);
      if (n.op == Op::keyword) return n.text == "slicing=" + slicing || n.text == "shift=driver";
      if (n.op == Op::weight) return static_cast<double>(Point::weight(n.text));
      if (n.op == Op::inverse_spacing) return static_cast<double>(Point::inverse_spacing(n.along[0]));
      return static_cast<double>(point.value(n.variable, n.op, n.along));
    });
  }
  // Of the kernels for which `wanted` holds; how many values there are.
  template <class Wanted, class Expected> int compare(Wanted wanted, Expected expected) const {
    int compared = 0;
    for (const Kernel& k : program.kernels)
      for (const Assignment& a : wanted(*k.of) ? k.assignments.at(3) : std::vector<Assignment>{}) {
        const Variable& v = model.variables()[a.variable];
        const auto right = static_cast<double>(expected(v.tensor, v.components));
        EXPECT_NEAR(value(a), right, 1e-13 * (1 + std::fabs(right))) << v.name;
        ++compared;
      }
    return compared;
  }
  const Source source{{"equations.edl"}, read("/thorns/BSSN/equations.edl")};
  const ThornText text = parse(source);
  const Model model{source, text};
  const Program program = make_program(model);
  const Point point{model};
  std::string slicing = "onelog";
};
}  // namespace

TEST_F(BSSN, RightHandSidesAreThoseOfPlainLoops) {
  ASSERT_TRUE(source.problems().empty()) << source.problems().list().front().text();
  const Reference reference(point);
  const auto rates = [](const Calculation& c) { return c.kind == Calculation::Kind::rhs && c.with.empty(); };
  EXPECT_EQ(compare(rates, [&](const auto& t, const auto& index) { return reference.rate(t, index); }), 24);
}
// Mutation: alpha^2 for 0 alpha.
TEST_F(BSSN, SlicingsAreThoseOfTheirFormulas) {
  const auto rates = [](const Calculation& c) { return c.kind == Calculation::Kind::rhs && c.with.empty(); };
  Reference reference(point);
  for (const char* one : {"harmonic", "geodesic"}) {
    slicing = reference.slicing = one;
    compare(rates, [&](const auto& t, const auto& index) { return reference.rate(t, index); });
  }
}
// Mutations: any factor or sign of `rhs with TmunuBase` and `analysis with TmunuBase`; beta^i for 2 beta^i in rho.
TEST_F(BSSN, MatterIsAProjectionOfItsTensor) {
  const Reference reference(point);
  const Matter matter(reference);
  const auto additions = [](const Calculation& c) { return c.with == "TmunuBase"; };
  EXPECT_EQ(
      compare(additions, [&](const auto& t, const auto& index) { return matter.term(t, index); }), 3 + 1 + 6 + 3 + 4);
}
}  // namespace cereus::equations
