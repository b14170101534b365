// Reads one section of a shared library from the file, without loading it. The kernel maps a library that was cut
// short without complaint and kills the process at the first touch (SIGBUS), so every extent is checked here first.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace cereus {

/// The bytes of a regular, non-empty file.
std::vector<std::byte> read_file(const std::filesystem::path& file);

/// The content of `section` in the ELF image `image` (64 bit, little-endian, x86-64, shared). Throws Error unless all
/// headers, all segments and this section lie within the image. `file` is for the message.
std::span<const std::byte> find_section(
    std::span<const std::byte> image, std::string_view section, const std::filesystem::path& file);

}  // namespace cereus
