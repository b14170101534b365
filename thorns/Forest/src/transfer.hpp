// A plan for memory: which elements go where, without an address in it. Made once for a plan; hosts and devices carry
// it out for any variable.
#pragma once
#include <cereus/simulation.hpp>

#include "faces.hpp"
#include "pieces.hpp"
namespace Forest {
using cereus::Offset;
static_assert(sizeof(Offset) == sizeof(Elements) && Leaves::most_levels <= in_scratch);
using Blocks = std::vector<std::map<int, int>>;  // of each level: entries of Grid::blocks of a process, by number

// Blocks of a process by level and number, of the grid as it is or as it was before it changed.
struct Known {
  const cereus::Grid& grid;
  const Blocks& blocks;
  const cereus::Block& at(int level, int number) const {
    return grid.blocks[static_cast<std::size_t>(blocks[static_cast<std::size_t>(level)].at(number))];
  }
};

struct Transfer {
  bool cells = false;
  // Within this process; at once, and coarse points of what also waits for messages.
  std::vector<Piece> local, local_last;
  std::map<int, std::vector<Piece>> pack, unpack;  // by rank
  std::vector<Interpolated> interpolated, interpolated_last;
  std::vector<Line> lines, lines_last;  // across the ends of patches; likewise; then spots, from values of lines
  std::vector<InSpot> spots, spots_last;
  std::vector<Corrected> corrected;
  std::vector<Along> along;
  std::vector<double> weights;
  Offset scratch = 0, of_lines = 0;          // elements for one variable
  std::map<int, Offset> incoming, outgoing;  // elements of a message for one variable, by rank
};
struct Part {
  const Plan* plan;
  unsigned filled = 0;  // axes (bits) across whose faces kernels copy within the process
};
// Of plans of the same variables on several levels.
Transfer make_transfer(const cereus::Simulation&, std::span<const Part>, const Known& from, const Known& to, int rank);
// Of fluxes into scratch, and of what coarse cells lack then.
enum class Side { both, coarser, finer };  // whose fluxes are moved
struct InScratch {                         // where those of the coarser and of the finer side begin
  Offset coarser = 0, finer = 0;
};
Transfer make_transfer(const cereus::Simulation&, const FacePlan&, const Known&, const InScratch&, Side, int rank);

void move_on_host(std::span<const Piece>, const Bases&, cereus::ScalarType);
// Elements first … first + count − 1 of scratch are added, with a weight, to those of `sums`, or become these.
struct AddedUp {
  Offset first = 0, count = 0;
  double weight = 0;
  bool adds = true;
};
void add_up_on_host(const AddedUp&, const Bases&, cereus::ScalarType);  // sums: Bases::from[0]
// Adds `weight` times what the cells lack.
void correct_on_host(std::span<const Corrected>, double weight, const Bases&, cereus::ScalarType);
void interpolate_on_host(const Transfer&, std::span<const Interpolated>, const Bases&, cereus::ScalarType);
void interpolate_on_host(const Transfer&, std::span<const Line>, const Bases&, cereus::ScalarType);
void interpolate_on_host(const Transfer&, std::span<const InSpot>, const Bases&, cereus::ScalarType);
}  // namespace Forest
