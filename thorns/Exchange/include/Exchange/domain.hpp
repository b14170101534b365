// Parameters of drivers whose domain is a box.
#pragma once
#include <cereus/thorn.hpp>
namespace exchange {
inline void declare_domain(cereus::Declaration& d) {
  using namespace cereus;
  d.parameter("lower", {-1.0}, any(), "Lower corner of the domain; one number for all axes, or one an axis")
      .length(1, 3);
  d.parameter("upper", {1.0}, any(), "Upper corner of the domain; one number for all axes, or one an axis")
      .length(1, 3);
  d.parameter("periodic", std::vector<bool>{true}, any(), "Periodic axes; one value for all, or one an axis")
      .length(1, 3);
}
}  // namespace exchange
