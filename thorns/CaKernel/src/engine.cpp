#include "engine.hpp"

#include <algorithm>
#include <cereus/console.hpp>
#include <map>
#include <sstream>
#include <utility>

#include "arguments.hpp"
#include "check.hpp"
#include "forecast.hpp"
#include "late.hpp"
namespace CaKernel {
namespace {
using steady = std::chrono::steady_clock;
constexpr int runs_a_trial = 3;

double seconds_since(steady::time_point begin) { return std::chrono::duration<double>(steady::now() - begin).count(); }
void wait(const Simulation& s) {
  if (auto* device = s.services.find<Device>()) device->wait();
}

Index largest_here(const Simulation& s) {
  Index n{1, 1, 1};
  for (const Block& b : s.grid.blocks)
    for (int d = 0; d < 3; ++d) n[d] = std::max(n[d], b.cells.extent(d));
  return n;
}
// Of all processes, so that all choose alike.
Index largest_block(const Simulation& s) {
  Index n = largest_here(s);
  s.services.get<Driver>().combine_over_processes(n.data(), sizeof n, [](void* a, const void* b) {
    for (int d = 0; d < 3; ++d)
      static_cast<int*>(a)[d] = std::max(static_cast<int*>(a)[d], static_cast<const int*>(b)[d]);
  });
  return n;
}
// Faces along y that are outer ones for each block of all processes.
int outer_faces(const Simulation& s) {
  int n = 0;
  for (int side = 0; side < 2; ++side)
    n += !s.process.any(std::ranges::any_of(s.grid.blocks, [&](const Block& b) { return !b.outer(1, side); }));
  return n;
}
// Axes (bits) along which each block of all processes goes on as itself, in whole vectors. None where there are outer
// faces: conditions there are applied beyond the ends of other axes, too.
int wrapped_axes(const Simulation& s, const sweep::Program& p) {
  const Patch& space = s.grid.levels[0].space;
  int axes = 0;
  for (int d = 0; d < s.grid.dim; ++d) {
    const bool cut =
        std::ranges::any_of(s.grid.blocks, [&](const Block& b) { return b.cells.extent(d) != space.cells.extent(d); });
    if (!s.process.any(cut)) axes |= 1 << d;
  }
  return p.ragged || s.grid.outer_faces(s.grid.levels[0]) ? 0 : axes;
}
int thinnest(const Simulation& s) {
  int n = 1 << 30;
  for (const Block& b : s.grid.blocks)
    for (int d = 0; d < s.grid.dim; ++d) n = std::min(n, b.cells.extent(d));
  return n;
}
int widest(const Facts& f) {
  int n = 0;
  for (int d = 0; d < 3; ++d) n = std::max({n, f.lo[d], f.hi[d]});
  return n;
}
int widest_of(const StepProgram& p, int steps) {
  return widest(facts_of(p.program, {steps, 1, 4, 16, 1, 1, 1}, bytes_of(p)));
}
}  // namespace

Engine::Engine(const Parameters& p)
    : wanted_(static_cast<int>(p.integer("steps"))),
      tiles_(static_cast<std::size_t>(p.integer("tiles"))),
      trials_(p.boolean("trials")),
      wait_(p.boolean("wait")),
      architecture_(p.string("architecture")),
      folder_(p.boolean("cache") ? cache_folder() : "") {}

void Engine::plan(const Simulation& s) {
  if (planned_) return;
  planned_ = true;
  const auto* device = s.services.find<Device>();
  if (device) architecture_ = device->architecture();
  const bool on_host = !device || device->runs_host_code(), late = !on_host || !architecture_.empty();
  program_ = program_of(s, late);
  program_.program.ragged = s.process.any(program_.program.ragged);
  if (late && architecture_.empty() && program_.obstacle.empty())
    program_.obstacle = "the device takes no code at run time";
  if (!program_.obstacle.empty()) return;
  sweeper_ = late ? device_sweeper(architecture_, folder_) : host_sweeper(device ? Space::device : Space::host);
  const int substeps = program_.program.substeps, most = sweep::most_steps / substeps;
  if (wanted_ > most)
    console::warn("CaKernel.steps: " + std::to_string(wanted_) + " steps of " + std::to_string(substeps) +
                  " stages are too many for a sweep, which takes " + std::to_string(most));
  most_ = most_steps_of(program_.program, late);
}

int Engine::most_steps_of(const sweep::Program& g, bool late) const {
  const int most = sweep::most_steps / g.substeps;
  return wanted_ > 0 ? std::min(wanted_, most) : g.dim == 1 ? most : pieces(g.dim == 2 ? 12 : late ? 5 : 6, g.substeps);
}

// What can be known of a run without its device and its other processes: for `graph` and `check`.
std::string Engine::forecast(const Simulation& s) const {
  const auto* device = s.services.find<Device>();
  const bool late = (device && !device->runs_host_code()) || !architecture_.empty();
  const StepProgram p = program_of(s, late);
  int most = p.obstacle.empty() ? most_steps_of(p.program, late) : 0;
  while (most > 0 && widest_of(p, most) > thinnest(s)) --most;
  const bool stages = std::ranges::any_of(s.groups, [](const Group& g) { return g.rhs >= 0; });
  if (most == 0)
    return forecast_text(stages, p.obstacle.empty() ? "blocks are thinner than what a step eats" : p.obstacle);
  auto list = (late ? device_sweeper("", "") : host_sweeper(Space::host))->candidates(p, largest_here(s), most);
  if (wanted_ > 0) std::erase_if(list, [&](const auto& c) { return c.tile.steps != most; });
  return list.empty() ? forecast_text(stages, "no tile fits") : forecast_text(p, list, trials_);
}

// What so many steps eat; where blocks are thinner than that, or no tile fits, fewer steps. Collective.
int Engine::ghost_width(const Simulation& s) {
  plan(s);
  const int thin = thinnest(s);
  for (; most_ > 0; --most_) {
    width_ = widest_of(program_, most_);
    if (!s.process.any(width_ > thin || sweeper_->candidates(program_, largest_here(s), most_).empty())) return width_;
  }
  return 0;
}

int Engine::extra_buffers(const Simulation& s, int group) {
  plan(s);
  if (!program_.obstacle.empty()) return 0;
  return std::ranges::any_of(
      program_.fields, [&](const auto& f) { return f.group == group && f.kind == StepProgram::Field::buffered; });
}

void Engine::start(Simulation& s) {
  plan(s);
  if (program_.obstacle.empty()) prepare(s);
  s.agreed["time tiles"] = program_.obstacle.empty() ? "at most " + std::to_string(most_) + " steps" : "none";
  if (tried_.empty() && !compiling_) console::say("time tiles: none, because " + program_.obstacle);
}

// All that a choice of tiles depends on; the number changes with what is written of it.
std::string Engine::key(const Simulation& s) const {
  const auto& l = s.fields.layout(0);
  const auto* device = s.services.find<Device>();
  std::string text = "9 " + source_of(program_, {}, l.stride[1], l.stride[2]) + sweeper_->name() + " " +
                     std::to_string(device ? device->multiprocessors() : 0) + " " + std::to_string(s.process.size()) +
                     " " + std::to_string(wanted_) + " " + std::to_string(program_.outer) +
                     (s.overlap ? " beside" : "");
  for (int n : extent_) text += "x" + std::to_string(n);
  for (const auto& [name, content] : headers_of(program_)) text += content;
  return text;
}

// Try the plan with the lowest modelled cost. If it is a staged plan, keep the best unstaged plan as fallback.
std::vector<Candidate> Engine::without_trial(const std::vector<Candidate>& list) {
  std::vector<Candidate> chosen;
  for (const auto& c : list) {
    if (chosen.empty() || !c.tile.by_stages()) chosen.push_back(c);
    if (!c.tile.by_stages()) break;
  }
  return chosen;
}

// The best of several numbers of steps; whatever the model says, a few among them, with few and with many points a
// lane: heavy kernels fool it.
std::vector<Candidate> Engine::worth_a_trial(const std::vector<Candidate>& list) const {
  if (list.size() <= tiles_) return list;
  std::vector<Candidate> chosen;
  for (const auto& c : list) {
    const int steps = c.tile.steps;
    const auto alike = static_cast<std::size_t>(std::ranges::count_if(chosen,
        [&](const auto& o) { return o.tile.way() == c.tile.way() && (o.tile.by_stages() || o.tile.steps == steps); }));
    if (c.tile.by_stages()) {
      if (alike < tiles_) chosen.push_back(c);
      continue;
    }
    const bool always = steps <= 4, another = wanted_ > 0 || (always && std::ranges::none_of(chosen, [&](const auto&o) {
      return !o.tile.by_stages() && o.tile.steps == steps && o.tile.lanes == c.tile.lanes;
    }));
    if (alike < (another ? 2 : 1) && (always || chosen.size() < tiles_)) chosen.push_back(c);
  }
  return chosen;
}

// Not so if sweeps are compiled for a device that is elsewhere.
bool Engine::can_run(const Simulation& s) const {
  return sweeper_->space() == Space::host || s.services.find<Device>();
}

// As rank 0 has them: models look at the machine.
std::vector<Candidate> Engine::agreed(
    const Simulation& s, const std::vector<Candidate>& possible, const std::vector<Candidate>& chosen) {
  std::string text;
  for (const auto& c : chosen) text += text_of(c.tile) + "\n";
  std::istringstream lines(s.process.broadcast(text));
  std::vector<Candidate> list;
  for (std::string line; std::getline(lines, line);) {
    const auto mine = std::ranges::find_if(possible, [&](const auto& c) { return text_of(c.tile) == line; });
    if (!s.process.any(mine == possible.end())) list.push_back(*mine);
  }
  return list;
}

void Engine::prepare(Simulation& s) {
  begun_ = steady::now();
  extent_ = largest_block(s), program_.outer = outer_faces(s);
  program_.wraps = wrapped_axes(s, program_.program);
  auto list = most_ > 0 ? sweeper_->candidates(program_, extent_, most_) : std::vector<Candidate>{};
  if (wanted_ > 0) std::erase_if(list, [&](const auto& c) { return c.tile.steps != std::min(wanted_, most_); });
  if (trials_ && can_run(s)) known_ = recall(s, folder_, key(s), list);
  if (!known_.empty() && known_.front().direct) {
    program_.obstacle = "one step at a time is faster";
    return;
  }
  marches_tried_ = !trials_ || !known_.empty();
  std::vector<Candidate> chosen;
  for (const auto& k : known_)
    if (const auto c = std::ranges::find(list, k.tile, &Candidate::tile); c != list.end()) chosen.push_back(*c);
  chosen = agreed(s, list, !trials_ ? without_trial(list) : known_.empty() ? worth_a_trial(list) : chosen);
  sweeps_ = chosen.size();
  sweeper_->begin(s, program_, std::move(chosen));
  // What is compiled for trials need not be waited for: the run sets out one step at a time.
  compiling_ = beside_ = trials_ && can_run(s) && !wait_ && known_.empty() && s.process.any(!sweeper_->done());
  if (!compiling_) take(s);
}

// Takes what was compiled.
void Engine::take(Simulation& s) {
  compiling_ = false;
  for (Ready& r : sweeper_->finish(s, program_, extent_, program_.obstacle)) {
    const auto k = std::ranges::find(known_, r.candidate.tile, &Choice::tile);
    r.march =
        k != known_.end() ? k->march : march_of(s.process.broadcast(text_of(r.march)));  // models look at the machine
    tried_.push_back({std::move(r), false, known_.empty() ? 0 : runs_a_trial});
  }
  prepare_seconds_ = seconds_since(begun_);
  if (!can_run(s) && program_.obstacle.empty())
    program_.obstacle = "there is no device; " + std::to_string(sweeps_) + " sweeps were compiled for " +
                        architecture_ + " in " + std::to_string(prepare_seconds_) + " s";
  if (tried_.empty()) program_.obstacle = program_.obstacle.empty() ? "no tile fits" : program_.obstacle;
  else if (trials_ && wanted_ <= 1 && known_.empty()) tried_.push_back({{}, true});
}

// The first that has not run often enough yet and fits into so many free steps; null if there is none. A step of the
// flesh is timed only if nothing looks at it.
Engine::Tried* Engine::on_trial(int free_steps) {
  if (tried_.size() == 1 || !trials_) return nullptr;
  for (auto& t : tried_)
    if (t.runs < runs_a_trial && (t.direct ? free_steps > 1 : t.steps() <= free_steps)) return &t;
  return nullptr;
}

int Engine::steps(Simulation& s, int free_steps) {
  if (compiling_) {
    if (s.process.any(!sweeper_->done())) return 0;
    take(s);
    if (tried_.empty()) return console::say("time tiles: none, because " + program_.obstacle), 0;
  }
  if (step_begun_ != steady::time_point{}) {
    wait(s);
    timed(s, *std::ranges::find_if(tried_, &Tried::direct), seconds_since(std::exchange(step_begun_, {})));
  }
  trial_ = on_trial(free_steps);
  if (trial_ && trial_->direct) {
    wait(s);
    step_begun_ = steady::now();
    return 0;
  }
  Tried* const now = trial_ ? trial_ : best_for(free_steps);
  if (now && !passes_check(s, *now)) return trial_ = nullptr, 0;
  return now ? now->steps() : 0;
}

// Passes of stages, and steps by levels, are compared with the loops of the host before the first of their steps
// counts; what is wrong is never taken.
bool Engine::passes_check(Simulation& s, Tried& t) {
  if (!t.ready.candidate.tile.by_stages() || t.checked) return true;
  if (s.grid.levels[0].clock.dt == 0) return false;  // after the first step
  sweep(s, t.ready, true);
  wait(s);
  t.checked = as_on_host(s, program_, sweeper_->space());
  if (t.checked) return true;
  console::warn("CaKernel: " + sweeper_->text(t.ready) + ": a step is not that of the host's loops, and is not taken");
  tried_.erase(tried_.begin() + (&t - tried_.data()));
  if (tried_.empty() || tried_.front().direct) most_ = 0;
  return false;
}

// The best that takes no more steps than that; null where that is one step at a time.
Engine::Tried* Engine::best_for(int free_steps) {
  const auto t = std::ranges::find_if(tried_, [&](const auto& t) { return t.direct || t.steps() <= free_steps; });
  return t == tried_.end() || t->direct ? nullptr : &*t;
}

// A step on trial took so long; on the slowest process.
void Engine::timed(Simulation& s, Tried& t, double seconds) {
  s.services.get<Driver>().combine_over_processes(&seconds, sizeof seconds, [](void* a, const void* b) {
    *static_cast<double*>(a) = std::max(*static_cast<double*>(a), *static_cast<const double*>(b));
  });
  t.seconds = t.runs++ == 0 ? seconds : std::min(t.seconds, seconds);
  if (std::ranges::any_of(tried_, [](const auto& o) { return o.runs < runs_a_trial; })) return;
  std::ranges::stable_sort(tried_, {}, &Tried::seconds);
  if (marches_tried_ || tried_.front().direct) settle(s);
  else try_marches(s);
}

// The fastest of all tiles is tried with other marches.
void Engine::try_marches(const Simulation& s) {
  marches_tried_ = true;
  const Ready best = tried_.front().ready;
  const auto trials = tried_.size();
  std::string marches;
  for (const March& m : sweeper_->marches(program_, best, extent_)) marches += text_of(m) + " ";
  std::istringstream list(s.process.broadcast(marches));
  for (std::string text; list >> text;)
    if (const March m = march_of(text); m != best.march) tried_.push_back({{best.candidate, m, best.code}});
  if (tried_.size() == trials) settle(s);
}

void Engine::settle(const Simulation& s) {
  if (tried_.front().direct) most_ = 0;  // nobody needs to count free steps any more
  std::vector<Choice> choices;           // and, for what is left before somebody looks, the best of fewer steps
  for (const auto& t : tried_) {
    if (choices.empty() || t.steps() < choices.back().tile.steps)
      choices.push_back({t.ready.candidate.tile, t.ready.march, t.direct});
    if (t.direct) break;
  }
  remember(s, folder_, key(s), choices);
}

// The depth of the ghost zones to exchange before a sweep. If no neighbour is read, the full width: boundary values are
// carried along.
int Engine::depth(const Simulation& s, const Facts& f) const { return width_ > 0 ? widest(f) : s.grid.ghosts[0]; }

// What a sweep reads: interiors, ghost zones across these axes (bits) where there are any, and the boundary where
// neighbours are read or it is kept. Ghost zones of what never changes are filled once, so all of them.
std::vector<VariableAccess> Engine::comes_in(const Simulation& s, int depth, int axes) const {
  std::vector<VariableAccess> list;
  for (const auto& field : program_.fields) {
    const bool constant = field.kind == StepProgram::Field::constant;
    const int reach = axes && (width_ > 0 || !constant) ? depth : 0;
    if (field.comes_in)
      list.push_back({.group = field.group,
          .component = field.component,
          .timelevel = buffer_in(field),
          .reach = reach,
          .corners = true,
          .axes = static_cast<std::uint8_t>(constant ? all_axes : axes)});
    else if (s.grid.outer_faces(s.grid.levels[0]))
      list.push_back({field.group, field.component, 0, Mode::read, Region::boundary});
  }
  return list;
}

// What of a box of cells can be swept before ghost zones arrive at some faces, and before others are set: whole tiles
// stay outside, which also hold all that neighbours want.
Box Engine::inner(const Simulation& s, const Ready& r, Box box, unsigned arriving, unsigned outer) const {
  const Index skin = sweeper_->skin(program_, r);
  const Box all = box;
  for (int d = 0; d < s.grid.dim; ++d)
    for (int side = 0; side < 2; ++side) {
      const unsigned face = 1U << (2 * d + side);
      if (!((arriving | outer) & face)) continue;
      const int least = depth(s, r.candidate.facts) + (outer & face ? 1 : 0), thick = pieces(least, skin[d]) * skin[d];
      if (side == 0) box.lo[d] += thick;
      else box.hi[d] -= thick;
      if (d == 0 && side == 1) {
        const int line = sweeper_->aligned();
        box.hi[0] = all.lo[0] + pieces(box.hi[0] - all.lo[0], line) * line;
        if (all.hi[0] - box.hi[0] < least) box.hi[0] -= line;
      }
    }
  return box;
}

// Inner tiles run without waiting for ghost zones; those of the next sweep are sent before this sweep ends.
class Engine::Sweep : public PointUpdate {
 public:
  Sweep(const Engine& e, Simulation& s, const Ready& r, bool again) : engine_(e), s_(s), ready_(r), again_(again) {
    rest_first = true;
    for (int b = 0; const Block& block : s.grid.blocks) whole_.push_back({b++, block.cells});
  }
  bool split(const Exchange& exchange, bool conditions) override {
    if (engine_.sweeper_->skin(engine_.program_, ready_)[0] == 0) return false;
    bool some = false;
    for (const auto& [b, box] : whole_) {
      const unsigned arriving = exchange.arriving(b);
      unsigned outer = 0;
      for (int f = 0; conditions && f < 6; ++f) outer |= s_.grid.blocks[b].face[f] == Face::outer ? 1U << f : 0;
      inside_.push_back({b, engine_.inner(s_, ready_, box, arriving, outer)});
      for (const Box& part : difference(box, inside_.back().box)) rest_.push_back({b, part});
      some = some || arriving;
    }
    return some;
  }
  void run(Part part) override {
    engine_.sweeper_->start(s_, engine_.program_, ready_,
        part == Part::all      ? whole_
        : part == Part::inside ? inside_
                               : rest_);
  }
  std::span<const Ghosts> next(std::span<const Ghosts> read) override {
    if (again_) return {};
    for (Ghosts g : read) {
      const auto f = std::ranges::find_if(
          engine_.program_.fields, [&](const auto& f) { return f.group == g.group && f.component == g.component; });
      if (f->kind == StepProgram::Field::constant) return {};
      g.timelevel = buffer_out(s_, *f);
      next_.push_back(g);
    }
    return next_;
  }

