// What a checkpoint says of itself. The checksum is put right: who writes a file to do harm would do so, too.
#include "manifest.hpp"

#include <cereus/hash.hpp>

#include "fuzz.hpp"

void cereus_fuzz(std::string_view body) {
  const std::string text = cereus::hash_of(body) + "\n" + std::string(body);
  try {
    const Checkpoint::Manifest m = Checkpoint::manifest_from(text);
    if (Checkpoint::text_of(Checkpoint::manifest_from(Checkpoint::text_of(m))) != Checkpoint::text_of(m))
      cereus_fuzz_failed("a manifest that does not come back");
  } catch (const cereus::Failure&) {}
  try {
    Checkpoint::pieces_from(text);
  } catch (const cereus::Failure&) {}
  try {
    Checkpoint::manifest_from(std::string(body));
  } catch (const cereus::Failure&) {}
}
