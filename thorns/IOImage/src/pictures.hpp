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
  bool whole;        // numbers, which have nothing between them
  bool all;          // of the slice is shown, also what is solid
  double time;
  std::vector<double> values;
  std::shared_ptr<const Overlays> overlays;
  std::filesystem::path path;
  Notes notes;
  bool panel = false;  // of a picture that shows several
  std::string range_note = "cereus range";
};
void draw(Picture, const Parameters&, Kept&);
// All in one picture, which has the path of the first.
void draw_panels(std::vector<Picture>, const Parameters&, Kept&);

}  // namespace IOImage
