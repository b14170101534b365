// What lies upon the colours of a plane: solid cells, contour lines, the outlines of blocks, arrows.
#pragma once

#include "solid.hpp"

namespace IOImage {

void declare_overlays(Declaration&);
// The variables that they need, beside those drawn.
std::vector<std::string> read_by_overlays(const Parameters&);
// At the end of a run, where nothing is computed any more: the variable that says what is solid, however old it is.
std::vector<VariableAccess> last_fluid(Simulation&, const Parameters&);
// Throws Error for what does not fit the variables of this run.
void check_overlays(const Simulation&, const Parameters&);

// Of one output, for all its pictures: what is gathered when it is due, and made into lines beside the run.
struct Overlays {
  bool others = false;               // contour lines are those of `contoured`, not of the variable drawn
  std::optional<Plane> contoured{};  // nothing: the variable has no values now
  std::vector<Plane> vectors{};      // two components, or none
  std::vector<Stroke> outlines{};
  Solid solid{};
};
// From those of the variables that have values. Collective.
Overlays gather_overlays(Simulation&, const Parameters&, std::span<const VariableAccess>);

// Upon values as they are shown, whose logarithm that may be.
std::vector<Stroke> strokes_upon(const Plane& shown, const Parameters&, const Overlays&);

}  // namespace IOImage
