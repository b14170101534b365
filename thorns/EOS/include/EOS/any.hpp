// Any of the equations of state, chosen at run time: for kernels that wait for memory anyway. The same bits.
#pragma once
#include "eos.hpp"
namespace EOS {
template <class Real> struct Any {
  Stiffened<Real> gas;  // also the ideal one
  Isothermal<Real> cool;
  bool isothermal;
  static Any make(const auto& par) {
    Any a{Stiffened<Real>::make(par), Isothermal<Real>::make(par), par.string("kind") == kind_names[2]};
    if (par.string("kind") == kind_names[0]) a.gas.stiff = 0;
    return a;
  }
#define EOS_ANY(name)                                                 \
  template <class R> CEREUS_KERNEL R name(R density, R x) const {     \
    return isothermal ? cool.name(density, x) : gas.name(density, x); \
  }
  EOS_ANY(pressure)
  EOS_ANY(internal)
  EOS_ANY(stiffness)
  EOS_ANY(sound2)
  EOS_ANY(entropy)
#undef EOS_ANY
  CEREUS_KERNEL Real gruneisen() const { return isothermal ? cool.gruneisen() : gas.gruneisen(); }
  CEREUS_KERNEL Real least_pressure() const { return isothermal ? cool.least_pressure() : gas.least_pressure(); }
};
}  // namespace EOS
