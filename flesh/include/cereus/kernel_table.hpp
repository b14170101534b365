// The type-erased launch table of a kernel: how a loop over it is started, and what it touches. Others only call this.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "embedded.hpp"
#include "kernel_loops.hpp"
#include "scalar.hpp"
namespace cereus {
struct Steps;
// One set of variables that a kernel or routine touches in one way.
struct Access {
  std::string key;                     // the group's struct; or
  std::vector<std::string> variables;  // names and patterns (thorn::variable)
  int components = 0;                  // handles (kernels only)
  Mode mode = Mode::read;
  Region region = Region::interior;
  int reach = 0;
  bool corners = false;
  int timelevel = 0;
  ScalarType type = ScalarType::float64;
};

// What the compiler knows of a kernel.
struct KernelFacts {
  int dim = 3;
  ScalarType type = ScalarType::float64;
  int handles = 0, outputs = 0;
  // cereus/kernel/large.hpp: a device compiles late ones when the run begins, and tries shapes of thread blocks.
  bool large = false, late = false, tries_shapes = false, shares_faces = false;
  bool takes_any_numbers = false;  // whether it may be applied to made-up ones
  bool fusable = false;            // it writes each output once, and returns nothing
  bool stores = false;             // its loop of updates may store what it writes, times 1
  int slots = 0, shell_slots = 0;  // of a large one, and of its text for shells
  std::size_t result_size = 0;     // of what it returns for a reduction, 0 if it returns nothing
  void (*identity)(void*) = nullptr;
  void (*combine)(void*, const void*) = nullptr;
  double (*number)(const void*) = nullptr;  // the result as a number; null if it is none
  std::size_t kernel_size = 0;
  void (*each_formula)(
      const void* kernel, void (*take)(const Steps&, void* to), void* to) = nullptr;  // or there are none
};

struct KernelTable : KernelFacts {
  using Loop = KernelLoops::Loop;
  std::vector<Access> accesses;
  const char* type_name = "";                    // of the kernel, as the compiler writes it in symbols
  const detail::EmbeddedFile* source = nullptr;  // what it is compiled from; null outside of thorns
  std::shared_ptr<void> kernel;                  // the kernel with its parameters; set again after steering
  const KernelLoops& (*compiled)() = nullptr;
  std::shared_ptr<const KernelLoops> own = {};  // in place of compiled ones

  // Its code; opens the library that has it. Throws Error if there is none.
  const KernelLoops& loops() const { return own ? *own : compiled(); }
  bool looks_at_axes() const {
    const KernelLoops& l = loops();
    return may(l.reads_place) || may(l.reads_spacing) || may(l.reads_distance);
  }
  // Whether the same values at other points may give another result.
  bool looks_where_it_is() const { return may(loops().reads_place) || may(loops().reads_index); }
  bool only_uniform_axes() const {  // no right answer on stretched ones
    const KernelLoops& l = loops();
    return looks_at_axes() && (!l.host_stretched || !l.reads_spacing || *l.reads_spacing);
  }
  bool only_straight_axes() const { return looks_at_axes() && !loops().host_mapped; }  // no right answer on shells
  // Whether its loop can leave out points along outer faces that are updated later (Epilogue::partial).
  bool updates_in_part() const { return large && !shares_faces; }
  // Whether an update of the time integrator can be fused in, on such axes.
  bool may_fuse(bool stretched, bool mapped) const { return fusable && has_fused(stretched, mapped); }
  bool may_store(bool stretched, bool mapped) const { return stores && has_fused(stretched, mapped); }
  Loop loop(const Launch& l) const {
    const KernelLoops& all = loops();
    if (l.mapped) return l.epilogue ? all.host_fused_mapped : all.host_mapped;
    return l.stretched ? all.host_stretched : l.epilogue ? all.host_fused : all.host;
  }

 private:
  static bool may(const bool* reads) { return !reads || *reads; }
  bool has_fused(bool stretched, bool mapped) const {
    return large || !looks_at_axes() || (!stretched && (!mapped || loops().host_fused_mapped));
  }
};

template <template <class> class Group> std::string group_key() { return typeid(Group<int>).name(); }
}  // namespace cereus
