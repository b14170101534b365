// The plan of ghost zones of a ball: within a shell copies, across the ends of patches interpolations from the patch
// that has the place, point by point.
#pragma once
#include "plan.hpp"
#include "shells.hpp"
namespace Forest {
// As make_plan, of a level of the forest or of a shell, if there are some. Throws cereus::Failure if a place has no
// donors.
Plan make_plan(const Place&, const Shells*, int level, const Centring&, int depth, bool corners, unsigned axes,
    int order, int rank, const Leaves* next = nullptr);
}  // namespace Forest
