// The services that infrastructure thorns offer to the flesh and to each other: abstract classes, one a noun.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "declaration.hpp"
#include "fields.hpp"
#include "process.hpp"
#include "routine.hpp"
#include "traffic.hpp"
namespace cereus {
struct Simulation;

// Owns the grid: makes it, decomposes it over processes, fills ghost zones, combines over processes.
struct Driver : Service {
  static constexpr const char* service_name = "Driver";
  struct Stale {  // ghost zones to fill
    int group, component, timelevel, depth;
    bool corners;
    std::uint8_t pushed = 0;  // axes across which they are filled already
    bool sent = false;        // whether send_ahead was called for what they repeat
  };
  struct Tick {
    int level;
    double dt_fraction;
  };  // one evolution step of a level within a step of the run
  virtual int dimension() const = 0;
  virtual Grid make_grid(int ghost_width, const Process&) = 0;
  virtual bool has_ghosts(const Grid&) const = 0;  // whether anything is to be copied at all
  virtual std::vector<Tick> ticks(const Grid&) const { return {{0, 1.0}}; }
  virtual void prepare(Simulation&) {}  // once, before the first step: collective
  virtual void begin_sync(Simulation&, int level, std::span<const Stale>, Space) = 0;  // non-blocking
  // The faces of a block (bit 2·axis + side) whose ghost zones are still under way, so that points away from them may
  // be updated meanwhile; 0 if there is nothing to wait for.
  virtual std::uint8_t faces_under_way(const Simulation&, int level, int block) const = 0;
  virtual std::span<const Moved> finish_sync(
      Simulation&) = 0;  // what travelled of each item of begin_sync; empty: nothing

