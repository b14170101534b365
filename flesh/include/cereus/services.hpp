// The services that infrastructure thorns offer to the flesh and to each other: abstract classes, one a noun.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "declaration.hpp"
#include "fields.hpp"
#include "process.hpp"
#include "routine.hpp"
#include "traffic.hpp"
namespace cereus {
struct Simulation;

struct Ghosts {  // ghost zones to fill: so many layers around a variable's timelevel on a level
  int group, component, timelevel, level, depth;
  bool corners;                  // those off edges and corners, too
  std::uint8_t axes = all_axes;  // across which (bits): those off faces of other axes nobody reads
};

// Ghost zones on their way: begun by Driver::exchange. Several exchanges may be under way. All processes begin and
// finish the same ones in the same order.
struct Exchange {
  virtual ~Exchange() = default;
  // Faces of a block (bit 2·axis + side) near which ghost zones are under way, so that points away from all of them may
  // be updated meanwhile; 0 if there is nothing to wait for. What lies off an edge is near one of them, not each.
  virtual std::uint8_t arriving(int block) const = 0;
  virtual void finish(Simulation&) = 0;  // all ghost zones are there, or a device will wait for them

  struct Around {
    std::function<void()> inside;  // updates what reads no ghost zone that is under way
    std::function<void()> filled;  // is called when all ghost zones are there: applies boundary conditions
    std::function<void()> rest;    // updates what reads them
    bool rest_first = false;       // `inside` occupies a whole device: ghost zones that were sent early come first
    std::span<const Ghosts> next;  // what the next exchange will ask for: `rest` writes all of it that neighbours need
  };
  // Calls inside(), finishes the exchange, and calls filled() and rest(); on a device, the latter beside the former.
  virtual void finish_around(Simulation& s, const Around& a) {
    a.inside();
    finish(s);
    a.filled();
    a.rest();
  }
};

// Owns the grid: makes it, decomposes it over processes, fills ghost zones, combines over processes.
struct Driver : Service {
  static constexpr const char* service_name = "Driver";
  struct Tick {  // one evolution step of some levels within a step of the run
    Selection levels;
    double dt_fraction;
  };
  virtual int dimension() const = 0;
  virtual bool stretches_axes() const { return false; }  // known before there is a grid
  virtual Grid make_grid(int ghost_width, const Process&) = 0;
  virtual bool has_ghosts(const Grid&) const = 0;  // whether anything is to be copied at all
  virtual std::vector<Tick> ticks(const Grid& g) const { return {{g.all(), 1.0}}; }
  // Called after that tick: gives coarser levels what finer ones know better, where these have caught up. Returns the
  // levels that it has changed. Collective.
  virtual Selection restrict_after(Simulation&, std::size_t /*tick*/) { return {0, 0}; }
  // A driver of the same domain, with cells `ratio` times as large along each axis: for levels of a solver, which are
  // no part of the run. Its blocks are those of level 0, and a block of the coarser grid owns the cells whose lower
  // corners it owned; or, if `alone`, each process has one block of all cells. Null if a block would have fewer cells
  // than `thinnest` along an axis that becomes coarser, or if this driver has no such grids.
  virtual std::shared_ptr<Driver> coarsened(const Index& /*ratio*/, bool /*alone*/, int /*thinnest*/) {
    return nullptr;
  }
  // All blocks of a level, over all processes, by number.
  virtual std::vector<BlockHome> all_blocks(const Grid&, int level) const = 0;
  // Called once before the first step. Collective.
  virtual void prepare(Simulation&) {}
  // Gives back what processes share. Collective, as a destructor never is: called before a driver goes.
  virtual void close() {}

  // Whether blocks may change before the step that leads to this iteration; the bin `regrid`, which says where, runs
  // then. 0: once initial data are there. The same on all processes.
  virtual bool adapts(int /*iteration*/) const { return false; }
  // The grid from now on, or nothing if blocks stay as they are; with initial data it is asked until it returns
  // nothing. There may be more levels, but not fewer. A block that stays keeps its slot; others take slots that no
  // block has now, and are not larger. Collective.
  virtual std::optional<Grid> adapt(Simulation&) { return std::nullopt; }
  struct Values {  // of a variable's timelevel on all levels
    int group, component, timelevel;
  };
  // Fills the interiors of new blocks from blocks of the grid `before`, which still lie in their slots.
  virtual void transfer(Simulation&, const Grid& /*before*/, std::span<const Values>, Space) {}
  // The blocks of all processes as text, for a checkpoint; empty if they are those of make_grid(). And the grid of such
  // a text, once make_grid() was called.
  virtual std::string grid_text() const { return ""; }
  virtual Grid grid_from(const std::string&);

  // Begins to fill ghost zones in one space, for a routine. Collective.
  virtual std::unique_ptr<Exchange> exchange(Simulation&, std::span<const Ghosts>, Space, int routine) = 0;

