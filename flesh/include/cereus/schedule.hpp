// What a thorn schedules: kernels, routines and schedule groups.
#pragma once
#include "kernel_item.hpp"
namespace cereus {
class Schedule {
 public:
  using AllParameters = std::map<std::string, Parameters>;
  Schedule(std::string thorn, std::vector<std::shared_ptr<Item>>& items, const AllParameters* all = nullptr)
      : thorn_(std::move(thorn)),
        items_(items),
        all_(all) {}
  // Of another thorn, as they are at the start; throws Error if it is not active.
  const Parameters& parameters(const std::string& thorn) const {
    if (all_ && all_->count(thorn)) return all_->at(thorn);
    throw Error(thorn_ + " needs the thorn " + thorn + "; add it to thorns:");
  }
  template <template <int, class> class K, class Types = detail::Reals, class Dimensions = detail::Dimensions>
  KernelItem<K, Types, Dimensions> kernel(std::string name, std::string doc) {
    return {add(std::move(name), std::move(doc))};
  }
  template <class K, class... Rest> auto kernel(const std::string&, const std::string&) {
    return detail::no_kernel<Rest...>();
  }
  template <template <class...> class K, class... Rest> auto kernel(const std::string&, const std::string&) {
    return detail::no_kernel<Rest...>();
  }
  template <template <class, int> class K, class... Rest> auto kernel(const std::string&, const std::string&) {
    return detail::no_kernel<Rest...>();
  }
  template <template <auto...> class K, class... Rest> auto kernel(const std::string&, const std::string&) {
    return detail::no_kernel<Rest...>();
  }
  TableItem kernel(std::string name, std::string doc, std::vector<KernelTable> variants) {
    return {add(std::move(name), std::move(doc)), std::move(variants)};
  }
  template <template <int, int, class> class K, class Dimensions = detail::Dimensions>
  ChoiceItem<K, Dimensions> kernel(std::string name, std::string doc) {
    return {add(std::move(name), std::move(doc))};
  }
  RoutineItem routine(std::string name, std::string doc, std::function<void(Context&)> f) {
    auto item = add(std::move(name), std::move(doc));
    item->run = std::move(f);
    return RoutineItem(item);
  }
  GroupItem group(std::string name, std::string doc) {
    auto item = add(std::move(name), std::move(doc));
    item->is_group = true;
    return GroupItem(item);
  }

 private:
  std::shared_ptr<Item> add(std::string name, std::string doc) {
    items_.push_back(std::make_shared<Item>());
    items_.back()->thorn = thorn_, items_.back()->name = std::move(name), items_.back()->doc = std::move(doc);
    return items_.back();
  }
  std::string thorn_;
  std::vector<std::shared_ptr<Item>>& items_;
  const AllParameters* all_;
};
}  // namespace cereus
