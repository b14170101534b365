// Brings a part of a grid function to rank 0 in pieces of bounded size, in an order that all ranks know beforehand, so
// that what is written does not depend on who owned it, and output needs little memory of its own.
#pragma once

#include <algorithm>
#include <cereus/simulation.hpp>
#include <cstring>
#include <string>
#include <vector>

namespace Output {
using namespace cereus;

// Runs what rank 0 does alone. A failure there is kept until all ranks meet in agree(), which throws it on each of
// them: otherwise the others would wait for ever.
class RankZero {
 public:
  explicit RankZero(const Process& p) : process_(p) {}
  template <class F> void operator()(F&& f) {
    if (process_.rank() != 0 || !error_.empty()) return;
    try {
      f();
    } catch (const std::exception& e) { error_ = *e.what() ? e.what() : "output failed"; }
  }
  void agree() {
    error_ = process_.broadcast(error_);
    if (!error_.empty()) throw Failure(error_);
  }

 private:
  const Process& process_;
  std::string error_;
};

// The blocks of a level that finer ones do not cover, over all processes, by number.
inline std::vector<BlockHome> all_blocks(const Simulation& s, int level) {
  auto blocks = s.services.get<Driver>().all_blocks(s.grid, level);
  std::erase_if(blocks, [](const BlockHome& b) { return b.covered; });
  return blocks;
}

struct Piece {  // of a block: whole planes, or whole rows of one plane, so that it is contiguous in the block's own
                // order
  int block;    // position in the list of all blocks
  Box box;
  std::int64_t offset;  // points of the list's blocks (cut to the region) that come before
};

inline constexpr std::int64_t piece_bytes = std::int64_t{1} << 20;

inline std::vector<Piece> pieces_of(
    const Simulation& s, int level, const VariableAccess& a, const Box& region, const std::vector<BlockHome>& blocks) {
  const Patch& space = s.grid.levels[level].space;
  const auto size = static_cast<std::int64_t>(size_of(s.type(a.group)));
  std::vector<Piece> pieces;
  std::int64_t offset = 0;
  for (int b = 0; b < static_cast<int>(blocks.size()); ++b) {
    const Box box = intersect(space.points(blocks[b].cells, s.groups[a.group].centre, s.grid.dim), region);
    if (box.empty()) continue;
    const std::int64_t row = box.extent(0) * size, plane = row * box.extent(1);
    const int planes = static_cast<int>(std::max<std::int64_t>(1, piece_bytes / plane));
    const int rows =
        plane <= piece_bytes ? box.extent(1) : static_cast<int>(std::max<std::int64_t>(1, piece_bytes / row));
    for (int k = box.lo[2]; k < box.hi[2]; k += planes)
      for (int j = box.lo[1]; j < box.hi[1]; j += rows) {
        Box part = box;
        part.lo[2] = k, part.hi[2] = std::min(k + planes, box.hi[2]);
        part.lo[1] = j, part.hi[1] = std::min(j + rows, box.hi[1]);
        pieces.push_back({b, part, offset});
        offset += part.points();
      }
  }
  return pieces;
}

// Copies the points of a box of one of my blocks, x fastest.
inline void pack(
    const Simulation& s, int level, const VariableAccess& a, int number, const Box& box, std::vector<char>& to) {
  const Level& l = s.grid.levels[level];
  const auto size = static_cast<Offset>(size_of(s.type(a.group)));
  for (int b = l.first_block; b < l.last_block; ++b) {
    if (s.grid.blocks[b].number != number) continue;
    const char* base = s.fields.address(a.group, a.component, a.timelevel, b);
    const Layout& layout = s.fields.layout(b);
    for (int k = box.lo[2]; k < box.hi[2]; ++k)
      for (int j = box.lo[1]; j < box.hi[1]; ++j) {
        const char* row = base + layout.at(box.lo[0], j, k) * size;
        to.insert(to.end(), row, row + box.extent(0) * size);
      }
  }
}

// On rank 0, for each piece of the region in order: consume(piece, bytes). Collective.
template <class F>
void stream(Simulation& s, int level, const VariableAccess& a, const Box& region, const std::vector<BlockHome>& blocks,
    F&& consume) {
  const auto pieces = pieces_of(s, level, a, region, blocks);
  const std::size_t size = size_of(s.type(a.group));
  auto& driver = s.services.get<Driver>();
  std::vector<char> mine;
  for (std::size_t first = 0, last; first < pieces.size(); first = last) {
    std::int64_t bytes = 0;  // a round: as many pieces as fit
    for (last = first; last < pieces.size() && (last == first || bytes < piece_bytes); ++last)
      bytes += pieces[last].box.points() * static_cast<std::int64_t>(size);
    mine.clear();
    for (auto p = first; p < last; ++p)
      if (blocks[pieces[p].block].owner == s.process.rank())
        pack(s, level, a, blocks[pieces[p].block].number, pieces[p].box, mine);
    const auto gathered = driver.gather(mine);
    if (s.process.rank() != 0) continue;
    std::vector<std::size_t> taken(gathered.size(), 0);
    for (auto p = first; p < last; ++p) {
      const int owner = blocks[pieces[p].block].owner;
      consume(pieces[p], gathered[owner].data() + taken[owner]);
      taken[owner] += static_cast<std::size_t>(pieces[p].box.points()) * size;
    }
  }
}

// On each process, for each piece of its own blocks in order: consume(piece, bytes).
template <class F>
void stream_own(Simulation& s, int level, const VariableAccess& a, const Box& region,
    const std::vector<BlockHome>& blocks, F&& consume) {
  std::vector<char> bytes;
  for (const Piece& piece : pieces_of(s, level, a, region, blocks)) {
    if (blocks[piece.block].owner != s.process.rank()) continue;
    bytes.clear();
    pack(s, level, a, blocks[piece.block].number, piece.box, bytes);
    consume(piece, bytes.data());
  }
}

// A whole region on rank 0 (elsewhere empty), x fastest, in the variable's own type: for slices, lines and points.
// Collective.
inline std::vector<char> gather_bytes(
    Simulation& s, int level, const VariableAccess& a, const Box& region, const std::vector<BlockHome>& blocks) {
  const std::size_t size = size_of(s.type(a.group));
  std::vector<char> all(s.process.rank() == 0 ? static_cast<std::size_t>(region.points()) * size : 0);
  stream(s, level, a, region, blocks, [&](const Piece& piece, const char* data) {
    const std::size_t row = static_cast<std::size_t>(piece.box.extent(0)) * size;
    for (int k = piece.box.lo[2]; k < piece.box.hi[2]; ++k)
      for (int j = piece.box.lo[1]; j < piece.box.hi[1]; ++j, data += row) {
        const std::int64_t line = std::int64_t{k - region.lo[2]} * region.extent(1) + (j - region.lo[1]);
        const std::int64_t to = line * region.extent(0) + (piece.box.lo[0] - region.lo[0]);
        std::memcpy(all.data() + static_cast<std::size_t>(to) * size, data, row);
      }
  });
  return all;
}

// One part (of a complex variable the real or imaginary one) of each element, as doubles.
inline std::vector<double> part_of(const std::vector<char>& bytes, ScalarType type, int part) {
  const auto take = [&]<class T>(T, int stride) {
    std::vector<double> values(bytes.size() / (sizeof(T) * stride));
    for (std::size_t i = 0; i < values.size(); ++i) {
      T x;
      std::memcpy(&x, bytes.data() + (i * stride + part) * sizeof(T), sizeof(T));
      values[i] = static_cast<double>(x);
    }
    return values;
  };
  switch (type) {
    case ScalarType::float32: return take(float{}, 1);
    case ScalarType::complex64: return take(float{}, 2);
    case ScalarType::complex128: return take(double{}, 2);
    case ScalarType::int32: return take(std::int32_t{}, 1);
    default: return take(double{}, 1);
  }
}
}  // namespace Output
