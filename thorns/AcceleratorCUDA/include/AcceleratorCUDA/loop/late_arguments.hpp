// What the loop of a late kernel is given, as host and device see it.
#pragma once
#include <cereus/kernel/launch.hpp>

#include "walk.hpp"
namespace cereus::detail {
template <int addresses> struct LateArguments {
  const BlockLaunch* blocks;  // null: the one in `block`
  BlockLaunch block;
  Geometry geometry[Launch::most_geometries];
  Epilogue update;
  Walk walk;
  char* address[addresses];  // of handles; then, for each output, of its destination and sources
};
}  // namespace cereus::detail
