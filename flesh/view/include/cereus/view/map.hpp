// A kernel of a program, as run() takes it: over all points, or over a part of the domain.
#pragma once
#include "field.hpp"
namespace cereus::view {
// Where a map updates a part of what has a past, the rest of the present is as it was.
template <int dim, class Real> struct Keep {
  Read<One, pointwise, Real, 1> past;
  Write<One, interior, Real> now;
  CEREUS_KERNEL void operator()(const auto& p) const { p(now.v) = p(past.v); }
};
template <int dim, class Real> class Map : public Step {
 public:
  Map(Program& program, Step step) : Step(step), program_(&program) {}
  // Only at the points of a box of global indices, half-open; what lies outside keeps its values. It is said
  // where the map is made, map<K>(…).on(box): a Map that was kept is one of all points, and has no on().
  Map on(const Box& box, const Place& place = {}) && {
    program_->put_on(*this, {box, place, detail::make_table<Keep<dim, Real>, dim, Real>()});
    return *this;
  }

 private:
  Program* program_;
};
}  // namespace cereus::view
