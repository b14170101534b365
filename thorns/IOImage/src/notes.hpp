// Texts inside a PNG file, as its iTXt chunks (PNG specification, 11.3.4.5): each has a keyword.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace IOImage {
using Notes = std::map<std::string, std::string>;

// The bytes of a PNG file with notes added.
std::string with_notes(std::string png, const Notes& notes);
// A note of a file; nothing if that is not a PNG file with such a note.
std::optional<std::string> note_in(const std::filesystem::path& png, const std::string& keyword);
}  // namespace IOImage
