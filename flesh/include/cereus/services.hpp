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

struct Ghosts {  // ghost zones to fill: `depth` layers around a variable's timelevel on a level
  int group, component, timelevel, level, depth;
  bool corners;                  // also ghost zones off edges and corners
  std::uint8_t axes = all_axes;  // bits: the axes across whose faces ghost zones are read; others may stay stale
};

// An exchange of ghost zones that Driver::exchange has begun. Several exchanges may be under way. All processes begin
// and finish the same exchanges in the same order.
struct Exchange {
  virtual ~Exchange() = default;
  // The faces of a block (bit 2·axis + side) near which ghost zones are still to arrive: points that read nothing
  // across these faces may be updated meanwhile. 0: this block waits for nothing. A ghost zone off an edge counts for
  // one of the faces that meet there.
  virtual std::uint8_t arriving(int block) const = 0;
  virtual void finish(Simulation&) = 0;  // afterwards all ghost zones are there, or the device will wait for them

  struct Around {
    std::function<void()> inside;  // updates the points that read no ghost zone which is still to arrive
    std::function<void()> filled;  // called when all ghost zones are there: applies boundary conditions
    std::function<void()> rest;    // updates the other points
    bool rest_first = false;       // unpacks ghost zones that were sent early before `inside`, which fills the device
    std::span<const Ghosts> next;  // the next exchange will ask for these; all points to send are written by `rest`
  };
  // Calls inside(), finishes the exchange, and calls filled() and rest(). On a device `rest` may run beside `inside`.
  virtual void finish_around(Simulation& s, const Around& a) {
    a.inside();
    finish(s);
    a.filled();
    a.rest();
  }
};

// Owns the grid: makes it, decomposes it over processes, fills ghost zones, combines over processes.
struct Driver : Service {
  static constexpr const char *service_name = "Driver", *usual_thorn = "UniGrid";
  struct Tick {  // one evolution step of some levels within a step of the run
    Selection levels;
    double dt_fraction;
  };
  virtual int dimension() const = 0;
  virtual bool stretches_axes() const { return false; }  // asked before there is a grid
  virtual bool maps() const { return false; }            // whether some levels are shells (kernel/map.hpp); likewise
  virtual bool subcycles() const { return false; }       // whether finer levels take several steps for one; likewise
  virtual Grid make_grid(int ghost_width, const Process&) = 0;
  virtual bool has_ghosts(const Grid&) const = 0;  // whether the grid has any ghost zone to fill
  virtual std::vector<Tick> ticks(const Grid& g) const { return {{g.all(), 1.0}}; }
  // Called after that tick: restricts finer levels to coarser ones where the finer have reached the same time. Returns
  // the levels that it has changed. Collective.
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
  // How fast each process computes, in any unit: blocks that are made from now on are shared by that, and a process
  // with too few of them has none. Returns by which factor the present blocks take longer than those that make_grid or
  // adapt would make now.
  virtual double share_by(const std::vector<double>& /*speeds*/) { return 1; }
  // Called before the first step, and again where processes of two kinds have new shares. Collective.
  virtual void prepare(Simulation&) {}
  // Gives back what processes share. Collective, as a destructor never is: called before a driver goes.
  virtual void close() {}

  // Whether blocks may change before the step that leads to this iteration; the bin `regrid`, which says where, runs
  // then. 0: once initial data are there. The same on all processes.
  virtual bool adapts(int /*iteration*/) const { return false; }
  // The new grid, or nothing if blocks stay as they are. With initial data it is called until it returns nothing. The
  // new grid may have more levels, but not fewer. A block that stays keeps its slot; a new block takes a slot that no
  // block of the old grid has, and is not larger than that slot. `before` is called where blocks will change, while all
  // is still as it was. Collective.
  virtual std::optional<Grid> adapt(Simulation&, const std::function<void()>& /*before*/) { return std::nullopt; }
  struct Values {  // a variable's timelevel, on all levels
    int group, component, timelevel;
  };
  // Fills the interiors of new blocks from blocks of the grid `before`, whose values still lie in their slots.
  virtual void transfer(Simulation&, const Grid& /*before*/, std::span<const Values>, Space) {}
  // The blocks of all processes as text, for a checkpoint; empty if they are those of make_grid(). grid_from makes the
  // grid of such a text; make_grid() was called before.
  virtual std::string grid_text() const { return ""; }
  virtual Grid grid_from(const std::string&);

