// One picture of a slice: how its values look, and what stands beside them.
#pragma once

#include <map>

#include "overlays.hpp"

namespace IOImage {

void declare_looks(Declaration&);
// Throws Error.
void check_looks(const Parameters&);

using Kept = std::map<std::string, std::pair<double, double>>;  // the range so far of each variable

// All that it takes to draw a picture beside the run.
struct Picture {
  Slice slice;
  std::string name;  // of the variable, with its thorn
  double time;
  std::vector<double> values;
  std::shared_ptr<const Overlays> overlays;
  std::filesystem::path path;
  Notes notes;
};
void draw(Picture, const Parameters&, Kept&);

}  // namespace IOImage
