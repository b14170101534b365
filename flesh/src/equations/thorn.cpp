#include "equations/thorn.hpp"

namespace cereus::equations {
std::unique_ptr<Thorn> read_thorn(const Where& start, const std::string& text) {
  auto thorn = std::make_unique<Thorn>(Source(start, text));
  thorn->source.problems().throw_if_any();
  return thorn;
}
}  // namespace cereus::equations
