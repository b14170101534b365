// What a thorn schedules, written down: items, and the launch tables of their kernels.
#include <algorithm>
#include <cstring>
#include <new>

#include "cereus/schedule.hpp"

namespace cereus {
KernelTable detail::table_of(const KernelFacts& facts, std::span<const HandleFacts> handles, const std::type_info& type,
    const void* kernel, std::size_t alignment) {
  KernelTable t;
  static_cast<KernelFacts&>(t) = facts;
  for (const HandleFacts& h : handles)
    t.accesses.push_back(
        {h.group->name(), {}, h.components, h.mode, h.region, h.reach, h.corners, h.timelevel, h.type});
  t.type_name = type.name();
  const auto align = static_cast<std::align_val_t>(alignment);
  t.kernel = std::shared_ptr<void>(
      ::operator new(facts.kernel_size, align), [align](void* p) { ::operator delete(p, align); });
  std::memcpy(t.kernel.get(), kernel, facts.kernel_size);
  return t;
}

void Item::add_variant(KernelTable t) {
  if (variants.empty()) accesses = t.accesses;
  variants.push_back(std::move(t));
}

void Item::add_clearing(std::size_t access, KernelTable t) {
  clearing.resize(std::max(clearing.size(), access + 1));
  clearing[access].push_back(std::move(t));
}

void Item::bind(const std::string& key, const std::vector<std::string>& names, int handle) {
  const auto to = [&](std::vector<Access>& list) {
    int n = 0;
    for (auto& a : list)
      if (a.key == key && (handle < 0 || n++ == handle))
        a.variables = names.empty() ? std::vector<std::string>{""} : names;  // which no variable is called
  };
  to(accesses);
  for (auto& t : variants) to(t.accesses);
}

void Item::fill(std::function<void(int, void*, const Parameters&, std::span<const double>)> f) {
  set = [before = std::move(set), f = std::move(f)](
            std::vector<KernelTable>& tables, const Parameters& par, std::span<const double> scalars) {
    if (before) before(tables, par, scalars);
    int n = 0;
    for (KernelTable& t : tables) f(n++, t.kernel.get(), par, scalars);
  };
}

const Parameters& Schedule::parameters(const std::string& thorn) const {
  if (all_ && all_->count(thorn)) return all_->at(thorn);
  const bool other_driver = thorn == "UniGrid" && all_ && all_->count("Forest");
  throw Error(
      thorn_ + " needs the thorn " + thorn + "; add it to thorns:" + (other_driver ? ", in the place of Forest" : ""));
}
std::shared_ptr<Item> Schedule::add(std::string name, std::string doc) {
  items_.push_back(std::make_shared<Item>());
  items_.back()->thorn = thorn_, items_.back()->name = std::move(name), items_.back()->doc = std::move(doc);
  return items_.back();
}
RoutineItem Schedule::routine(std::string name, std::string doc, std::function<void(Context&)> f) {
  auto item = add(std::move(name), std::move(doc));
  item->run = std::move(f);
  return RoutineItem(item);
}
GroupItem Schedule::group(std::string name, std::string doc) {
  auto item = add(std::move(name), std::move(doc));
  item->is_group = true;
  return GroupItem(item);
}
}  // namespace cereus
