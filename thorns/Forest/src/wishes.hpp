// Brings what all processes ask of their blocks together: each process then makes the same changes to the forest.
#pragma once
#include <Analysis/communicator.hpp>

#include "Forest/refinement.hpp"
#include "transfer.hpp"
namespace Forest {
// The level that the run asks for at a leaf. `own`: entries of Grid::blocks, to which `wishes` belong. Collective.
std::function<int(const Leaf&)> together(
    const Leaves&, const Blocks& own, std::span<const Wish> wishes, const cereus::Process&, Analysis::Communicator&);
}  // namespace Forest
