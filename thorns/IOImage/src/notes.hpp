// Texts inside a PNG file, as its iTXt chunks (PNG specification, 11.3.4.5): each has a keyword.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace IOImage {
using Notes = std::map<std::string, std::string>;

// The bytes of a PNG file with notes added.
std::string with_notes(std::string png, const Notes& notes);
// Those of a file; none if that is no PNG file.
Notes notes_in(const std::filesystem::path& png);
}  // namespace IOImage
