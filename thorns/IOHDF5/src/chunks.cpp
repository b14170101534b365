#include "chunks.hpp"

#include <Output/vocabulary.hpp>
#include <map>
#include <numeric>

namespace IOHDF5 {
namespace {
constexpr std::int64_t chunk_bytes = 512 << 10;  // a chunk and its compressed copy fit into a second-level cache

// Chunks whose length divides all blocks lie in one block each.
std::int64_t best_length(const std::vector<std::int64_t>& offsets, std::int64_t most) {
  if (offsets.back() <= most) return offsets.back();
  std::int64_t divisor = 0;
  for (std::size_t b = 1; b < offsets.size(); ++b) divisor = std::gcd(divisor, offsets[b] - offsets[b - 1]);
  for (std::int64_t length = most; length >= most / 4; --length)
    if (divisor % length == 0) return length;
  return most;
}
}  // namespace

Chunks::Chunks(const Simulation& s, int level, const VariableAccess& a, const std::vector<BlockHome>& blocks)
    : s_(s),
      access_(a),
      blocks_(blocks),
      offsets_{0} {
  for (const BlockHome& b : blocks) {
    boxes_.push_back(s.grid.levels[level].space.points(b.cells, s.groups[a.group].centre, s.grid.dim));
    offsets_.push_back(offsets_.back() + boxes_.back().points());
  }
  const Level& l = s.grid.levels[level];
  std::map<int, int> own;  // by number
  for (int b = l.first_block; b < l.last_block; ++b) own[s.grid.blocks[b].number] = b;
  for (const BlockHome& b : blocks) here_.push_back(own.contains(b.number) ? own.at(b.number) : -1);
  const ScalarType type = s.type(a.group);
  length_ = best_length(offsets_, chunk_bytes * Output::parts(type) / static_cast<std::int64_t>(size_of(type)));
}

std::vector<Chunks::Part> Chunks::parts(std::int64_t chunk) const {
  const std::int64_t begin = chunk * length_, end = std::min(begin + length_, offsets_.back());
  std::vector<Part> found;
  auto b = std::upper_bound(offsets_.begin(), offsets_.end(), begin) - offsets_.begin() - 1;
  for (; b < std::ssize(blocks_) && offsets_[b] < end; ++b) {
    const std::int64_t first = std::max(begin, offsets_[b]), last = std::min(end, offsets_[b + 1]);
    if (first < last) found.push_back({static_cast<int>(b), first - offsets_[b], last - offsets_[b], first - begin});
  }
  return found;
}

int Chunks::owner(std::int64_t chunk) const {
  const std::int64_t begin = chunk * length_, end = std::min(begin + length_, offsets_.back());
  auto b = std::upper_bound(offsets_.begin(), offsets_.end(), begin) - offsets_.begin() - 1;
  const int first = blocks_[b].owner;
  for (; b < std::ssize(blocks_) && offsets_[b] < end; ++b)
    if (blocks_[b].owner != first && offsets_[b] < offsets_[b + 1]) return -1;
  return first;
}

void Chunks::copy(const Part& part, char* to) const {
  const Box& box = boxes_[part.block];
  const auto size = static_cast<Offset>(size_of(s_.type(access_.group)));
  const int b = here_[part.block];
  const char* base = s_.fields.address(access_.group, access_.component, access_.timelevel, b);
  for (std::int64_t n = part.first, run = 0; n < part.last; n += run) {
    const std::int64_t i = n % box.extent(0), row = n / box.extent(0);
    run = std::min(box.extent(0) - i, part.last - n);
    const int j = static_cast<int>(row % box.extent(1)), k = static_cast<int>(row / box.extent(1));
    const Offset from = s_.fields.layout(b).at(box.lo[0] + static_cast<int>(i), box.lo[1] + j, box.lo[2] + k) * size;
    std::memcpy(to, base + from, static_cast<std::size_t>(run * size));
    to += run * size;
  }
}
}  // namespace IOHDF5
