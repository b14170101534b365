// What a thorn schedules: kernels, routines and schedule groups, where each runs and what it touches.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "box.hpp"
#include "kernel/clear.hpp"
#include "kernel_table.hpp"
#include "parameter.hpp"
namespace cereus {
class Context;
struct Simulation;
// The boxes of a group's grid functions on a level, in global indices, at which a routine looks.
using Parts = std::function<std::vector<Box>(const Simulation&, int level, int group)>;

struct Bin {
  const char* name;
  bool before_first_step = true;
};
namespace bin {  // docs/concepts/schedule.md says when each runs
inline constexpr Bin startup{"startup"}, paramcheck{"paramcheck"}, basegrid{"basegrid"}, initial{"initial"},
    postinitial{"postinitial"}, postpostinitial{"postpostinitial"}, regrid{"regrid"}, postregrid{"postregrid"},
    prestep{"prestep", false}, evolve{"evolve", false}, poststep{"poststep"}, postrestrict{"postrestrict", false},
    checkpoint{"checkpoint", false}, analysis{"analysis"}, output{"output"}, terminate{"terminate", false},
    shutdown{"shutdown", false};
inline constexpr Bin in_order[] = {startup, paramcheck, basegrid, initial, postinitial, postpostinitial, regrid,
    postregrid, prestep, evolve, poststep, postrestrict, checkpoint, analysis, output, terminate, shutdown};
}  // namespace bin
struct ScheduleGroup {
  const char* name;
};  // full name thorn::group

struct Every {  // how often: iterations, or an interval of time; 0 and 0: each time
  int iterations = 0;
  double time = 0;
  bool never = false;
  bool due(int iteration, double time, double dt) const;
  bool operator==(const Every&) const = default;
};

struct Item {  // a routine, kernel or schedule group, as its thorn described it
  std::string thorn, name, doc;
  std::string where;  // a bin, or the full name of a schedule group
  bool is_group = false, once = false, on_demand = false;
  bool clears = false;          // made by the flesh: sets a sum to zero before the first kernel adds to it
  bool together = false;        // runs once for all levels that share a clock, not once for each
  bool all_neighbours = false;  // exchanges all that the reaches of its handles allow
  int strip = 0;          // of right-hand sides it touches only so many layers of points along outer faces; 0: all
  bool launches = false;  // touches grid functions by launching kernels only: they may stay on the device
  std::vector<std::string> before, after;
  std::string while_scalar, if_scalar;  // grid scalars of type int32
  std::vector<Access> accesses;
  Every every;
  std::function<void(Context&)> run;
  Parts parts;                                     // of the interiors that it reads; none: all of them
  std::vector<KernelTable> variants;               // of a kernel: one a dimension and scalar type
  std::vector<std::vector<KernelTable>> clearing;  // of a kernel, by access: what sets a sum to zero; variants as above
  // Fills in the kernel's plain members, from parameters and from grid scalars as they are now.
  std::function<void(std::vector<KernelTable>&, const Parameters&, std::span<const double> scalars)> set;
  std::vector<std::string> set_scalars;  // which
  std::string result_scalar;             // grid scalar that takes what a reducing kernel returns
  std::string full_name() const { return thorn + "::" + name; }
};

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
  // Says which variables, or groups, a group struct stands for: where several groups have this struct, or where a
  // parameter chooses. `handle`: for which of the accesses with this struct that were said, from 0; −1: for all.
  template <template <class> class G> Self& bind(const std::vector<std::string>& names, int handle = -1) {
    const auto to = [&](std::vector<Access>& list) {
      int n = 0;
      for (auto& a : list)
        if (a.key == group_key<G>() && (handle < 0 || n++ == handle))
          a.variables = names.empty() ? std::vector<std::string>{""} : names;  // which no variable is called
    };
    to(this->item_->accesses);
    for (auto& t : this->item_->variants) to(t.accesses);
    return this->self();
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
  RoutineItem& once() { return item_->once = true, *this; }          // once a step, not once a level
  RoutineItem& together() { return item_->together = true, *this; }  // once for all levels that share a clock
  RoutineItem& touches_strip(int layers) {
    return item_->strip = layers, *this;
  }  // of right-hand sides, along outer faces
  // Looks at no more of the interiors that it reads: nothing else is copied from a device for it.
  RoutineItem& only(Parts p) { return item_->parts = std::move(p), *this; }
  // Never looks at a grid function itself: those that its kernels read and write may stay on the device.
  RoutineItem& launches_kernels() { return item_->launches = true, *this; }

 private:
  RoutineItem& add(Access a) { return item_->accesses.push_back(std::move(a)), *this; }
};

namespace detail {
template <class T> T& kernel_of(KernelTable& t) { return *static_cast<T*>(t.kernel.get()); }
#ifdef CEREUS_FEW_VARIANTS  // sanitizer builds: one dimension and scalar type a kernel
using Dimensions = ints<3>;
#else
using Dimensions = ints<1, 2, 3>;
#endif
}  // namespace detail
template <int... d> using dimensions = detail::ints<d...>;  // for kernels that make sense in some only
namespace detail {
// For each dimension and scalar type: f.template operator()<K<…, dim, Real>, dim, Real>().
template <template <int, class> class K, class F, int... dim, class... Real>
void for_each_variant(F&& f, ints<dim...>, types<Real...>) {
  auto for_dim = [&]<int d>() { (f.template operator()<K<d, Real>, d, Real>(), ...); };
  (for_dim.template operator()<dim>(), ...);
}
template <template <int, int, class> class K, int v> struct With {  // the kernel once its choice is made
  template <int dim, class Real> using type = K<v, dim, Real>;
};
template <int dim> struct ClearCollector {  // goes over the members of a kernel
  std::vector<std::vector<KernelTable>>& list;
  std::size_t access = 0;
  template <class M> void operator()(M&) {
    using T = HandleTraits<M>;
    list.resize(std::max(list.size(), access + 1));
    if constexpr (T::mode == Mode::add) list[access].push_back(make_table<Clear<M>, dim, typename T::Real>());
    ++access;
  }
};
}  // namespace detail

// Common to kernels with and without a choice.
template <class Self> class KernelBuilder : public TaskBuilder<Self> {
 public:
  using TaskBuilder<Self>::TaskBuilder;
  // For a branch on data that is too rare for the flesh to see which neighbours it reads (audit mode says so).
  Self& reads_all_neighbours() { return this->item_->all_neighbours = true, this->self(); }
  Self& into(std::string scalar) { return this->item_->result_scalar = std::move(scalar), this->self(); }
  // f(kernel, parameters) fills in the kernel's plain members; called at the start and again after steering.
  template <class F> Self& set(F f) {
    return this->self().fill([f](auto& kernel, const Parameters& par, auto) { f(kernel, par); });
  }
  // f(kernel, parameters, values) is called before each launch, with the values of these grid scalars.
  template <class F> Self& set(std::vector<std::string> scalars, F f) {
    auto& all = this->item_->set_scalars;
    const std::size_t first = all.size(), n = scalars.size();
    all.insert(all.end(), scalars.begin(), scalars.end());
    return this->self().fill([f, first, n](auto& kernel, const Parameters& par, std::span<const double> values) {
      f(kernel, par, values.subspan(first, n));
    });
  }

 protected:
  template <template <int, class> class K, class Types, class Dimensions> void make_variants() {
    Item& item = *this->item_;
    detail::for_each_variant<K>(
        [&]<class Kernel, int dim, class Real>() {
          item.variants.push_back(detail::make_table<Kernel, dim, Real>());
          Kernel k{};
          detail::for_each_handle(k, detail::ClearCollector<dim>{item.clearing});
        },
        Dimensions{}, Types{});
    item.accesses = item.variants.front().accesses;
  }
  template <template <int, class> class K, class Types, class Dimensions, class F> void fill_in(F f) {
    this->item_->set = [before = this->item_->set, f](
                           std::vector<KernelTable>& tables, const Parameters& par, std::span<const double> scalars) {
      if (before) before(tables, par, scalars);
      auto table = tables.begin();
      detail::for_each_variant<K>(
          [&]<class Kernel, int dim, class Real>() { f(detail::kernel_of<Kernel>(*table++), par, scalars); },
          Dimensions{}, Types{});
    };
  }
};

// A scheduled kernel; K<dim, Real> is instantiated for the dimensions and scalar types asked for, all if none are.
template <template <int, class> class K, class Types = types<float, double>, class Dimensions = detail::Dimensions>
class KernelItem : public KernelBuilder<KernelItem<K, Types, Dimensions>> {
 public:
  explicit KernelItem(std::shared_ptr<Item> item) : KernelBuilder<KernelItem>(std::move(item)) {
    this->template make_variants<K, Types, Dimensions>();
  }

