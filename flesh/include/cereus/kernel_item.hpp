// Builders of scheduled kernels: a launch table for each dimension and scalar type, and what fills in its members.
#pragma once
#include <algorithm>
#include <array>

#include "kernel/clear.hpp"
#include "make_table.hpp"
#include "task.hpp"
namespace cereus {
namespace detail {
#ifdef CEREUS_DIMENSION  // where kernels are compiled for one run, and in sanitizer builds
using Dimensions = ints<CEREUS_DIMENSION>;
#else
using Dimensions = ints<1, 2, 3>;
#endif
#ifdef CEREUS_REAL
using Reals = types<CEREUS_REAL>;
#else
using Reals = types<float, double>;
#endif
template <class T> inline constexpr bool is_types = false;
template <class... Real> inline constexpr bool is_types<types<Real...>> = true;
}  // namespace detail
template <int... d> using dimensions = detail::ints<d...>;  // for kernels that make sense in some only
namespace detail {
// For each dimension and scalar type: f.template operator()<K<…, dim, Real>, dim, Real>().
template <template <int, class> class K, class F, int... dim, class... Real>
constexpr void for_each_variant(F&& f, ints<dim...>, types<Real...>) {
  auto for_dim = [&]<int d>() { (f.template operator()<K<d, Real>, d, Real>(), ...); };
  (for_dim.template operator()<dim>(), ...);
}
// What fills in the plain members of a kernel of one dimension and scalar type.
template <class F> using Filler = void (*)(const F&, void* kernel, const Parameters&, std::span<const double> scalars);
template <template <int, class> class K, class F, int... dim, class... Real>
constexpr auto fillers(ints<dim...>, types<Real...>) {
  std::array<Filler<F>, sizeof...(dim) * sizeof...(Real)> all{};
  for_each_variant<K>(
      [&, n = 0]<class Kernel, int, class>() mutable {
        all[n++] = [](const F& f, void* kernel, const Parameters& par, std::span<const double> scalars) {
          f(*static_cast<Kernel*>(kernel), par, scalars);
        };
      },
      ints<dim...>{}, types<Real...>{});
  return all;
}
// What is no kernel's template is told in a sentence; a compiler would only say that no function matches.
template <class...> inline constexpr bool never = false;
template <class... Rest> auto no_kernel() {
  static_assert(never<Rest...>,
      "a kernel is `template <int dim, class Real> struct`, in this order, or, with a choice of its own, "
      "`template <int order, int dim, class Real> struct`");
}
template <template <int, int, class> class K, int v> struct With {  // the kernel once its choice is made
  template <int dim, class Real> using type = K<v, dim, Real>;
};
template <int dim> struct ClearCollector {  // goes over the members of a kernel
  Item& item;
  std::size_t access = 0;
  template <class M> void operator()(M&) {
    using T = HandleTraits<M>;
    if constexpr (T::mode == Mode::add) item.add_clearing(access, make_table<Clear<M>, dim, typename T::Real>());
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
  // What it reads across the faces of the domain it does not use: no condition is applied for it.
  // `groups`: of these, or of all.
  Self& stays_inside(std::vector<std::string> groups = {}) {
    return this->item_->inside = std::move(groups), this->self();
  }
  // For formulas, which know nothing of places between points: variables of two centrings are refused.
  Self& one_centring() { return this->item_->one_centring = true, this->self(); }
  // Runs only on cells whose lower face across this axis is one where levels meet; a block's last such cell is a ghost
  // zone.
  Self& at_level_faces(int axis) { return this->item_->level_faces = axis, this->self(); }
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
          item.add_variant(detail::make_table<Kernel, dim, Real>());
          Kernel k{};
          detail::for_each_handle(k, detail::ClearCollector<dim>{item});
        },
        Dimensions{}, Types{});
  }
  template <template <int, class> class K, class Types, class Dimensions, class F> void fill_in(F f) {
    this->item_->fill([f](int n, void* kernel, const Parameters& par, std::span<const double> scalars) {
      static constexpr auto each = detail::fillers<K, F>(Dimensions{}, Types{});
      each[n](f, kernel, par, scalars);
    });
  }
};

// A scheduled kernel; K<dim, Real> is instantiated for the dimensions and scalar types asked for, all if none are.
template <template <int, class> class K, class Types, class Dimensions>
class KernelItem : public KernelBuilder<KernelItem<K, Types, Dimensions>> {
 public:
  KernelItem(std::shared_ptr<Item> item) : KernelBuilder<KernelItem>(std::move(item)) {
    this->template make_variants<K, Types, Dimensions>();
  }
  // Its only number is the dimension.
  template <int... list> auto variant(choices<list...>, const Value&) { return detail::no_kernel<choices<list...>>(); }

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
template <template <int, int, class> class K, class Types, class Dimensions> class ChoiceItem {
 public:
  ChoiceItem(std::shared_ptr<Item> item) : item_(std::move(item)) {}
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
    template <class F> void chosen(F&& f) { ((value_ == list ? f.template operator()<list>() : void()), ...); }
    std::int64_t value_;
  };
  template <int... list> Chosen<list...> variant(choices<list...>, const Value& value) {
    return {item_, value.get<std::int64_t>()};
  }

 private:
  std::shared_ptr<Item> item_;
};
}  // namespace cereus
