// The launch tables of a kernel that no schedule holds, because it runs on whichever variable is at hand: one a
// dimension and scalar type, picked by the variable.
#pragma once
#include <cereus/thorn.hpp>
namespace Boundary {
using Boxes = cereus::BlockBoxes;

template <template <int, class> class K, class Dimensions, class... T> class Variants {
 public:
  Variants() {
    each([&]<class Own, int dim, class Real>() { tables_.push_back(cereus::Kernel<Own, dim, Real>().table()); });
  }
  // Runs the kernel on boxes of levels; set(kernel, T{}) fills in its parameters. The last handle decides on the type.
  template <class Set>
  void launch(cereus::Simulation& s, int dim, cereus::Space space, std::span<const cereus::VariableAccess> handles,
      std::span<const cereus::LevelBoxes> boxes, Set&& set) {
    if (std::ranges::all_of(boxes, [](const auto& l) { return l.boxes->blocks.empty(); })) return;
    const auto type = s.type(handles.back().group);
    bool found = false;
    auto table = tables_.begin();
    each([&]<class Own, int d, class Real>() {
      cereus::KernelTable& t = *table++;
      if (t.dim != dim || t.type != type) return;
      found = true;
      set(cereus::Kernel<Own, d, Real>::of(t), Real{});
      cereus::launch(s, {.table = &t, .handles = handles, .space = space, .who = "Boundary"}, boxes);
    });
    if (!found)
      throw cereus::Failure("Boundary cannot treat " + s.variable_name(handles.back().group, handles.back().component) +
                            ", which is " + std::string(cereus::name_of(type)));
  }

  template <class Set>
  void launch(cereus::Simulation& s, int level, int dim, cereus::Space space,
      std::span<const cereus::VariableAccess> handles, const cereus::LaunchBoxes& boxes, Set&& set) {
    const cereus::LevelBoxes one[] = {{level, &boxes}};
    launch(s, dim, space, handles, one, set);
  }

 private:
  template <class F> static void each(F&& f) {
    cereus::detail::for_each_variant<K>(f, Dimensions{}, cereus::types<T...>{});
  }
  std::vector<cereus::KernelTable> tables_;
};
}  // namespace Boundary
