// How a thorn says it: builders of schedule groups and routines, and what they share with those of kernels.
#pragma once
#include <memory>

#include "error.hpp"
#include "item.hpp"
namespace cereus {
// Common to all that can be scheduled; each call returns the builder again.
class GroupItem;
template <class Self> class ItemBuilder {
 public:
  explicit ItemBuilder(std::shared_ptr<Item> item) : item_(std::move(item)) {}
  Self& at(Bin b) { return item_->where = b.name, self(); }
  Self& in(ScheduleGroup g) { return item_->where = g.name, self(); }
  Self& in(const GroupItem&);
  Self& before(std::string name) { return item_->before.push_back(std::move(name)), self(); }
  Self& after(std::string name) { return item_->after.push_back(std::move(name)), self(); }
  Self& while_(std::string scalar) { return item_->while_scalar = std::move(scalar), self(); }
  Self& if_(std::string scalar) { return item_->if_scalar = std::move(scalar), self(); }
  const Item& item() const { return *item_; }

 protected:
  Self& self() { return static_cast<Self&>(*this); }
  std::shared_ptr<Item> item_;
};

class GroupItem : public ItemBuilder<GroupItem> {
 public:
  using ItemBuilder::ItemBuilder;
};
template <class Self> Self& ItemBuilder<Self>::in(const GroupItem& g) {
  return item_->where = g.item().full_name(), self();
}

// Common to routines and kernels.
template <class Self> class TaskBuilder : public ItemBuilder<Self> {
 public:
  using ItemBuilder<Self>::ItemBuilder;
  Self& every(Every e) { return this->item_->every = e, this->self(); }
  // Runs only when something due reads what it writes.
  Self& on_demand() { return this->item_->on_demand = true, this->self(); }
  // Is left out of runs where this thorn is not active: what it reads of that thorn is not there then.
  Self& with_thorn(std::string name) { return this->item_->with_thorn = std::move(name), this->self(); }
  // Says which variables, or groups, a group struct stands for: where several groups have this struct, or where a
  // parameter chooses. `handle`: for which of the accesses with this struct that were said, from 0; −1: for all.
  template <template <class> class G> Self& bind(const std::vector<std::string>& names, int handle = -1) {
    return this->item_->bind(group_key<G>(), names, handle), this->self();
  }
};

class RoutineItem : public TaskBuilder<RoutineItem> {
 public:
  using TaskBuilder::TaskBuilder;
  template <template <class> class G>
  RoutineItem& reads(Region r = Region::interior, int reach = 0, int timelevel = 0) {
    return add({group_key<G>(), {}, 0, Mode::read, r, reach, true, timelevel});
  }
  template <template <class> class G> RoutineItem& writes(Region r = Region::interior, int timelevel = 0) {
    return add({group_key<G>(), {}, 0, Mode::write, r, 0, false, timelevel});
  }
  template <template <class> class G> RoutineItem& updates(Region r = Region::interior) {
    return add({group_key<G>(), {}, 0, Mode::update, r, 0, false, 0});
  }
  RoutineItem& reads(std::vector<std::string> names, Region r = Region::interior, int reach = 0, int timelevel = 0) {
    return add({"", std::move(names), 0, Mode::read, r, reach, true, timelevel});
  }
  RoutineItem& writes(std::vector<std::string> names, Region r = Region::interior, int timelevel = 0) {
    return add({"", std::move(names), 0, Mode::write, r, 0, false, timelevel});
  }
  RoutineItem& updates(std::vector<std::string> names, Region r = Region::interior) {
    return add({"", std::move(names), 0, Mode::update, r, 0, false, 0});
  }
  // Of what was said to be read last: neighbours along the axes, none off edges and corners.
  RoutineItem& along_axes() {
    if (item_->accesses.empty() || item_->accesses.back().mode != Mode::read)
      throw Error("along_axes() says how neighbours are read: let it follow reads()");
    return item_->accesses.back().corners = false, *this;
  }
  RoutineItem& once() { return item_->once = true, *this; }          // once a step, not once a level
  RoutineItem& together() { return item_->together = true, *this; }  // once for all levels that share a clock
  RoutineItem& touches_strip(Strip strip) { return item_->strip = strip, *this; }  // of right-hand sides
  // Looks at no more of the interiors that it reads: nothing else is copied from a device for it.
  RoutineItem& only(Parts p) { return item_->parts = std::move(p), *this; }
  // Never looks at a grid function itself: those that its kernels read and write may stay on the device.
  RoutineItem& launches_kernels() { return item_->launches = true, *this; }

 private:
  RoutineItem& add(Access a) { return item_->accesses.push_back(std::move(a)), *this; }
};
}  // namespace cereus