 private:
  const Engine& engine_;
  Simulation& s_;
  const Ready& ready_;
  const bool again_;
  BlockBoxes whole_, inside_, rest_;
  std::vector<Ghosts> next_;
};

// `again`: the step will be taken again, and what was made now is only looked at.
void Engine::sweep(Simulation& s, const Ready& r, bool again) const {
  // What a step is compared with reads as far as all its stages one by one.
  const int wrapped = !again && r.candidate.tile.levels > 0 ? program_.wraps : 0;
  const auto reads = comes_in(s,
      again ? widest(facts_of(program_.program, {1, 1, 1, 1, 1, 1, 1}, bytes_of(program_)))
            : depth(s, r.candidate.facts),
      all_axes & ~wrapped);
  const Reader reader{{0, 1}, reads, program_.stages.front().id, sweeper_->space()};
  Stale stale;
  find_stale(s, reader, stale);
  note(s);
  Sweep points(*this, s, r, again);
  update_around_exchange(s, reader, stale, points);
  if (!again) make_present(s);
}

int Engine::advance(Simulation& s, int steps) {
  Tried* const trial = trial_;
  const Ready& now = (trial ? trial : best_for(steps))->ready;
  const int timer = timer_of(s, now.candidate.tile);
  if (!trial) return sweep(s, now), timer;
  wait(s);
  const auto begin = steady::now();
  sweep(s, now);
  wait(s);
  timed(s, *trial, seconds_since(begin) / trial->steps());
  return timer;
}

// Below that of the bin, one for each way of taking steps.
int Engine::timer_of(Simulation& s, const TileShape& t) const {
  const std::string name = "CaKernel: " + way_text(program_.program, t);
  const auto& nodes = s.timers.nodes();
  const auto found = std::ranges::find(nodes, name, &TimerNode::name);
  return found == nodes.end() ? s.timers.add(name, s.bins.at("evolve").timer) : static_cast<int>(found - nodes.begin());
}

// What a sweep writes is valid.
void Engine::note(Simulation& s) const {
  const Why why{s.clock.iteration, program_.stages.front().id};
  const Space here = sweeper_->space();
  for (std::size_t f = 0; f < program_.fields.size(); ++f) {
    const auto& field = program_.fields[f];
    if (field.kind == StepProgram::Field::constant) continue;
    auto& v = s.fields.validity(field.group, field.component, buffer_out(s, field), 0);
    v.wrote_interior(here, why);
    if (!program_.program.stored[f]) v[here].interior = false;
  }
}

// What it has written is the present.
void Engine::make_present(Simulation& s) const {
  std::map<int, int> groups;  // and the buffers that they have moved to
  for (const auto& field : program_.fields)
    if (field.kind != StepProgram::Field::constant) groups[field.group] = buffer_out(s, field);
  for (const auto& [group, to] : groups)
    if (to != 0) s.fields.swap(group, 0, 0, to);
}
}  // namespace CaKernel
