// What an output changes in the older part of a file, as a whole: first the changes lie in a file of their own,
// NAME.changes, then they are made, then that file goes. Whoever dies in between leaves a file that is as it was, or
// one that the next to add to it mends.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace IOHDF5 {
struct Change {
  std::uint64_t at;
  std::vector<char> bytes;
};
std::filesystem::path changes_of(const std::filesystem::path& file);
// Both: what went wrong; empty: nothing did. Afterwards the file is `length` bytes long.
std::string change(
    int file, const std::filesystem::path& name, const std::vector<Change>& changes, std::uint64_t length);
// Makes changes that somebody left; without any nothing. If they are not whole, the file stays as it is.
std::string mend(const std::filesystem::path& name);
}  // namespace IOHDF5
