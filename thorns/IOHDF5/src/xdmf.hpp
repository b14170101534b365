// NAME_ITERATION.xmf beside a native file, for ParaView and VisIt: each block is a grid of its own in a place of its
// own. VTKHDF has one origin for all levels, and vertices, shown as the cells around them, would lie off by half a
// coarse cell.
#pragma once
#include "formats.hpp"

namespace IOHDF5 {
struct NativeVariable {
  std::string name;  // of the dataset, in /native/levN
  ScalarType type;
};
// `blocks`: of each level. On rank 0.
void write_xdmf(const Simulation&, const std::array<Centre, 3>&, const std::vector<std::vector<BlockHome>>& blocks,
    const std::vector<NativeVariable>&, const std::filesystem::path& native);
}  // namespace IOHDF5
