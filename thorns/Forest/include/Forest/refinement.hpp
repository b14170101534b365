// The service that says where a forest should be finer, and where it may be coarser.
#pragma once
#include <cereus/services.hpp>
namespace Forest {
// What a block asks for.
struct Wish {
  enum Change : std::int8_t { coarser = -1, stay, finer } change = stay;
  // Directions, as bits 13 + i + 3 j + 9 k of −1, 0, 1 along x, y, z, in which a block beside this one is to be as fine
  // as this one will be, because what asks for finer blocks is near.
  std::uint32_t around = 0;
};

struct Refinement : cereus::Service {
  static constexpr const char *service_name = "Refinement", *usual_thorn = "Refine";
  // Of each block of this process, in the order of Grid::blocks. Collective.
  virtual std::vector<Wish> wishes(cereus::Simulation&) = 0;
};
}  // namespace Forest
