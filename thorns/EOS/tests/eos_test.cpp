// Each equation of state is the inverse of itself, and its speed of sound is what thermodynamics says:
// c² = ∂p/∂ρ + (p + ρe)/ρ · Γ, of p(ρ, ρe). Mutations: γ for γ − 1 in any function; + for − before γ p∞.
#include <gtest/gtest.h>
#include <EOS/eos.hpp>

namespace {
struct Numbers {
  double real(const char* name) const {
    return name[0] == 'g' ? 1.7 : std::string_view(name) == "stiffness" ? 3.0 : 2.0;
  }
};
template <class E> void check() {
  const E eos = E::make(Numbers{});
  for (const double density : {0.3, 1.0, 7.0})
    for (const double pressure : {0.2, 1.0, 50.0}) {
      const double p = E::make(Numbers{}).gruneisen() > 0 ? pressure : eos.pressure(density, 0.0);
      const double internal = eos.internal(density, p), h = 1e-6;
      EXPECT_NEAR(eos.pressure(density, internal), p, 1e-13 * (1 + p));
      const double by_density = (eos.pressure(density + h, internal) - eos.pressure(density - h, internal)) / (2 * h);
      const double by_energy = (eos.pressure(density, internal + h) - eos.pressure(density, internal - h)) / (2 * h);
      EXPECT_NEAR(by_energy, eos.gruneisen(), 1e-6);
      EXPECT_NEAR(eos.sound2(density, p), by_density + (p + internal) / density * by_energy, 1e-5 * (1 + p / density));
      EXPECT_NEAR(eos.stiffness(density, p), density * eos.sound2(density, p), 1e-12 * (1 + p));
      EXPECT_GT(eos.stiffness(density, eos.least_pressure() + 1e-9), 0);
    }
}
TEST(EOS, is_consistent) {
  check<EOS::Gamma<double>>(), check<EOS::Stiffened<double>>(), check<EOS::Isothermal<double>>();
}
}  // namespace