  // Begins to fill ghost zones in one space because a routine reads them. Collective.
  virtual std::unique_ptr<Exchange> exchange(Simulation&, std::span<const Ghosts>, Space, int routine) = 0;

  // Ghost zones that a kernel can write through to: when it updates a point, it also writes the copy of this point in
  // the ghost zone of a block of this process.
  struct WriteThrough {
    std::uint8_t axes = 0;  // bits: across these axes all blocks of all processes get their ghost zones so
    bool all = false;       // whether a star-shaped read then finds all its ghost zones valid
    int layers[3] = {};
    std::span<const std::array<Offset, 6>> ghosts;  // of each block of the level: BlockLaunch::ghosts
  };
  // Where levels meet, a conserved group loses through a face on one side what it gains on the other: adds to a buffer
  // of the group, which holds what `weight` times the right-hand sides were added to, `weight` times what the coarser
  // side lacks. Fluxes are those of the present states, which routines in MoL::fluxes have taken. Where levels
  // subcycle, `weight` is that of the right-hand sides in the result of the step, and restrict_after adds what is
  // lacking then. Collective.
  virtual void reflux(Simulation&, Selection, int /*group*/, int /*buffer*/, double /*weight*/) {}

  // Asked before a kernel writes the interiors of these outputs, which the validity table already calls written. The
  // kernel can write through across `axes`. The next exchange leaves out the ghost zones that the kernel fills.
  // Collective when it is called for the first time with outputs of this kind.
  virtual WriteThrough write_through(Simulation&, std::span<const Ghosts>, unsigned /*axes*/, Space) { return {}; }
  // For forecasts: the bytes that all processes together would send for an item.
  virtual std::int64_t bytes_to_send(const Simulation&, const Ghosts&) { return 0; }
  virtual void combine_over_processes(void* value, std::size_t bytes, void (*combine)(void*, const void*)) = 0;
  // Rank 0 gets the pieces of all ranks one after another: for output. Collective.
  virtual std::vector<std::vector<char>> gather(std::span<const char>) = 0;
};

// Fills the points outside the domain, x then y then z, tangential ghosts included.
struct BoundaryConditions : Service {
  static constexpr const char *service_name = "BoundaryConditions", *usual_thorn = "Boundary";
  // Empty if this variable has a condition at all outer faces; else a text that says which is missing.
  virtual std::string missing(const Simulation&, int group, int component) const = 0;
  // All of one level; or the same of several shells around a cube, shell by shell.
  virtual void apply(Simulation&, std::span<const Ghosts>, Space) = 0;
  // The reflection at a face (2·axis + side). 1: even (Neumann); −1: odd (Dirichlet); 0: neither. An inhomogeneous
  // datum is added by the caller.
  virtual int mirrors(const Simulation&, int /*group*/, int /*component*/, int /*face*/) const { return 0; }
  // Whether a face is a plane of symmetry: beyond it the domain goes on as its mirror image, and tensor components have
  // their parities. A condition that only looks like a reflection for some components does not count.
  virtual bool reflects(const Simulation&, int /*group*/, int /*component*/, int /*face*/) const { return false; }
  // Whether the values at all outer faces never change.
  virtual bool constant(const Simulation&, int /*group*/, int /*component*/) const { return false; }
};

// Advances evolved groups; hands the kernels of right-hand sides their epilogue.
struct TimeIntegrator : Service {
  static constexpr const char *service_name = "TimeIntegrator", *usual_thorn = "MoL";
  struct Update {  // buffers of the state group; the coefficients of sources do not depend on dt
    int destination;
    bool becomes_present;  // whether the destination becomes timelevel 0 after this update
    int source[Epilogue::max_sources];
    Epilogue epilogue;
  };
  // Where levels subcycle, a finer one takes two steps for one of the next coarser level, which goes first: the sum of
  // buffers that the coarser level has at the finer one's present stage. Its error is that of a stage.
  struct Blend {
    static constexpr int most_terms = 5;
    int terms = 1;
    int buffer[most_terms]{};
    double factor[most_terms]{1};
  };
  // Buffers that each evolved group needs beside its timelevels; `subcycled`: where levels do.
  virtual int registers(bool subcycled) const = 0;
  virtual std::string cannot_subcycle() const { return "the integrator has no stages for finer levels"; }  // or nothing
  virtual Blend seen_by_finer(const Simulation&, int /*group*/, int /*level*/) const { return {}; }
  virtual int stages() const = 0;                  // the number of stages of a step; an adaptive step may take more
  virtual int stage(const Simulation&) const = 0;  // the present one, from 0
  virtual Update update(const Simulation&, int state_group, int stage, double dt) const = 0;
  virtual double suggested_dt(const Simulation&) const { return 0; }  // from the error of the last step; 0: none
  // The largest ω dt for which u' = iωu, and λ dt for which u' = −λu, grows by less than 1 % a step; 0: it is not
  // known, or steps adapt.
  virtual double imaginary_limit() const { return 0; }
  virtual double decay_limit() const { return 0; }
};

