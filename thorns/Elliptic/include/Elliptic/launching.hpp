// What solvers launch on their grids beside the run.
#pragma once
#include <cereus/beside.hpp>

#include "near.hpp"
namespace Elliptic {
inline constexpr int coefficients = 1;  // of these a group for each axis, and one for b; behind the group `work`
inline beside_run::Handles coefficients_of(int reach, bool corners) {
  beside_run::Handles handles;
  for (int c = 0; c < 4; ++c)
    handles.push_back({coefficients + c, 0, 0, Mode::read, Region::interior, reach, corners, true});
  return handles;
}
// What a kernel reads first, then coefficients if there are any, then what it writes.
template <int form> beside_run::Handles with_coefficients(beside_run::Handles in, const beside_run::Handles& out) {
  if (form == variable)
    for (const auto& c : coefficients_of(1, false)) in.push_back(c);
  in.insert(in.end(), out.begin(), out.end());
  return in;
}
}  // namespace Elliptic