 private:
  friend KernelBuilder<KernelItem>;
  template <class F> KernelItem& fill(F f) { return this->template fill_in<K, Types, Dimensions>(std::move(f)), *this; }
};

// A kernel that was made at run time: launch tables with code and state of their own, one a dimension and scalar type.
class TableItem : public KernelBuilder<TableItem> {
 public:
  TableItem(std::shared_ptr<Item> item, std::vector<KernelTable> variants) : KernelBuilder(std::move(item)) {
    item_->accesses = variants.front().accesses;
    item_->variants = std::move(variants);
  }
};

// A kernel with one more compile-time choice, K<order, dim, Real>: say which by variant(list, value).
template <template <int, int, class> class K, class Dimensions = detail::Dimensions> class ChoiceItem {
 public:
  explicit ChoiceItem(std::shared_ptr<Item> item) : item_(std::move(item)) {}
  template <int... list> class Chosen : public KernelBuilder<Chosen<list...>> {
   public:
    Chosen(std::shared_ptr<Item> item, std::int64_t value) : KernelBuilder<Chosen>(std::move(item)), value_(value) {
      chosen([&]<int v>() { this->template make_variants<detail::With<K, v>::template type, Types, Dimensions>(); });
    }

   private:
    friend KernelBuilder<Chosen>;
    template <class F> Chosen& fill(F f) {
      chosen([&]<int v>() { this->template fill_in<detail::With<K, v>::template type, Types, Dimensions>(f); });
      return *this;
    }
    using Types = types<float, double>;
    template <class F> void chosen(F&& f) { ((value_ == list ? f.template operator()<list>() : void()), ...); }
    std::int64_t value_;
  };
  template <int... list> Chosen<list...> variant(choices<list...>, const Value& value) {
    return {item_, value.get<std::int64_t>()};
  }

 private:
  std::shared_ptr<Item> item_;
};

class Schedule {
 public:
  Schedule(std::string thorn, std::vector<std::shared_ptr<Item>>& items) : thorn_(std::move(thorn)), items_(items) {}
  template <template <int, class> class K, class Types = types<float, double>, class Dimensions = detail::Dimensions>
  KernelItem<K, Types, Dimensions> kernel(std::string name, std::string doc) {
    return KernelItem<K, Types, Dimensions>(add(std::move(name), std::move(doc)));
  }
  TableItem kernel(std::string name, std::string doc, std::vector<KernelTable> variants) {
    return {add(std::move(name), std::move(doc)), std::move(variants)};
  }
  template <template <int, int, class> class K, class Dimensions = detail::Dimensions>
  ChoiceItem<K, Dimensions> kernel(std::string name, std::string doc) {
    return ChoiceItem<K, Dimensions>(add(std::move(name), std::move(doc)));
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
};
}  // namespace cereus
