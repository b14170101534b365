// Bytes to a place in a file, and what a file has to the disk, whatever interrupts the calls.
#pragma once
#include <cstdint>
#include <string_view>

namespace IOHDF5 {
// Both: whether it worked; if not, errno says why.
bool write_all(int file, std::string_view bytes, std::uint64_t at);
bool sync(int file);  // true also where a file system has no such call
}  // namespace IOHDF5
