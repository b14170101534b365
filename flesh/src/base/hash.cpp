#include "cereus/hash.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL  // a header; nothing to link
#include <xxhash.h>
namespace cereus {
std::string hash_of(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}
}  // namespace cereus
