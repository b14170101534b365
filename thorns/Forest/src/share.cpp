// Prolongations of neighbouring leaves read coarse points around both: these are gathered once, where all are those of
// the process. What a prolongation reads stays the same.
#include <algorithm>

#include "parallel.hpp"
#include "plan.hpp"

namespace Forest {
namespace {
struct Shared {  // coarse points, and the prolongations of one level that read them
  int level;
  Box box;
  std::vector<int> readers;
};
Box around_both(const Box& a, const Box& b) {
  Box box;
  for (int d = 0; d < 3; ++d) box.lo[d] = std::min(a.lo[d], b.lo[d]), box.hi[d] = std::max(a.hi[d], b.hi[d]);
  return box;
}
// Joins those of a list with ones before them, if no points are added; false if there are no such. Neighbours follow
// each other in the list, so each looks at some before it.
bool join(std::vector<Shared>& list) {
  constexpr std::ptrdiff_t some = 64;
  std::vector<Shared> kept;
  kept.reserve(list.size());
  for (Shared& other : list) {
    const auto into = std::find_if(kept.end() - std::min(some, std::ssize(kept)), kept.end(), [&](const Shared& s) {
      return s.level == other.level && around_both(s.box, other.box).points() <= s.box.points() + other.box.points();
    });
    if (into == kept.end()) {
      kept.push_back(std::move(other));
      continue;
    }
    into->box = around_both(into->box, other.box);
    into->readers.insert(into->readers.end(), other.readers.begin(), other.readers.end());
  }
  const bool joined = kept.size() < list.size();
  list = std::move(kept);
  return joined;
}
}  // namespace

void share_sources(const Place& p, const Centring& c, int rank, Plan& plan) {
  std::vector<bool> mine(plan.prolongations.size(), true);
  for (const Move& m : plan.moves)
    if (m.prolongation >= 0 && m.from != rank) mine[static_cast<std::size_t>(m.prolongation)] = false;
  std::vector<Shared> list;
  for (std::size_t n = 0; n < mine.size(); ++n)
    if (mine[n] && !plan.prolongations[n].crossing)
      list.push_back({plan.prolongations[n].level, plan.prolongations[n].from, {static_cast<int>(n)}});
  while (join(list)) {}
  std::erase_if(list, [](const Shared& s) { return s.readers.size() == 1; });
  std::vector<std::vector<Move>> sources(list.size());
  in_parallel(list.size(), [&](std::size_t n) {
    std::ranges::sort(list[n].readers);
    const int first = list[n].readers.front();
    const int target = plan.prolongations[static_cast<std::size_t>(first)].target;
    const Leaf& leaf = p.leaves.of_level(list[n].level)[static_cast<std::size_t>(target)];
    sources[n] = sources_of(p, c, rank, first, leaf, list[n].box);
  });
  std::vector<bool> done(mine.size(), false);
  std::vector<Move> moves;
  for (std::size_t l = 0; l < list.size(); ++l) {
    const Shared& s = list[l];
    const std::vector<Move>& all = sources[l];
    if (all.empty()) continue;
    const int first = s.readers.front();
    Prolongation& host = plan.prolongations[static_cast<std::size_t>(first)];
    moves.insert(moves.end(), all.begin(), all.end());
    host.gathered = s.box;
    for (const int n : s.readers) {
      done[static_cast<std::size_t>(n)] = true;
      if (n != first) plan.prolongations[static_cast<std::size_t>(n)].shares = first;
    }
  }
  std::erase_if(plan.moves, [&](const Move& m) {
    return m.prolongation >= 0 && m.to_rank == rank && done[static_cast<std::size_t>(m.prolongation)];
  });
  plan.moves.insert(plan.moves.end(), moves.begin(), moves.end());
}
}  // namespace Forest
