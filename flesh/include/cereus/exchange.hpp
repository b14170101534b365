// Updates points while ghost zones of what they read are under way.
#pragma once
#include <functional>

#include "simulation.hpp"
namespace cereus {
using BlockBoxes = std::vector<std::pair<int, Box>>;  // block of a level, box of global indices

struct PointUpdate {
  int level = 0, routine = -1;
  Space space = Space::host;
  std::span<const VariableAccess> reads;
  BlockBoxes boxes;  // what is to be updated
  // What of a box reads nothing across some of its block's faces (bits 2·axis + side): those at which ghost zones are
  // yet to arrive, and outer ones at which a condition is yet to be applied. Empty: nothing; without this function all
  // waits. With `successor` it also leaves out what neighbours want: all points within the depth of those ghost zones
  // of a face.
  std::function<Box(const Box&, unsigned arriving, unsigned outer)> inner{};
  std::function<void(const BlockBoxes&, bool last)> run{};
  // Where ghost zones have left ahead of time, what reads them starts before the rest: so where a rest that is under
  // way leaves no room.
  bool faces_first = false;
  // The buffer that the next such update reads in place of these ghost zones' one; −1: none. Without this function
  // nothing is sent ahead.
  std::function<int(const Driver::Stale&)> successor{};
};
/// Makes valid what is read, and updates: all at once; or first what needs no ghost zones that are under way, and the
/// rest when they are there, on a device beside the first. What was waited for will be waited for again: neighbours
/// want points of that rest, which are there before all others are, and can leave at once. Returns what did: to be
/// noted as sent, once it is noted as written.
std::vector<Driver::Stale> update_beside_exchange(Simulation&, const PointUpdate&);
}  // namespace cereus
