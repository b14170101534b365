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
  const Parameters& parameters(const std::string& thorn) const;
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
  requires(!detail::is_types<Dimensions>) ChoiceItem<K, detail::Reals, Dimensions> kernel(
      std::string name, std::string doc) {
    return {add(std::move(name), std::move(doc))};
  }
  template <template <int, int, class> class K, class Types, class Dimensions = detail::Dimensions>
  requires detail::is_types<Types> ChoiceItem<K, Types, Dimensions> kernel(std::string name, std::string doc) {
    return {add(std::move(name), std::move(doc))};
  }
  RoutineItem routine(std::string name, std::string doc, std::function<void(Context&)> f);
  GroupItem group(std::string name, std::string doc);

 private:
  std::shared_ptr<Item> add(std::string name, std::string doc);
  std::string thorn_;
  std::vector<std::shared_ptr<Item>>& items_;
  const AllParameters* all_;
};
}  // namespace cereus
