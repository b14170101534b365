// An ideal gas, p = (γ − 1) ρe.
#pragma once
#include <cereus/kernel.hpp>
namespace EOS {
template <class Real> struct Gamma {
  Real gamma, gamma_1, inverse;  // γ, γ − 1, 1/(γ − 1)
  static Gamma make(const auto& par) {
    const double g = par.real("gamma");
    return {Real(g), Real(g - 1), Real(1 / (g - 1))};
  }
  template <class R> CEREUS_KERNEL R pressure(R, R internal) const { return gamma_1 * internal; }
  template <class R> CEREUS_KERNEL R internal(R, R pressure) const { return inverse * pressure; }
  template <class R> CEREUS_KERNEL R stiffness(R, R pressure) const { return gamma * pressure; }
  template <class R> CEREUS_KERNEL R sound2(R density, R pressure) const {
    return gamma * cereus::quotient(pressure, density);
  }
  template <class R> CEREUS_KERNEL R entropy(R density, R pressure) const {
    return pressure * cereus::pow(density, -R(gamma));
  }
  CEREUS_KERNEL Real gruneisen() const { return gamma_1; }
  CEREUS_KERNEL Real least_pressure() const { return 0; }
};
}  // namespace EOS
