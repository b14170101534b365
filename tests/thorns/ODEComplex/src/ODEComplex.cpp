// A complex number that turns, at every point of the grid.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace ODEComplex {
using Complex = types<complex<float>, complex<double>>;

void declare(Declaration& d) {
  d.describe("dz/dt = i z, z(0) = 1, in complex numbers");
  d.group<State>("state", {"z"}, "The number that turns").type(ScalarType::complex128).rhs<Rhs>();
}
void schedule(Schedule& s, const Parameters&) {
  s.kernel<SetOne, Complex>("initial", "Starts from 1").at(bin::initial);
  s.kernel<CalcRhs, Complex>("rhs", "Right-hand side").in(MoL::rhs);
}
}  // namespace ODEComplex
CEREUS_THORN(ODEComplex, ODEComplex::declare, ODEComplex::schedule)
