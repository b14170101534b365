#include "plans.hpp"

#include <utility>

namespace Forest {
Plan Plans::make(const Lack& lack) const {
  Place place = place_;
  place.mirrors = lack.mirrors;
  Plan plan = make_plan(place, shells_, level_at(shells_, lack.level), lack.centre, lack.depth, lack.corners, lack.axes,
      order_, rank_, next_);
  share_sources(place, lack.centre, rank_, plan);
  return plan;
}

const Plan& Plans::of(Lack lack, unsigned exchange) {
  lack.filled = 0;
  const std::pair key(next_ ? changes_ : 0, lack);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  constexpr int few = 32;
  if (!next_) {
    auto& [exchanges, last] = lent_[lack];
    if (std::exchange(last, exchange) != exchange) ++exchanges;
    if (const Plan* more = that_fills(lack); more && exchanges <= few) return *more;
  }
  return known_.emplace(key, make(lack)).first->second;
}

const Plan* Plans::that_fills(const Lack& lack) const {
  for (const auto& [key, plan] : known_)
    if (const Lack& l = key.second; key.first == 0 && l.mirrors == lack.mirrors && l.centre == lack.centre &&
                                    l.level == lack.level && l.depth >= lack.depth && l.corners >= lack.corners &&
                                    (lack.axes & ~l.axes) == 0)
      return &plan;
  return nullptr;
}
}  // namespace Forest
