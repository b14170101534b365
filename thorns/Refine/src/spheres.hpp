// Balls in which a forest is fine: around places, or around points that another thorn follows in its arrays x, y, z.
#pragma once
#include <cereus/error.hpp>
#include <cereus/grid.hpp>

#include <span>

namespace Refine {
struct Sphere {
  int level = 0;
  double radius = 0;
  std::vector<double> at;  // or
  std::string thorn;       // whose element number n, from 1, it is around
  int n = 0;
  std::string text;

  std::vector<std::string> arrays() const { return {thorn + "::x", thorn + "::y", thorn + "::z"}; }
};
// "LEVEL RADIUS at X Y Z" or "LEVEL RADIUS around THORN N". Throws an Error with this place where it is neither.
Sphere sphere_of(const std::string& text, const cereus::Where& where);

// Whether a box of cells and the ball around a point have a point in common, also across the ends of periodic axes.
bool meets(const cereus::Patch&, const cereus::Box& cells, int dim, std::span<const double> centre, double radius);
}  // namespace Refine
