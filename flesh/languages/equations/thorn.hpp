// A thorn of equations, from its text to its program.
#pragma once
#include <memory>

#include "equations/kernel.hpp"
namespace cereus::equations {
// One kind of grid that a program is for; 0: the last one of the thorn's dimensions, the default order.
struct Target {
  int dimensions = 0, order = 0;
};
struct Thorn {
  Source source;
  ThornText text;
  Model model;
  Program program;
  explicit Thorn(Source, const std::optional<Target>& = {}, bool shells = false);
  Thorn(const Thorn&) = delete;  // the parts refer to each other
};
// Throws one Error with all mistakes of the text. `start`: where the text begins in its file; without a target the
// program is for all grids. `shells`: also for those around a cube, of a thorn for three dimensions.
std::unique_ptr<Thorn> read_thorn(
    const Where& start, const std::string& text, const std::optional<Target>& = {}, bool shells = false);
}  // namespace cereus::equations
