// What HDF5's filters shuffle, deflate and Fletcher32 make of a chunk. HDF5 itself would do it one chunk at a time.
#pragma once
#include <string>
#include <string_view>

namespace IOHDF5 {
// Any reader of HDF5 unpacks it. `size`: bytes of an element; `level`: 1 to 9, of zlib. From any thread.
std::string packed(std::string_view elements, std::size_t size, int level);
}  // namespace IOHDF5
