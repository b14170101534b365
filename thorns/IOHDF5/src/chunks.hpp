// The blocks of a variable of a level one after another, each x fastest, as one array; and the chunks of that array.
#pragma once
#include <Output/gather.hpp>

namespace IOHDF5 {
using namespace cereus;

class Chunks {
 public:
  // Of all processes' blocks, which are kept by address.
  Chunks(const Simulation& s, int level, const VariableAccess& a, const std::vector<BlockHome>& blocks);
  // Elements of a chunk: 512 KiB, or somewhat less where chunks then end where blocks do. 0: the array is empty.
  std::int64_t length() const { return length_; }
  std::int64_t count() const { return length_ ? (offsets_.back() + length_ - 1) / length_ : 0; }
  struct Part {                    // of a chunk
    int block;                     // position in the list of all blocks
    std::int64_t first, last, at;  // points of the block, and where they begin in the chunk
  };
  std::vector<Part> parts(std::int64_t chunk) const;
  int owner(const Part& part) const { return blocks_[part.block].owner; }
  int owner(std::int64_t chunk) const;          // −1: it lies in blocks of several processes
  void copy(const Part& part, char* to) const;  // of a block of mine

 private:
  const Simulation& s_;
  VariableAccess access_;
  const std::vector<BlockHome>& blocks_;
  std::vector<Box> boxes_;
  std::vector<int> here_;              // of each block its number on this process; −1: it is another's
  std::vector<std::int64_t> offsets_;  // of each block, and at last the length of the array
  std::int64_t length_;
};
}  // namespace IOHDF5
