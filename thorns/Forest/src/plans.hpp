// The plans of levels, which are kept while a forest stays. One may serve exchanges that need less than it fills.
#pragma once
#include "patches.hpp"
namespace Forest {
// What a variable lacks on an entry of Grid::levels, and which of it kernels have filled (axes, bits).
struct Lack {
  unsigned mirrors;  // Place::mirrors
  Centring centre;
  int level, depth;
  bool corners;
  unsigned axes, filled;
  auto operator<=>(const Lack&) const = default;
};
using Lacks = std::vector<Lack>;  // of one variable, one a level

class Plans {
 public:
  Plans(Place place, const Shells* shells, int order, int rank)
      : place_(std::move(place)),
        shells_(shells),
        order_(order),
        rank_(rank) {}
  // The plan that an exchange takes. A few exchanges take one that fills more: where changes of blocks follow each
  // other, to plan costs more than to fill. All processes take the same, because they ask for the same exchanges.
  const Plan& of(Lack, unsigned exchange);
  const Plan* that_fills(const Lack&) const;  // that is known; null if there is none

  // While one lives, exchanges fill only ghost zones that new leaves of the next forest are interpolated from.
  class OnlyFor {
   public:
    OnlyFor(Plans& plans, const Leaves& next) : plans_(plans) { plans_.next_ = &next, ++plans_.changes_; }
    ~OnlyFor() { plans_.next_ = nullptr; }
    OnlyFor(const OnlyFor&) = delete;

   private:
    Plans& plans_;
  };

 private:
  Plan make(const Lack&) const;

  Place place_;
  const Shells* shells_;
  int order_, rank_;
  const Leaves* next_ = nullptr;
  int changes_ = 0;
  std::map<std::pair<int, Lack>, Plan> known_;     // of nothing that kernels have filled; 0, or for which change
  std::map<Lack, std::pair<int, unsigned>> lent_;  // how many exchanges had no plan of their own, and the last one
};
}  // namespace Forest
