// Copies boxes of variables within the host's memory: ghost zones, and what goes through staging.
#include "cereus/copy.hpp"

#include <cstring>

namespace cereus {
void copy_on_host(std::span<const CopyPiece> pieces) {
  for (const auto& p : pieces) {
    const std::size_t row = static_cast<std::size_t>(p.extent[0]) * static_cast<std::size_t>(p.element);
#pragma omp parallel for collapse(2) schedule(static) if (p.bytes() > 131072)
    for (int k = 0; k < p.extent[2]; ++k)
      for (int j = 0; j < p.extent[1]; ++j)
        std::memcpy(p.to + (j * p.to_stride[0] + k * p.to_stride[1]) * p.element,
            p.from + (j * p.from_stride[0] + k * p.from_stride[1]) * p.element, row);
  }
}
}  // namespace cereus
