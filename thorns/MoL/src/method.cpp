// The methods. Those that need few registers are written in stage form, so that updates fuse
// (docs/concepts/updates-as-data.md); the others store their right-hand sides.
#include "method.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace MoL {
namespace {
// A Butcher tableau: rows of a below the diagonal; b; and, for an embedded pair, b̂ of the lower order.
struct Tableau {
  std::vector<double> c;
  std::vector<std::vector<double>> a;
  std::vector<double> b, b_low;
};

Method from_tableau(std::string name, int order, const Tableau& t, bool adaptive) {
  const int n = static_cast<int>(t.c.size());
  Method m{std::move(name), order, n + 2 + (adaptive ? 1 : 0), {}, adaptive ? n + 2 : -1};
  const int state = n + 1;  // register of the stage values; 1 … n keep the right-hand sides
  const auto sweep = [&](int target, int base, const std::vector<double>& weights) {
    Stage::Sweep s{target, {}};
    if (base >= 0) s.terms.push_back({base, 1});
    for (std::size_t j = 0; j < weights.size(); ++j)
      if (weights[j] != 0) s.terms.push_back({static_cast<int>(j) + 1, weights[j], true});
    return s;
  };
  for (int i = 0; i < n; ++i) {
    Stage s;
    s.c = t.c[i];
    s.target = i + 1;
    s.weight = 1, s.weight_times_dt = false;
    s.current = state;
    if (i + 1 < n) s.sweeps.push_back(sweep(state, 0, t.a[i + 1]));
    else {
      s.sweeps.push_back(sweep(state, 0, t.b));
      if (adaptive) {
        std::vector<double> difference = t.b;
        for (std::size_t j = 0; j < t.b_low.size(); ++j) difference[j] -= t.b_low[j];
        s.sweeps.push_back(sweep(m.error_register, -1, difference));
      }
    }
    m.stages.push_back(std::move(s));
  }
  return m;
}

Stage stage(double c, int target, std::vector<Term> terms, double weight) {
  return {c, target, std::move(terms), weight, true, {}, target};
}

// Fehlberg, NASA TR R-287 (1968), table X: RKF7(8), the eighth-order result.
const Tableau rkf78{{0, 2. / 27, 1. / 9, 1. / 6, 5. / 12, 1. / 2, 5. / 6, 1. / 6, 2. / 3, 1. / 3, 1, 0, 1},
    {{}, {2. / 27}, {1. / 36, 1. / 12}, {1. / 24, 0, 1. / 8}, {5. / 12, 0, -25. / 16, 25. / 16},
        {1. / 20, 0, 0, 1. / 4, 1. / 5}, {-25. / 108, 0, 0, 125. / 108, -65. / 27, 125. / 54},
        {31. / 300, 0, 0, 0, 61. / 225, -2. / 9, 13. / 900}, {2, 0, 0, -53. / 6, 704. / 45, -107. / 9, 67. / 90, 3},
        {-91. / 108, 0, 0, 23. / 108, -976. / 135, 311. / 54, -19. / 60, 17. / 6, -1. / 12},
        {2383. / 4100, 0, 0, -341. / 164, 4496. / 1025, -301. / 82, 2133. / 4100, 45. / 82, 45. / 164, 18. / 41},
        {3. / 205, 0, 0, 0, 0, -6. / 41, -3. / 205, -3. / 41, 3. / 41, 6. / 41, 0},
        {-1777. / 4100, 0, 0, -341. / 164, 4496. / 1025, -289. / 82, 2193. / 4100, 51. / 82, 33. / 164, 12. / 41, 0,
            1}},
    {0, 0, 0, 0, 0, 34. / 105, 9. / 35, 9. / 35, 9. / 280, 9. / 280, 0, 41. / 840, 41. / 840}, {}};

// Prince and Dormand, J. Comp. Appl. Math. 7 (1981) 67, table 2: RK8(7)13M, the eighth-order result.
const Tableau dp87{{0, 1. / 18, 1. / 12, 1. / 8, 5. / 16, 3. / 8, 59. / 400, 93. / 200, 5490023248. / 9719169821,
                       13. / 20, 1201146811. / 1299019798, 1, 1},
    {{}, {1. / 18}, {1. / 48, 1. / 16}, {1. / 32, 0, 3. / 32}, {5. / 16, 0, -75. / 64, 75. / 64},
        {3. / 80, 0, 0, 3. / 16, 3. / 20},
        {29443841. / 614563906, 0, 0, 77736538. / 692538347, -28693883. / 1125000000, 23124283. / 1800000000},
        {16016141. / 946692911, 0, 0, 61564180. / 158732637, 22789713. / 633445777, 545815736. / 2771057229,
            -180193667. / 1043307555},
        {39632708. / 573591083, 0, 0, -433636366. / 683701615, -421739975. / 2616292301, 100302831. / 723423059,
            790204164. / 839813087, 800635310. / 3783071287},
        {246121993. / 1340847787, 0, 0, -37695042795. / 15268766246, -309121744. / 1061227803, -12992083. / 490766935,
            6005943493. / 2108947869, 393006217. / 1396673457, 123872331. / 1001029789},
        {-1028468189. / 846180014, 0, 0, 8478235783. / 508512852, 1311729495. / 1432422823, -10304129995. / 1701304382,
            -48777925059. / 3047939560, 15336726248. / 1032824649, -45442868181. / 3398467696, 3065993473. / 597172653},
        {185892177. / 718116043, 0, 0, -3185094517. / 667107341, -477755414. / 1098053517, -703635378. / 230739211,
            5731566787. / 1027545527, 5232866602. / 850066563, -4093664535. / 808688257, 3962137247. / 1805957418,
            65686358. / 487910083},
        {403863854. / 491063109, 0, 0, -5068492393. / 434740067, -411421997. / 543043805, 652783627. / 914296604,
            11173962825. / 925320556, -13158990841. / 6184727034, 3936647629. / 1978049680, -160528059. / 685178525,
            248638103. / 1413531060, 0}},
    {14005451. / 335480064, 0, 0, 0, 0, -59238493. / 1068277825, 181606767. / 758867731, 561292985. / 797845732,
        -1041891430. / 1371343529, 760417239. / 1151165299, 118820643. / 751138087, -528747749. / 2220607170, 1. / 4},
    {}};

// Dormand and Prince, J. Comp. Appl. Math. 6 (1980) 19, table 2: RK5(4)7M.
const Tableau dp54{{0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1},
    {{}, {1. / 5}, {3. / 40, 9. / 40}, {44. / 45, -56. / 15, 32. / 9},
        {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
        {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
        {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84, 0},
    {5179. / 57600, 0, 7571. / 16695, 393. / 640, -92097. / 339200, 187. / 2100, 1. / 40}};
// Factors of states must add up to 1 exactly, or each step adds to what is conserved, or takes away, always to one
// side.
constexpr double third = 1 - 2. / 3;
}  // namespace

Method in_float(Method m) {
  for (Stage& stage : m.stages) {
    double left = 1;
    for (Term& t : stage.terms) left -= t.factor;
    if (std::abs(left) > 1e-9) continue;  // right-hand sides are among them
    left = 1;
    for (Term& t : stage.terms) left -= t.factor = static_cast<float>(t.factor);
    const auto size = [](const Term& t) { return std::abs(t.factor); };
    if (!stage.terms.empty()) std::ranges::min_element(stage.terms, {}, size)->factor += left;  // it has room
  }
  return m;
}

Method keeping_start(Method m) {
  Stage& last = m.stages.back();
  if (last.target == 0) last.target = last.current = m.registers++;
  return m;
}

namespace {
Method stages_of(const std::string& name) {
  if (name == "Euler") return {name, 1, 2, {stage(0, 1, {{0, 1}}, 1)}};
  if (name == "RK2")  // midpoint
    return {name, 2, 2, {stage(0, 1, {{0, 1}}, .5), stage(.5, 0, {{0, 1}}, 1)}};
  if (name == "SSPRK2")  // Heun's; Shu and Osher, J. Comp. Phys. 77 (1988) 439, eq. 2.16
    return {name, 2, 2, {stage(0, 1, {{0, 1}}, 1), stage(1, 0, {{0, .5}, {1, .5}}, .5)}};
  if (name == "RK3")  // Kutta's: Y₁ = y+½dt k₁, Y₂ = y+dt(−k₁+2k₂), y′ = y+dt(k₁+4k₂+k₃)/6, with k₁, k₂ eliminated
    return {name, 3, 3,
        {stage(0, 1, {{0, 1}}, .5), stage(.5, 2, {{0, 3}, {1, -2}}, 2),
            stage(1, 0, {{0, -third}, {1, 1}, {2, third}}, 1. / 6)}};
  if (name == "SSPRK3")  // Shu and Osher, J. Comp. Phys. 77 (1988) 439, eq. 2.18
    return {name, 3, 3,
        {stage(0, 1, {{0, 1}}, 1), stage(1, 2, {{0, 3. / 4}, {1, 1. / 4}}, 1. / 4),
            stage(.5, 0, {{0, third}, {2, 2. / 3}}, 2. / 3)}};
  if (name == "RK4")  // classical: y′ = (−y+Y₁+2Y₂+Y₃)/3 + dt/6 k₄
    return {name, 4, 4,
        {stage(0, 1, {{0, 1}}, .5), stage(.5, 2, {{0, 1}}, .5), stage(.5, 3, {{0, 1}}, 1),
            stage(1, 0, {{0, -third}, {1, third}, {2, 2. / 3}, {3, third}}, 1. / 6)}};
  if (name == "RKF78") return from_tableau(name, 8, rkf78, false);
  if (name == "DP87") return from_tableau(name, 8, dp87, false);
  if (name == "RK45") return from_tableau(name, 5, dp54, true);
  throw std::logic_error("no integration method is called " + name);
}

// What P. McCorquodale and P. Colella, Comm. App. Math. Comp. Sci. 6 (2011) 1, build from right-hand sides, here as
// sums of y, Y₁, …, y′: they have the elementary differentials of a stage through dt^(order − 1), not those of the
// solution.
const std::map<std::string, std::vector<std::vector<double>>> seen_by_finer{{"Euler", {{1, 0}, {.5, .5}}},
    {"RK2", {{1, 0, 0}, {.5, .5, 0}, {.25, .5, .25}, {0, .5, .5}}},
    {"SSPRK2", {{1, 0, 0}, {.5, .5, 0}, {.5, .25, .25}, {0, .25, .75}}},
    {"RK3", {{1, 0, 0, 0}, {.5, .5, 0, 0}, {.25, .5, .25, 0}, {3. / 16, 5. / 8, 1. / 16, 1. / 8},
                {-3. / 32, 11. / 16, 3. / 32, 5. / 16}, {.25, -.5, 0, 5. / 4}}},
    {"SSPRK3", {{1, 0, 0, 0}, {.5, .5, 0, 0}, {5. / 8, 1. / 8, .25, 0}, {3. / 8, .25, .25, 1. / 8}, {-.25, .25, .5, .5},
                   {1. / 8, 1. / 8, .25, .5}}},
    {"RK4", {{1, 0, 0, 0, 0}, {.5, .5, 0, 0, 0}, {7. / 16, .25, 3. / 8, 1. / 8, -3. / 16}, {0, .5, .5, 3. / 8, -3. / 8},
                {0, .5, .5, .25, -.25}, {-3. / 8, .5, .75, 3. / 8, -.25}, {-1. / 16, .25, 3. / 8, 1. / 8, 5. / 16},
                {0, 0, 0, 1. / 8, 7. / 8}}}};
}  // namespace

Method make_method(const std::string& name) {
  Method m = stages_of(name);
  if (const auto known = seen_by_finer.find(name); known != seen_by_finer.end()) m.seen_by_finer = known->second;
  return m;
}

std::vector<double> weights_in_result(const Method& m) {
  std::vector<std::vector<double>> r(static_cast<std::size_t>(m.registers), std::vector<double>(m.stages.size()));
  const auto sum = [&](const std::vector<Term>& terms) {
    std::vector<double> total(m.stages.size());
    for (const Term& t : terms)
      for (std::size_t k = 0; k < total.size(); ++k) total[k] += t.factor * r[t.source][k];
    return total;
  };
  for (std::size_t n = 0; n < m.stages.size(); ++n) {
    const Stage& s = m.stages[n];
    auto next = sum(s.terms);
    next[n] += s.weight;
    r[s.target] = std::move(next);
    for (const auto& sweep : s.sweeps) r[sweep.target] = sum(sweep.terms);
  }
  return r[m.stages.back().current];
}

double limit(const Method& m, std::complex<double> direction) {
  const auto growth = [&](double z) {
    std::vector<std::complex<double>> r(static_cast<std::size_t>(m.registers));
    const auto sum = [&](const std::vector<Term>& terms) {
      std::complex<double> total = 0;
      for (const Term& t : terms) total += t.factor * r[t.source];
      return total;
    };
    r[0] = 1;
    int current = 0;
    for (const Stage& s : m.stages) {
      const auto rhs = z * direction * r[current];
      r[s.target] = sum(s.terms) + s.weight * rhs;
      for (const auto& sweep : s.sweeps) r[sweep.target] = sum(sweep.terms);
      current = s.current;
    }
    return std::abs(r[current]);
  };
  int n = 0;
  while (n < 2000 && growth(0.01 * (n + 1)) <= 1.01) ++n;
  return 0.01 * n;
}
}  // namespace MoL
