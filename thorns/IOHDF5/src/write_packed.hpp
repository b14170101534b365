// Compressed datasets: each process packs the chunks that lie in its own blocks, one a thread, and writes them where
// rank 0 says. Chunks that lie in blocks of several processes are brought to rank 0.
#pragma once
#include <Output/vocabulary.hpp>

#include "chunks.hpp"
#include "hdf5_file.hpp"
#include "shared_file.hpp"

namespace IOHDF5 {
// What rank 0 has: the file, and a dataset for each part of the variable.
struct Target {
  File* file = nullptr;
  std::vector<Handle> data{};
};
// `level`: of deflate. Collective.
void write_packed(Simulation&, const Chunks&, ScalarType, int level, const Target&, SharedFile&, Output::RankZero&);
}  // namespace IOHDF5