// Writes the whole state to the disk while the run goes on, and reads it.
struct Checkpoints : Service {
  static constexpr const char *service_name = "Checkpoints", *usual_thorn = "Checkpoint";
  // The iteration from which a run in that folder can go on; −1: from none.
  virtual int newest_in(const std::filesystem::path& output) const = 0;
  // Reads the newest complete checkpoint into the simulation; false if there is none. Throws Error if it does not fit.
  // Collective, as all functions below.
  virtual bool restore(Simulation&) = 0;
  virtual bool planned(int iteration) const = 0;        // whether one is due at the end of that step
  virtual bool due(const Simulation&, bool asked) = 0;  // after a step: planned, or process 0 was asked for one
  virtual bool due_at_end(const Simulation&, bool stopped) const = 0;  // of a run, which may have been stopped early
  virtual void write(Simulation&) = 0;                                 // begins; the bin `precheckpoint` has run
  virtual void finish() = 0;                                           // what was begun is on the disk afterwards
  virtual double seconds() const = 0;                                  // how long writing one takes; 0 before the first
};

// Multi-step: takes several steps of the evolution in one sweep, if no routine is due between them.
struct StepTiles : Service {
  static constexpr const char *service_name = "StepTiles", *usual_thorn = "CaKernel";
  // Asked when the schedule is known: the number of ghost layers that it would like, and the buffers that it needs for
  // a group beside the timelevels.
  virtual int ghost_width(const Simulation&) = 0;
  virtual int extra_buffers(const Simulation&, int /*group*/) { return 0; }
  // A line that says how steps will be taken, and what prevents more at once. Asked before the device is open.
  virtual std::string forecast(const Simulation&) const = 0;
  virtual void start(Simulation&) {}  // before the first step: prints how steps will be taken
  virtual int most_steps() const = 0;
  // No routine is due in the next `free_steps` steps: returns how many of them it takes at once; 0: the flesh takes
  // them. The caller cycles timelevels and then calls advance, which takes these steps and returns the timer to which
  // its time belongs; the caller moves the clocks. The same on all processes.
  virtual int steps(Simulation&, int free_steps) = 0;
  virtual int advance(Simulation&, int steps) = 0;
};

// Chooses the time step.
struct TimeStep : Service {
  static constexpr const char *service_name = "TimeStep", *usual_thorn = "Time";
  virtual double next_dt(Simulation&, std::span<const Driver::Tick>) = 0;  // for the next step of the run
};

// Reduces a grid function over all points, weighted by the volume of a cell. Collective; the same bits on any number of
// processes and blocks.
struct Reduction : Service {
  static constexpr const char *service_name = "Reduction", *usual_thorn = "Reduce";
  struct Norms {  // for a complex variable those of its modulus
    double minimum, maximum, sum, average, norm1, norm2, norm_inf, volume;
    std::array<double, 3> where_minimum, where_maximum, where_norm_inf;  // coordinates
  };
  virtual Norms reduce(Simulation&, int group, int component, int timelevel = 0) = 0;
};

// Values of grid functions at arbitrary points. Collective: every process asks for points of its own, possibly none.
struct Interpolation : Service {
  static constexpr const char *service_name = "Interpolation", *usual_thorn = "Interpolate";
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
// Fluxes of conserved groups where levels meet, an axis at a time.
inline constexpr ScheduleGroup fluxes[] = {{"MoL::fluxes_x"}, {"MoL::fluxes_y"}, {"MoL::fluxes_z"}};
}  // namespace MoL
}  // namespace cereus
