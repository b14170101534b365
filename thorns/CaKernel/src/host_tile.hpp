// A tile of a sweep on the host: planes of what the steps read and write go round in the caches, and the loops that
// were compiled ahead of time go over one plane of one stage at a time.
#pragma once
#include "arguments.hpp"
#include "ring.hpp"
namespace CaKernel {
using HostPlan = sweep::Plan<sweep::most_steps>;

// Points of a tile that are stored, along x and, in 3D, y; and what follows. Planes lie along the last axis.
struct HostShape {
  HostShape(const StepProgram&, const HostPlan&, int points, int rows);
  int width, height;      // with the margins that the steps eat
  Offset row, plane;      // strides in rings, in elements
  std::size_t bytes = 0;  // of all rings
};

class HostTile {
 public:
  HostTile(const StepProgram&, const HostPlan&, const HostShape&);  // makes the rings
  // Steps for the points in `box` of a block, local coordinates. Their planes are gone through in order.
  void sweep(const sweep::Arguments&, const Layout&, const Box& box);

 private:
  void load(int version, int plane, const Box&);
  void apply(int node, int plane);
  void run(int node, int plane, const Box&);
  void store(int version, int plane) const;
  Box covered(int version, int plane) const;
  Box in_plane(Box, int plane) const;
  template <class F> void for_each_row(const Box&, F&&) const;
  char* at(int version, int x, int y, int plane, int below = 0) const;
  char* memory(void* field, int x, int y, int plane) const;

  const StepProgram& program_;
  const HostPlan& plan_;
  const HostShape& shape_;
  const int dim_, stream_;               // the axis along which planes lie; in 1D there is one plane
  const std::size_t bytes_;              // of an element
  std::vector<Ring> ring_;               // of each version
  const sweep::Arguments* a_ = nullptr;  // of the tile that is swept
  const Layout* layout_ = nullptr;
  Box box_{};
};
}  // namespace CaKernel
