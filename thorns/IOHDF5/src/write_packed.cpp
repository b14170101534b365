#include "write_packed.hpp"

#include <cereus/caught.hpp>

#include "packed.hpp"

namespace IOHDF5 {
using namespace Output;

namespace {
constexpr std::int64_t at_a_time = 32;  // chunks of a process, which it holds in memory until it hears their places
using Numbers = std::vector<std::int64_t>;
using Bytes = std::vector<std::uint64_t>;  // sizes or places, of each chunk one for each part of the variable

std::string_view seen(const Bytes& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Bytes::value_type)};
}
Bytes numbers(std::string_view bytes) {
  Bytes all(bytes.size() / sizeof(Bytes::value_type));
  std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

Numbers some(const Numbers& all, std::int64_t from) {
  const std::int64_t end = std::ssize(all);
  return {all.begin() + std::min(from, end), all.begin() + std::min(from + at_a_time, end)};
}

class PackedWriter {
 public:
  PackedWriter(Simulation& s, const Chunks& chunks, ScalarType type, int level, const Target& target,
      SharedFile& shared, RankZero& rank_zero)
      : driver_(s.services.get<Driver>()),
        process_(s.process),
        chunks_(chunks),
        parts_(static_cast<std::size_t>(parts(type))),
        size_(size_of(type)),
        level_(level),
        target_(target),
        shared_(shared),
        rank_zero_(rank_zero) {}

  void write() {
    std::vector<Numbers> own(static_cast<std::size_t>(process_.size()));
    Numbers brought;
    for (std::int64_t c = 0; c < chunks_.count(); ++c) {
      const int owner = shared_.alone() ? -1 : chunks_.owner(c);
      (owner < 0 ? brought : own[owner]).push_back(c);
    }
    for (std::int64_t n = 0; n < std::ssize(brought); n += at_a_time)
      if (!write_brought(some(brought, n))) return;
    const auto most = std::ssize(*std::ranges::max_element(own, {}, &Numbers::size));
    for (std::int64_t n = 0; n < most; n += at_a_time) {
      std::vector<Numbers> now;
      for (const Numbers& all : own) now.push_back(some(all, n));
      if (!write_own(now)) return;
    }
  }

 private:
  std::size_t bytes(std::int64_t elements) const { return static_cast<std::size_t>(elements) * size_; }

  // Chunks packed, part by part; raw(n) makes the n-th. Beyond the end of the array a chunk has zeros.
  template <class F> std::vector<std::string> pack(std::size_t count, F&& raw) const {
    std::vector<std::string> all(count * parts_);
    const std::size_t size = size_ / parts_;
    const auto pack_chunk = [&](std::size_t n) {
      const std::string whole = raw(n);
      std::string one(whole.size() / parts_, '\0');
      for (std::size_t p = 0; p < parts_; ++p) {
        for (std::size_t i = 0; i < one.size() / size; ++i)
          std::memcpy(one.data() + i * size, whole.data() + (i * parts_ + p) * size, size);
        all[n * parts_ + p] = packed(one, size, level_);
      }
    };
    Caught caught;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t n = 0; n < count; ++n) caught([&] { pack_chunk(n); });
    caught.rethrow();
    return all;
  }
  static Bytes sizes_of(const std::vector<std::string>& texts) {
    Bytes sizes;
    for (const auto& text : texts) sizes.push_back(text.size());
    return sizes;
  }
  // On rank 0: where they shall lie.
  void add_places(const Numbers& now, const Bytes& sizes, Bytes& places) const {
    for (std::size_t n = 0; n < sizes.size(); ++n)
      places.push_back(target_.file->place_of_chunk(target_.data[n % parts_],
          static_cast<hsize_t>(now[n / parts_] * chunks_.length()), static_cast<std::size_t>(sizes[n])));
  }

  // On all alike: whether they go on. After a failure, which SharedFile or RankZero says at the end, they do not.
  bool go_on(bool well) const { return !process_.any(!well || shared_.failed()); }

  // Chunks that rank 0 puts together.
  bool write_brought(const Numbers& now) {
    std::vector<char> mine;
    for (const std::int64_t c : now)
      for (const auto& part : chunks_.parts(c))
        if (chunks_.owner(part) == process_.rank()) {
          mine.resize(mine.size() + bytes(part.last - part.first));
          chunks_.copy(part, mine.data() + mine.size() - bytes(part.last - part.first));
        }
    const auto gathered = driver_.gather(mine);
    bool well = process_.rank() != 0;
    rank_zero_([&] {
      std::vector<std::size_t> taken(gathered.size());
      std::vector<std::string> raw(now.size(), std::string(bytes(chunks_.length()), '\0'));
      for (std::size_t n = 0; n < now.size(); ++n)
        for (const auto& part : chunks_.parts(now[n])) {
          auto& from = taken[chunks_.owner(part)];
          const std::size_t length = bytes(part.last - part.first);
          std::memcpy(raw[n].data() + bytes(part.at), gathered[chunks_.owner(part)].data() + from, length);
          from += length;
        }
      const auto texts = pack(now.size(), [&](std::size_t n) { return std::move(raw[n]); });
      Bytes places;
      add_places(now, sizes_of(texts), places);
      for (std::size_t n = 0; n < texts.size(); ++n) shared_.write(places[n], texts[n]);
      well = true;
    });
    return go_on(well);
  }

  // Of each process the chunks that it packs and writes itself.
  bool write_own(const std::vector<Numbers>& now) {
    const auto rank = static_cast<std::size_t>(process_.rank());
    const auto texts = pack(now[rank].size(), [&](std::size_t n) {
      std::string raw(bytes(chunks_.length()), '\0');
      for (const auto& part : chunks_.parts(now[rank][n])) chunks_.copy(part, raw.data() + bytes(part.at));
      return raw;
    });
    const auto gathered = driver_.gather(seen(sizes_of(texts)));
    Bytes places;
    rank_zero_([&] {
      for (std::size_t r = 0; r < now.size(); ++r)
        add_places(now[r], numbers({gathered[r].data(), gathered[r].size()}), places);
    });
    places = numbers(process_.broadcast(std::string(seen(places))));
    std::size_t before = 0, all = 0;
    for (std::size_t r = 0; r < now.size(); ++r) {
      if (r < rank) before += now[r].size() * parts_;
      all += now[r].size() * parts_;
    }
    const bool well = places.size() == all;  // else rank 0 has failed
    for (std::size_t n = 0; well && n < texts.size(); ++n) shared_.write(places[before + n], texts[n]);
    return go_on(well);
  }

  Driver& driver_;
  const Process& process_;
  const Chunks& chunks_;
  std::size_t parts_, size_;  // of the variable; bytes of an element with all its parts
  int level_;
  const Target& target_;
  SharedFile& shared_;
  RankZero& rank_zero_;
};
}  // namespace

void write_packed(Simulation& s, const Chunks& chunks, ScalarType type, int level, const Target& target,
    SharedFile& shared, RankZero& rank_zero) {
  PackedWriter(s, chunks, type, level, target, shared, rank_zero).write();
}
}  // namespace IOHDF5
