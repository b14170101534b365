// Each process writes its own blocks into a file that rank 0 has laid out.
#pragma once
#include <Output/gather.hpp>
#include <Output/vocabulary.hpp>

#include "hdf5_file.hpp"

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

// Fills the places: data, and for each block its checksum (XXH3, 64 bits). Where not all processes see the file, rank 0
// writes the blocks of all. `name`: what the file will be called; now it is NAME.tmp. `blocks`: of all processes, by
// level. Collective; throws Failure on all.
void fill(Simulation&, const std::filesystem::path& name, const std::vector<Placed>&,
    const std::vector<std::vector<BlockHome>>& blocks, RankZero&);
}  // namespace IOHDF5
