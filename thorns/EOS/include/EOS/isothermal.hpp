// A gas of one temperature, p = a² ρ. Internal energy counts as 0: the energy is the kinetic one, and follows from the
// other variables.
#pragma once
#include <cereus/kernel.hpp>
namespace EOS {
template <class Real> struct Isothermal {
  Real a2;  // the square of the speed of sound
  static Isothermal make(const auto& par) { return {Real(par.real("sound_speed") * par.real("sound_speed"))}; }
  template <class R> CEREUS_KERNEL R pressure(R density, R) const { return a2 * density; }
  template <class R> CEREUS_KERNEL R internal(R, R) const { return Real(0); }
  template <class R> CEREUS_KERNEL R stiffness(R density, R) const { return a2 * density; }
  template <class R> CEREUS_KERNEL R sound2(R, R) const { return a2; }
  template <class R> CEREUS_KERNEL R entropy(R, R) const { return a2; }
  CEREUS_KERNEL Real gruneisen() const { return 0; }
  CEREUS_KERNEL Real least_pressure() const { return 0; }
};
}  // namespace EOS