  // Ghost zones that a kernel can fill while it updates the points that they repeat.
  struct WriteThrough {
    std::uint8_t axes = 0;  // bits: across which, in all blocks of all processes
    bool all = false;       // whether that is all that a star reads
    int layers[3] = {};
    std::span<const std::array<Offset, 6>> ghosts;  // of each block of the level: BlockLaunch::ghosts
  };
  // For a kernel that writes the interiors of these outputs next, as the validity table says already, and can fill
  // ghost zones across these axes. The next exchange leaves out what the kernel fills. Collective where it is new.
  virtual WriteThrough write_through(Simulation&, std::span<const Ghosts>, unsigned /*axes*/, Space) { return {}; }
  // What all processes together would send of an item; for forecasts.
  virtual std::int64_t bytes_to_send(const Simulation&, const Ghosts&) { return 0; }
  virtual void combine_over_processes(void* value, std::size_t bytes, void (*combine)(void*, const void*)) = 0;
  // Rank 0 gets the pieces of all ranks one after another: for output. Collective.
  virtual std::vector<std::vector<char>> gather(std::span<const char>) = 0;
};

// Fills the points outside the domain, x then y then z, tangential ghosts included.
struct BoundaryConditions : Service {
  static constexpr const char* service_name = "BoundaryConditions";
  // Empty if this variable has a condition at all faces where the domain ends; else what is missing.
  virtual std::string missing(const Simulation&, int group, int component) const = 0;
  virtual void apply(Simulation&, std::span<const Ghosts>, Space) = 0;  // all of one level
  // Whether values outside a face (2·axis + side) are mirror images of those inside, but for what is given there: 1
  // (Neumann), or −1, with the sign changed (Dirichlet); 0: neither.
  virtual int mirrors(const Simulation&, int /*group*/, int /*component*/, int /*face*/) const { return 0; }
  // Whether the domain goes on beyond a face as its mirror image, tensors with their parities: a symmetry of the
  // problem, and not a condition that looks like one for some components.
  virtual bool reflects(const Simulation&, int /*group*/, int /*component*/, int /*face*/) const { return false; }
  // Whether what it fills in never changes, at all outer faces.
  virtual bool constant(const Simulation&, int /*group*/, int /*component*/) const { return false; }
};

// Advances evolved groups; hands the kernels of right-hand sides their epilogue.
struct TimeIntegrator : Service {
  static constexpr const char* service_name = "TimeIntegrator";
  struct Update {  // buffers of the state group; the coefficients of sources do not depend on dt
    int destination;
    bool becomes_present;  // whether that is timelevel 0 next
    int source[Epilogue::max_sources];
    Epilogue epilogue;
  };
  virtual int registers() const = 0;               // buffers that each evolved group needs beside its timelevels
  virtual int stages() const = 0;                  // of a step, at least
  virtual int stage(const Simulation&) const = 0;  // that is the present one, from 0
  virtual Update update(const Simulation&, int state_group, int stage, double dt) const = 0;
  virtual double suggested_dt(const Simulation&) const { return 0; }  // by the error of the last step; 0: no opinion
  // The largest ω dt for which u' = iωu grows by less than 1 % a step; 0: it is not known, or steps adapt.
  virtual double imaginary_limit() const { return 0; }
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
  // How steps will be taken, and what is in the way of more, before there are devices and other processes: a line.
  virtual std::string forecast(const Simulation&) const = 0;
  virtual void start(Simulation&) {}  // the grid is there: says what it will do
  virtual int most_steps() const = 0;
  // Of `quiet` steps, how many it takes at once now; 0: it leaves them to the flesh. Then takes them, once timelevels
  // have been cycled; clocks are the caller's; returns the timer that has its time. Same on all processes.
  virtual int steps(Simulation&, int quiet) = 0;
  virtual int advance(Simulation&, int steps) = 0;
};

// Chooses the time step.
struct TimeStep : Service {
  static constexpr const char* service_name = "TimeStep";
  virtual double next_dt(Simulation&, std::span<const Driver::Tick>) = 0;  // of a step of the run
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
  // values[v * points.size() + n]: variable v (number of the run) at point n; gradients, if there are any, in the same
  // order: the derivatives of the interpolant by x, y, z, 0 along axes that the grid lacks.
  virtual void interpolate(Simulation&, std::span<const int> variables, std::span<const std::array<double, 3>> points,
      std::span<double> values, std::span<std::array<double, 3>> gradients = {}) = 0;
};

// The services that were chosen, one of each kind, by the hash of their names: a look-up on the way to each kernel
// builds no string.
class Services {
 public:
  void remove(std::string_view name) {
    std::erase_if(list_, [h = hash(name)](const Chosen& c) { return c.name == h; });
  }
  void add(std::string_view name, std::shared_ptr<Service> s, std::string thorn = "") {
    remove(name);
    list_.push_back({hash(name), std::move(s), std::move(thorn)});
  }
  void grid_changed(const Simulation& s) const {
    for (const Chosen& c : list_) c.service->grid_changed(s);
  }
  template <class S> S* find() const {
    const Chosen* c = chosen<S>();
    return c ? static_cast<S*>(c->service.get()) : nullptr;
  }
  template <class S> std::shared_ptr<S> shared() const {
    const Chosen* c = chosen<S>();
    return c ? std::static_pointer_cast<S>(c->service) : nullptr;
  }
  template <class S> S& get() const {
    if (auto* s = find<S>()) return *s;
    throw Error(std::string("no active thorn offers the service ") + S::service_name);
  }
  template <class S> std::string provider() const {  // the thorn; empty if there is none
    const Chosen* c = chosen<S>();
    return c ? c->thorn : "";
  }

 private:
  struct Chosen {
    std::uint64_t name;
    std::shared_ptr<Service> service;
    std::string thorn;
  };
  template <class S> const Chosen* chosen() const {
    static constexpr std::uint64_t wanted = hash(S::service_name);
    for (const Chosen& c : list_)
      if (c.name == wanted) return &c;
    return nullptr;
  }
  static constexpr std::uint64_t hash(std::string_view name) {  // FNV-1a
    std::uint64_t h = 14695981039346656037ULL;
    for (char c : name) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return h;
  }
  std::vector<Chosen> list_;
};

namespace MoL {  // the schedule groups of the method of lines; the thorn MoL runs them
inline constexpr ScheduleGroup rhs{"MoL::rhs"}, rhs_boundary{"MoL::rhs_boundary"}, post_substep{"MoL::post_substep"};
}
}  // namespace cereus
