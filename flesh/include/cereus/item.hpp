// What a thorn has said of a routine, kernel or schedule group: where it runs, how often, and what it touches.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "box.hpp"
#include "kernel_table.hpp"
#include "parameter.hpp"
namespace cereus {
class Context;
struct Clock;
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
    checkpoint{"checkpoint", false}, precheckpoint{"precheckpoint", false}, analysis{"analysis"}, output{"output"},
    terminate{"terminate", false}, shutdown{"shutdown", false};
inline constexpr Bin in_order[] = {startup, paramcheck, basegrid, initial, postinitial, postpostinitial, regrid,
    postregrid, prestep, evolve, poststep, postrestrict, checkpoint, analysis, output, precheckpoint, terminate,
    shutdown};
}  // namespace bin
struct ScheduleGroup {
  const char* name;
};  // full name thorn::group

struct Every {  // how often: iterations, or an interval of time; 0 and 0: each time
  int iterations = 0;
  double time = 0;
  bool never = false;
  bool at_end = false;                              // at the last step of the run as well, even where `never` is set
  bool due(const Clock&, bool over = false) const;  // over: that step is the last
  bool nowhere() const { return never && !at_end; }
  bool operator==(const Every&) const = default;
};

struct Item {  // a routine, kernel or schedule group, as its thorn described it
  std::string thorn, name, doc;
  std::string where;  // a bin, or the full name of a schedule group
  bool is_group = false, once = false, on_demand = false;
  bool clears = false;          // made by the flesh: sets a sum to zero before the first kernel adds to it
  bool together = false;        // runs once for all levels that share a clock, not once for each
  bool one_centring = false;    // of a kernel: all that it touches lies at the same places
  bool all_neighbours = false;  // exchanges all that the reaches of its handles allow
  std::optional<std::vector<std::string>> inside;  // groups of which it uses nothing outside the domain; empty: all
  int level_faces = -1;   // of a kernel: it runs on cells whose lower face across this axis is one where levels meet
  Strip strip;            // of right-hand sides it touches these points only; without layers: all
  bool launches = false;  // touches grid functions by launching kernels only: they may stay on the device
  std::vector<std::string> before, after;
  std::string with_thorn;               // is left out of runs where this thorn is not active
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

  // What builders say.
  void add_variant(KernelTable);
  void add_clearing(std::size_t access, KernelTable);  // of the last variant
  void bind(const std::string& key, const std::vector<std::string>& names, int handle);
  // Adds to `set` what fills in the kernel of the n-th variant.
  void fill(std::function<void(int n, void* kernel, const Parameters&, std::span<const double> scalars)>);
};
}  // namespace cereus
