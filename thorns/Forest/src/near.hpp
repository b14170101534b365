// Which blocks a process's plan of a level is about.
#pragma once
#include <map>

#include "leaves.hpp"
namespace Forest {
// Blocks of a level that belong to the process, or lie beside a block that does, or in one that lies so, by number. The
// work goes with the number of the process's own blocks.
std::map<int, const Leaf*> targets_near(const Leaves&, int level, int rank);
}  // namespace Forest
