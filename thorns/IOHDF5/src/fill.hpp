// Each process writes its own blocks into a file that rank 0 has laid out.
#pragma once
#include <Output/gather.hpp>
#include <Output/vocabulary.hpp>

#include "shared_file.hpp"

namespace IOHDF5 {
using namespace Output;

struct Place {  // in bytes from the beginning of the file
  std::uint64_t data, checksums;
};
struct Placed {  // a variable, or the part of it in a region of a level
  int level;
  VariableAccess access;
  Box region;
  std::vector<Place> parts;  // of a complex variable two; known to rank 0
};

// Fills the places: data, and for each block its checksum (XXH3, 64 bits). `blocks`: of all processes, by level.
// Collective.
void fill(Simulation&, SharedFile&, const std::vector<Placed>&, const std::vector<std::vector<BlockHome>>& blocks);
}  // namespace IOHDF5
