// Faces across an axis where a leaf touches finer ones: which fluxes of the finer leaves belong to them.
#pragma once
#include "plan.hpp"
namespace Forest {
// Of a leaf of this process: the cells whose lower faces these are, in the leaf (side 0) or its ghost zones (side 1).
struct CoarseFace {
  int level = 0, target = 0, side = 0;
  Box at;
};
struct FacePlan {
  int axis = 0;
  std::vector<CoarseFace> faces;
  std::vector<Move> moves;  // from finer leaves; Move::prolongation says into which of `faces`
};
// Of the coarse leaves of some levels. All moves from or to leaves of a process, in an order in which both sides agree.
FacePlan faces_across(const Place&, cereus::Selection levels, int axis, int rank);
}  // namespace Forest
