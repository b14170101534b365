// Atomic replacement of small text files.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
namespace cereus {
/// All of a regular file; nothing if there is none, if it cannot be read, or if it has more bytes than that. Never
/// waits, as a pipe would make one.
std::optional<std::string> content_of(const std::filesystem::path&, std::size_t most = std::size_t{1} << 24);
/// Writes a file beside, as NAME.tmp, and renames it, so that nobody reads half of it. What went wrong, and then leaves
/// nothing; empty: nothing did.
std::string replace_file(const std::filesystem::path&, const std::string& bytes);
}  // namespace cereus
