// A file that says it is a thorn's library: it is read, not loaded.
#include "plugin/elf.hpp"

#include <cereus/abi.hpp>
#include <cereus/error.hpp>
#include <span>

#include "fuzz.hpp"

void cereus_fuzz(std::string_view bytes) {
  const auto all = std::as_bytes(std::span(bytes));
  try {
    const auto section = cereus::find_section(all, cereus::abi_section, "thorn.so");
    if (!section.empty() && (section.data() < all.data() || section.data() + section.size() > all.data() + all.size()))
      cereus_fuzz_failed("a section outside the file");
  } catch (const cereus::Error&) {}
}
