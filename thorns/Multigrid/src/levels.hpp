// The levels of a problem: grids of their own, from the run's to one of a few points.
#pragma once
#include <Elliptic/launching.hpp>
#include <Elliptic/setup.hpp>
namespace Multigrid {
using namespace Elliptic;
using beside_run::changing, beside_run::collect, beside_run::for_run, beside_run::from_elsewhere, beside_run::Handles;
using beside_run::launch_on, beside_run::reading, beside_run::seen, beside_run::work, beside_run::writing;

struct Level {
  Simulation sim;
  Axes<double> axes;               // with weights 1/h²
  std::vector<double> relaxation;  // of sweeps; on the coarsest level of all that it takes
  bool alone = false;              // each process has all of it
  bool aligned = true;             // a coarser point takes in points of the same block only
};
// What lies on a level: components of its group `work`, of the coarser ones the first three.
enum Work : int { source, first_z, second_z, first_direction, second_direction, product, correction };

// Throws Error if the driver has no such grids.
std::vector<std::unique_ptr<Level>> make_levels(const Simulation&, const Setup&);
// Axes that stay odd, in words; empty if each side becomes small.
std::string cannot_halve(const Level& coarsest, int dim);
// The points of a group on a coarser level that take in those of a block of a finer one.
Box covered(const Level& fine, const Box& cells, const Level& coarse, int group = work);
}  // namespace Multigrid
