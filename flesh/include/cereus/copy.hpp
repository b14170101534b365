// Boxes of a variable that are copied as they are: within a space, into a message, or between host and device.
#pragma once
#include <cstdint>
#include <span>

#include "kernel/launch.hpp"
namespace cereus {
// A box of one variable, copied from one place to another; x is contiguous on both sides.
struct CopyPiece {
  const char* from;
  char* to;
  Offset from_stride[2], to_stride[2];  // rows and planes, in elements
  int extent[3];
  int element;  // bytes
  std::int64_t bytes() const { return std::int64_t{extent[0]} * extent[1] * extent[2] * element; }
};
void copy_on_host(std::span<const CopyPiece>);
}  // namespace cereus
