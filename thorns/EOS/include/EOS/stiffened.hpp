// A stiffened gas, p = (γ − 1) ρe − γ p∞: water and the like (Harlow and Amsden, LA-4700, 1971).
#pragma once
#include <cereus/kernel.hpp>
namespace EOS {
template <class Real> struct Stiffened {
  Real gamma, gamma_1, inverse, stiff;  // γ, γ − 1, 1/(γ − 1), p∞
  static Stiffened make(const auto& par) {
    const double g = par.real("gamma");
    return {Real(g), Real(g - 1), Real(1 / (g - 1)), Real(par.real("stiffness"))};
  }
  template <class R> CEREUS_KERNEL R pressure(R, R internal) const { return gamma_1 * internal - gamma * stiff; }
  template <class R> CEREUS_KERNEL R internal(R, R pressure) const { return inverse * (pressure + gamma * stiff); }
  template <class R> CEREUS_KERNEL R stiffness(R, R pressure) const { return gamma * (pressure + stiff); }
  template <class R> CEREUS_KERNEL R sound2(R density, R pressure) const {
    return gamma * cereus::quotient(pressure + stiff, density);
  }
  template <class R> CEREUS_KERNEL R entropy(R density, R pressure) const {
    return (pressure + stiff) * cereus::pow(density, -R(gamma));
  }
  CEREUS_KERNEL Real gruneisen() const { return gamma_1; }
  CEREUS_KERNEL Real least_pressure() const { return -stiff; }
};
}  // namespace EOS