  // Lets a kernel fill ghost zones while it updates the points that they repeat: across which axes that can be done, in
  // all blocks of all processes, and where they lie. Collective when something is new.
  struct Push {
    std::uint8_t axes = 0;  // bits
    bool all = false;       // whether that is all that a star reads
    int layers[3] = {};
    std::vector<GhostFace> faces;  // [block][output][2·axis + side]
  };
  // `outputs`: what the kernel updates; `axes`: across which it can do that.
  virtual Push push(Simulation&, int /*level*/, std::span<const Stale> /*outputs*/, unsigned /*axes*/, Space) {
    return {};
  }
  // Sends what other processes will want of these items, as they are now, before anybody asks: the next begin_sync, if
  // it is for the same ones, finds it under way, and else receives and forgets it. After finish_sync; the same on all
  // processes. False if that is not possible.
  virtual bool send_ahead(Simulation&, int /*level*/, std::span<const Stale>, Space) { return false; }
  // What all processes together would send of an item; for forecasts.
  virtual std::int64_t bytes_to_send(const Simulation&, int, const Stale&) { return 0; }
  virtual void combine_over_processes(void* value, std::size_t bytes, void (*combine)(void*, const void*)) = 0;
  // Rank 0 gets the pieces of all ranks one after another: for output. Collective.
  virtual std::vector<std::vector<char>> gather(std::span<const char>) = 0;
};

// Fills the points outside the domain, x then y then z, tangential ghosts included.
struct BoundaryConditions : Service {
  static constexpr const char* service_name = "BoundaryConditions";
  // Empty if this variable has a condition at all faces where the domain ends; else what is missing.
  virtual std::string missing(const Simulation&, int group, int component) const = 0;
  virtual void apply(Simulation&, int level, std::span<const Driver::Stale>, Space) = 0;
  // Whether what it fills in never changes, at all outer faces.
  virtual bool constant(const Simulation&, int /*group*/, int /*component*/) const { return false; }
};

// Advances evolved groups; hands the kernels of right-hand sides their epilogue.
struct TimeIntegrator : Service {
  static constexpr const char* service_name = "TimeIntegrator";
  struct Update {  // buffers of the state group
    int destination;
    bool becomes_present;  // whether that is timelevel 0 next
    int source[Epilogue::max_sources];
    Epilogue epilogue;
  };
  virtual int stages() const = 0;    // buffers that each evolved group needs beside its timelevels
  virtual int substeps() const = 0;  // a step, at least
  virtual Update update(const Simulation&, int state_group, int level) const = 0;  // of the present substep
  virtual double suggested_dt(const Simulation&) const { return 0; }  // by the error of the last step; 0: no opinion
};

// Puts the whole state on disk while the run goes on, and back.
struct Checkpoints : Service {
  static constexpr const char* service_name = "Checkpoints";
  virtual int newest_in(const std::filesystem::path& output)
      const = 0;  // the iteration from which a run in that folder can go on; −1: from none
  // The newest that is whole becomes the state; false if there is none. Throws Error if it does not fit. Collective, as
  // all below.
  virtual bool restore(Simulation&) = 0;
  virtual bool planned(int iteration) const = 0;         // whether one is due at the end of that step
  virtual void after_step(Simulation&, bool asked) = 0;  // begins one if it is time, or somebody asked process 0 for it
  virtual void finish(
      Simulation&, bool stopped) = 0;  // the run ends, early if it was stopped: all that is wanted is on the disk
  virtual double seconds() const = 0;  // that writing one takes, as far as is known
};

// Takes several steps of the evolution at once, where nobody looks at what lies between them.
struct StepTiles : Service {
  static constexpr const char* service_name = "StepTiles";
  // Once the schedule is known: layers of ghost zones that it would like, and buffers of a group beside its timelevels.
  virtual int ghost_width(const Simulation&) = 0;
  virtual int extra_buffers(const Simulation&, int /*group*/) { return 0; }
  virtual void start(Simulation&) {}  // the grid is there: says what it will do
  virtual int most_steps() const = 0;
  // Of `quiet` steps, how many it takes at once now; 0: it leaves them to the flesh. Then takes them, once timelevels
  // have been cycled; clocks are the caller's. Same on all processes.
  virtual int steps(Simulation&, int quiet) = 0;
  virtual void advance(Simulation&, int steps) = 0;
};

// Chooses the time step.
struct TimeStep : Service {
  static constexpr const char* service_name = "TimeStep";
  virtual double next_dt(Simulation&, int level) = 0;
};

// Reduces a grid function over all points, weighted by the volume of a cell. Collective; the same bits on any number of
// processes and blocks.
struct Reduction : Service {
  static constexpr const char* service_name = "Reduction";
  struct Norms {  // of a complex variable: of its modulus
    double minimum, maximum, sum, average, norm1, norm2, norm_inf, volume;
    std::array<double, 3> where_minimum, where_maximum, where_norm_inf;  // coordinates
  };
  virtual Norms reduce(Simulation&, int group, int component, int timelevel = 0) = 0;
};

// Values of grid functions at arbitrary points. Collective: every process asks for points of its own, possibly none.
struct Interpolation : Service {
  static constexpr const char* service_name = "Interpolation";
  // values[v * points.size() + n]: variable v (number of the run) at point n.
  virtual void interpolate(Simulation&, std::span<const int> variables, std::span<const std::array<double, 3>> points,
      std::span<double> values) = 0;
};

class Services {  // those that were chosen, one of each kind
 public:
  void remove(const std::string& name) { by_name_.erase(name); }
  void add(const std::string& name, std::shared_ptr<Service> s, std::string thorn = "") {
    by_name_[name] = {std::move(s), std::move(thorn)};
  }
  template <class S> S* find() const {
    const auto it = by_name_.find(S::service_name);
    return it == by_name_.end() ? nullptr : static_cast<S*>(it->second.service.get());
  }
  template <class S> S& get() const {
    if (auto* s = find<S>()) return *s;
    throw Error(std::string("no active thorn offers the service ") + S::service_name);
  }
  template <class S> std::string provider() const {  // the thorn; empty if there is none
    const auto it = by_name_.find(S::service_name);
    return it == by_name_.end() ? "" : it->second.thorn;
  }

 private:
  struct Chosen {
    std::shared_ptr<Service> service;
    std::string thorn;
  };
  std::map<std::string, Chosen> by_name_;
};

namespace MoL {  // the schedule groups of the method of lines; the thorn MoL runs them
inline constexpr ScheduleGroup rhs{"MoL::rhs"}, rhs_boundary{"MoL::rhs_boundary"}, post_substep{"MoL::post_substep"};
}
}  // namespace cereus
