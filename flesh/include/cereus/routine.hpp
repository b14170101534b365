// A scheduled item once names are resolved: numbers instead of names, ready to run many times.
#pragma once
#include "group.hpp"
#include "item.hpp"
namespace cereus {
inline constexpr std::uint8_t all_axes = 7;  // bits
struct VariableAccess {
  int group = 0, component = 0, timelevel = 0;
  Mode mode = Mode::read;
  Region region = Region::interior;
  int reach = 0;
  bool corners = false, inside = false;  // inside: what lies outside the domain is not used
  int margin = 0;                // of a kernel everywhere: layers at the edge of the ghost zones that it leaves out
  bool elsewhere = false;        // a variable of LaunchRequest::other
  std::uint8_t axes = all_axes;  // across which (bits) ghost zones are read
};
struct Routine {
  std::shared_ptr<Item> item;
  std::string name;  // thorn::name
  int id = 0;
  std::vector<VariableAccess> accesses;  // for a kernel one a handle, in the order of the handles
  const KernelTable* table = nullptr;    // of a kernel: the variant that runs
  bool is_kernel = false;
  std::vector<int> fused;                 // groups of right-hand sides whose update is fused into this kernel
  Strip unfused_strip;                    // but for these points
  bool integrates = false;                // it belongs to the time integrator, which notes its writes itself
  unsigned long long read_at_offset = 0;  // bit o: of output o, or of what it updates, somebody reads neighbours
  std::string not_fused;                  // or why not, for `graph`
  int result_group = -1, result_component = 0;
  std::vector<VariableAccess> scalars;  // from which a kernel's members are set before each launch
};
struct Node {  // of the schedule tree: a bin, a group or a routine
  std::string name;
  int routine = -1, timer = -1;
  int while_group = -1, while_component = 0, if_group = -1, if_component = 0;
  std::vector<Node> children;           // sorted
  std::vector<std::string> why_sorted;  // for `graph`: "a before b: b reads u, which a writes"
};
}  // namespace cereus
