#include "fill.hpp"

#define XXH_STATIC_LINKING_ONLY  // states on the stack
#include <xxhash.h>

namespace IOHDF5 {
namespace {
// The places of all parts in their order, which rank 0 knows, on all.
std::vector<Place> shared(const Simulation& s, const std::vector<Placed>& variables) {
  std::vector<Place> all;
  for (const Placed& v : variables) all.insert(all.end(), v.parts.begin(), v.parts.end());
  const std::string bytes =
      s.process.broadcast({reinterpret_cast<const char*>(all.data()), all.size() * sizeof(Place)});
  all.resize(bytes.size() / sizeof(Place));
  std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

class PieceWriter {  // of one variable, whose pieces come in order
 public:
  PieceWriter(SharedFile& file, const Place* places, ScalarType type) : file_(file), places_(places), type_(type) {}
  // A piece of a block: the first of a block begins its checksum, and the last one writes it.
  void write(const Piece& piece, const Box& block, const char* bytes) {
    const auto count = static_cast<std::size_t>(piece.box.points()), size = size_of(type_) / parts(type_);
    for (int p = 0; p < parts(type_); ++p) {
      std::string_view part{bytes, count * size};
      if (parts(type_) > 1) {
        one_part_.resize(count * size);
        for (std::size_t n = 0; n < count; ++n)
          std::memcpy(one_part_.data() + n * size, bytes + (n * parts(type_) + p) * size, size);
        part = {one_part_.data(), one_part_.size()};
      }
      file_.write(places_[p].data + static_cast<std::uint64_t>(piece.offset) * size, part);
      if (piece.box.lo == block.lo) XXH3_64bits_reset(&sums_[p]);
      XXH3_64bits_update(&sums_[p], part.data(), part.size());
      if (piece.box.hi != block.hi) continue;
      const std::uint64_t sum = XXH3_64bits_digest(&sums_[p]);
      file_.write(places_[p].checksums + static_cast<std::uint64_t>(piece.block) * sizeof sum,
          {reinterpret_cast<const char*>(&sum), sizeof sum});
    }
  }

 private:
  SharedFile& file_;
  const Place* places_;
  ScalarType type_;
  XXH3_state_t sums_[2];
  std::vector<char> one_part_;
};
}  // namespace

void fill(Simulation& s, SharedFile& file, const std::vector<Placed>& variables,
    const std::vector<std::vector<BlockHome>>& blocks) {
  const auto places = shared(s, variables);
  const Place* next = places.data();
  for (const Placed& v : variables) {
    const ScalarType type = s.type(v.access.group);
    PieceWriter writer(file, std::exchange(next, next + parts(type)), type);
    const auto consume = [&](const Piece& piece, const char* bytes) {
      const Box block = s.grid.levels[v.level].space.points(
          blocks[v.level][piece.block].cells, s.groups[v.access.group].centre, s.grid.dim);
      writer.write(piece, intersect(block, v.region), bytes);
    };
    if (file.alone()) stream(s, v.level, v.access, v.region, blocks[v.level], consume);
    else stream_own(s, v.level, v.access, v.region, blocks[v.level], consume);
  }
}
}  // namespace IOHDF5
