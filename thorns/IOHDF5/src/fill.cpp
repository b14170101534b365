#include "fill.hpp"

#define XXH_STATIC_LINKING_ONLY  // states on the stack
#include <xxhash.h>

#include "placed_file.hpp"

namespace IOHDF5 {
namespace {
// What rank 0 knows, on all: the length of the file, and the places of all parts in their order.
std::pair<std::uint64_t, std::vector<Place>> shared(
    const Simulation& s, const std::filesystem::path& file, const std::vector<Placed>& variables) {
  std::string bytes;
  if (s.process.rank() == 0) {
    std::error_code none;  // then no process finds the file as long as that
    std::vector<Place> all{{std::filesystem::file_size(file, none), 0}};
    for (const Placed& v : variables) all.insert(all.end(), v.parts.begin(), v.parts.end());
    bytes.assign(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(Place));
  }
  bytes = s.process.broadcast(bytes);
  std::vector<Place> all(bytes.size() / sizeof(Place));
  std::memcpy(all.data(), bytes.data(), bytes.size());
  return {all.front().data, {all.begin() + 1, all.end()}};
}

class Writer {  // of one variable, whose pieces come in order
 public:
  Writer(PlacedFile& file, const Place* places, ScalarType type) : file_(file), places_(places), type_(type) {}
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
  PlacedFile& file_;
  const Place* places_;
  ScalarType type_;
  XXH3_state_t sums_[2];
  std::vector<char> one_part_;
};
}  // namespace

void fill(Simulation& s, const std::filesystem::path& name, const std::vector<Placed>& variables,
    const std::vector<std::vector<BlockHome>>& blocks, RankZero& rank_zero) {
  const std::filesystem::path written = name.string() + ".tmp";
  const auto [length, places] = shared(s, written, variables);
  PlacedFile file(written, name);
  const bool alone = s.process.any(!file.there(length));
  std::string wrong;
  const auto attempt = [&](auto&& f) {
    if (!wrong.empty()) return;
    try {
      f();
    } catch (const Failure& e) { wrong = e.what(); }
  };
  const Place* next = places.data();
  for (const Placed& v : variables) {
    const ScalarType type = s.type(v.access.group);
    Writer writer(file, std::exchange(next, next + parts(type)), type);
    const auto consume = [&](const Piece& piece, const char* bytes) {
      const Box block = s.grid.levels[v.level].space.points(
          blocks[v.level][piece.block].cells, s.groups[v.access.group].centre, s.grid.dim);
      attempt([&] { writer.write(piece, intersect(block, v.region), bytes); });
    };
    if (alone) stream(s, v.level, v.access, v.region, blocks[v.level], consume);
    else stream_own(s, v.level, v.access, v.region, blocks[v.level], consume);
  }
  if (!alone || s.process.rank() == 0) attempt([&] { file.finish(); });
  for (const auto& text : s.services.get<Driver>().gather(wrong))
    rank_zero([&] {
      if (!text.empty()) throw Failure(std::string(text.begin(), text.end()));
    });
  rank_zero.agree();
}
}  // namespace IOHDF5
