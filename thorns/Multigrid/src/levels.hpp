// The levels of a problem: grids of their own, from the run's to one of a few points.
#pragma once
#include <Elliptic/launching.hpp>
#include <Elliptic/setup.hpp>
namespace Multigrid {
using namespace Elliptic;
using beside_run::changing, beside_run::collect, beside_run::for_run, beside_run::from_elsewhere, beside_run::Handles;
using beside_run::launch_on, beside_run::reading, beside_run::seen, beside_run::work, beside_run::writing;

// Components of the finest level's first group, which has the run's type.
enum Work : int { residual, direction, product, correction };
// Components of the group that cycles have on each level, in a type that may have fewer digits. Where the type is the
// run's, the finest level has no third one: the residual is its source.
enum OfCycle : int { first_z, second_z, source };

struct Level {
  Simulation sim;
  Axes<double> axes;               // with weights 1/h²
  std::vector<double> relaxation;  // of sweeps; on the coarsest level of all that it takes
  int rough = work;                // the group of cycles
  VariableAccess source_at;        // where its source lies
  bool alone = false;              // each process has all of it
  bool aligned = true;             // a coarser point takes in points of the same block only

  VariableAccess reads(int z, int reach = 0, bool corners = false) const {
    return {rough, z, 0, Mode::read, Region::interior, reach, corners, true};
  }
  VariableAccess reads_source(int reach = 0, bool corners = false) const {
    VariableAccess a = reads(source_at.component, reach, corners);
    return a.group = source_at.group, a;
  }
  VariableAccess changes(int z) const { return {rough, z, 0, Mode::update}; }
  VariableAccess writes(int z) const { return {rough, z, 0, Mode::write}; }
  VariableAccess writes_source() const { return {source_at.group, source_at.component, 0, Mode::write}; }
};

// `rough`: the type of cycles. Throws Error if the driver has no such grids.
std::vector<std::unique_ptr<Level>> make_levels(const Simulation&, const Setup&, ScalarType rough);
// Whether cycles may compute in float: a rounded z then leaves much less of a residual than a cycle takes out.
bool float_is_enough(const Simulation&, const Setup&);
// Axes that stay odd, in words; empty if each side becomes small.
std::string cannot_halve(const Level& coarsest, int dim);
// The points of a group on a coarser level that take in those of a block of a finer one.
Box covered(const Level& fine, const Box& cells, const Level& coarse, int group = work);
}  // namespace Multigrid
