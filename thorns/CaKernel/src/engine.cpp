#include "engine.hpp"

#include <algorithm>
#include <cereus/console.hpp>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <utility>
namespace CaKernel {
namespace {
using steady = std::chrono::steady_clock;
constexpr int compiled = 8, runs_a_trial = 3;

int bytes_of(ScalarType t) { return static_cast<int>(size_of(t)); }

// Of all processes, so that all choose alike.
Index largest_block(Simulation& s) {
  Index n{1, 1, 1};
  for (const Block& b : s.grid.levels[0].blocks)
    for (int d = 0; d < 3; ++d) n[d] = std::max(n[d], b.cells.extent(d));
  s.services.get<Driver>().combine_over_processes(n.data(), sizeof n, [](void* a, const void* b) {
    for (int d = 0; d < 3; ++d) static_cast<int*>(a)[d] = std::max(static_cast<int*>(a)[d], static_cast<const int*>(b)[d]);
  });
  return n;
}
int thinnest(const Simulation& s) {
  int n = 1 << 30;
  for (const Block& b : s.grid.levels[0].blocks)
    for (int d = 0; d < s.grid.dim; ++d) n = std::min(n, b.cells.extent(d));
  return n;
}
int widest(const Facts& f) {
  int n = 0;
  for (int d = 0; d < 3; ++d) n = std::max({n, f.lo[d], f.hi[d]});
  return n;
}
}  // namespace

Engine::Engine(const Parameters& p)
    : wanted_(static_cast<int>(p.integer("steps"))), trials_(p.boolean("trials")), architecture_(p.string("architecture")),
      folder_(p.string("cache") == "none" ? "" : p.string("cache").empty() ? cache_folder() : p.string("cache")) {}

void Engine::plan(const Simulation& s) {
  if (planned_) return;
  planned_ = true;
  program_ = program_of(s);
  const auto* device = s.services.find<Device>();
  if (device) architecture_ = device->architecture();
  if (program_.obstacle.empty() && architecture_.empty()) program_.obstacle = "there is no device that takes code at run time";
  if (!program_.obstacle.empty()) return;
  const int dim = program_.program.dim;
  most_ = wanted_ > 0 ? wanted_ : dim == 1 ? sweep::most_steps : dim == 2 ? 12 : 5;
}

// What so many steps eat; where blocks are thinner than that, fewer steps. Collective.
int Engine::ghost_width(const Simulation& s) {
  plan(s);
  const int thin = thinnest(s);
  for (; most_ > 0; --most_) {
    width_ = widest(facts_of(program_.program, {most_, 1, 4, 16, 1, 1, 1}, bytes_of(program_.type)));
    if (!s.process.any(width_ > thin)) return width_;
  }
  return 0;
}

int Engine::extra_buffers(const Simulation& s, int group) {
  plan(s);
  if (!program_.obstacle.empty()) return 0;
  return std::ranges::any_of(program_.fields, [&](const auto& f) { return f.group == group && f.kind == StepProgram::Field::buffered; });
}

void Engine::start(Simulation& s) {
  plan(s);
  if (program_.obstacle.empty() && s.grid.levels.size() > 1) program_.obstacle = "there are several levels";
  if (program_.obstacle.empty()) compile(s);
  if (tried_.empty()) console::say("time tiles: none, because " + program_.obstacle);
}

std::string Engine::choice_file(const Simulation& s) const {
  const auto& l = s.fields.layout(0, 0);
  std::string text = source_of(program_, {}, l.stride[1], l.stride[2]) + architecture_ + " " + std::to_string(s.process.size()) + " " + std::to_string(wanted_);
  for (int n : extent_) text += "x" + std::to_string(n);
  for (const auto& [name, content] : headers_of(program_)) text += content;
  return (std::filesystem::path(folder_) / name_of(text, ".tile")).string();
}

// A tile of an earlier run, if it is one that this one could choose.
bool Engine::recall(const Simulation& s, const std::vector<Candidate>& possible, TileShape& t, int& chunk) const {
  std::string text;
  if (s.process.rank() == 0 && !folder_.empty()) {
    std::ifstream file(choice_file(s));
    std::getline(file, text);
  }
  std::istringstream in(s.process.broadcast(text));
  return static_cast<bool>(in >> t.steps >> t.rows >> t.warps >> t.lanes >> t.ring >> t.unroll >> t.blocks >> chunk) &&
         (t.steps == 0 || (chunk > 0 && std::ranges::any_of(possible, [&](const auto& c) { return c.tile == t; })));
}
void Engine::remember(const Simulation& s) const {
  if (s.process.rank() != 0 || folder_.empty()) return;
  const auto& [c, code, chunk, runs, seconds] = tried_.front();
  const TileShape& t = c.tile;
  std::ostringstream text;
  text << t.steps << ' ' << t.rows << ' ' << t.warps << ' ' << t.lanes << ' ' << t.ring << ' ' << t.unroll << ' ' << t.blocks << ' ' << chunk << '\n';
  write_whole(choice_file(s), text.str());
}

void Engine::compile(Simulation& s) {
  const auto begin = steady::now();
  auto* device = s.services.find<Device>();
  const auto& g = program_.program;
  const Layout& layout = s.fields.layout(0, 0);
  bool differ = false;
  for (std::size_t b = 1; b < s.grid.levels[0].blocks.size(); ++b) differ = differ || s.fields.layout(0, static_cast<int>(b)).stride != layout.stride;
  if (s.process.any(differ)) {
    program_.obstacle = "blocks of a process are of different sizes";
    return;
  }
  extent_ = largest_block(s);
  auto list = candidates(g, bytes_of(program_.type), extent_, most_);
  TileShape known;
  int chunk = 0;
  chunks_tried_ = !trials_;
  if (trials_ && device && recall(s, list, known, chunk)) {
    chunks_tried_ = true;
    if (known.steps == 0) {
      program_.obstacle = "one step at a time is faster";
      return;
    }
    // Half as many steps, a quarter …, for what is left before somebody looks.
    const auto all = std::exchange(list, {{known, facts_of(g, known, bytes_of(program_.type)), 0}});
    for (int steps = known.steps / 2; steps > 1; steps /= 2)
      if (const auto c = std::ranges::find_if(all, [&](const auto& o) { return o.tile.steps == steps; }); c != all.end()) list.push_back(*c);
  }
  // The best of several numbers of steps, a few among them whatever the model says: heavy kernels fool it.
  std::vector<Candidate> chosen;
  for (const auto& c : list) {
    const int steps = c.tile.steps;
    if (wanted_ > 0 && steps != std::min(wanted_, most_)) continue;
    if (!trials_ && !chosen.empty()) break;
    const auto alike = std::ranges::count_if(chosen, [&](const auto& o) { return o.tile.steps == steps; });
    const bool always = steps == 1 || steps == 2 || steps == 4;
    if (alike < (wanted_ > 0 ? 2 : 1) && (always || chosen.size() < compiled)) chosen.push_back(c);
  }
  struct Code { std::string bytes, log; };
  const auto headers = headers_of(program_);
  std::vector<std::future<Code>> work;
  for (const auto& c : chosen)
    work.push_back(std::async(std::launch::async, [&, source = source_of(program_, c.tile, layout.stride[1], layout.stride[2])] {
      Code code;
      code.bytes = code_for(source, headers, architecture_, folder_, code.log);
      return code;
    }));
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    const Code code = work[n].get();
    if (code.bytes.empty()) program_.obstacle = "a sweep does not compile: " + code.log;
    const TileShape& t = chosen[n].tile;
    Device::Loaded loaded;
    if (device && !code.bytes.empty()) loaded = device->load(code.bytes, function_name, 32 * t.warps, static_cast<unsigned>(chosen[n].facts.shared_bytes));
    if (s.process.any(loaded.blocks == 0)) continue;  // none takes what one cannot
    const auto best = chunks(g, chosen[n], extent_, loaded.blocks * device->multiprocessors());
    tried_.push_back({chosen[n], loaded, chunk && n == 0 ? chunk : best.front(), chunk ? runs_a_trial : 0});
  }
  compile_seconds_ = std::chrono::duration<double>(steady::now() - begin).count();
  if (!device && program_.obstacle.empty())
    program_.obstacle = "there is no device; " + std::to_string(chosen.size()) + " sweeps were compiled for " + architecture_ + " in " + std::to_string(compile_seconds_) + " s";
  if (tried_.empty()) program_.obstacle = program_.obstacle.empty() ? "no tile fits" : program_.obstacle;
  else if (!trials_) tried_.resize(1);
  else if (wanted_ <= 1 && chunk == 0) {
    tried_.emplace_back();
    tried_.back().candidate.tile.steps = 0;
  }
}

// The first that has not run often enough yet and fits into so many quiet steps; null if there is none. A step of the flesh is
// timed only if nothing looks at it.
Engine::Tried* Engine::on_trial(int quiet) {
  if (tried_.size() == 1 || !trials_) return nullptr;
  for (auto& t : tried_)
    if (t.runs < runs_a_trial && (t.code.function ? t.candidate.tile.steps <= quiet : quiet > 1)) return &t;
  return nullptr;
}

int Engine::steps(Simulation& s, int quiet) {
  auto& device = s.services.get<Device>();
  if (step_begun_ != steady::time_point{}) {
    device.wait();
    timed(s, *std::ranges::find_if(tried_, [](const auto& t) { return !t.code.function; }),
          std::chrono::duration<double>(steady::now() - std::exchange(step_begun_, {})).count());
  }
  trial_ = on_trial(quiet);
  if (trial_ && !trial_->code.function) {
    device.wait();
    step_begun_ = steady::now();
    return 0;
  }
  const Tried* now = trial_ ? trial_ : best_for(quiet);
  return now ? now->candidate.tile.steps : 0;
}

// The best that takes no more steps than that; null where that is one step at a time.
const Engine::Tried* Engine::best_for(int quiet) const {
  for (const auto& t : tried_)
    if (!t.code.function || t.candidate.tile.steps <= quiet) return t.code.function ? &t : nullptr;
  return nullptr;
}

// A step on trial took so long; on the slowest process.
void Engine::timed(Simulation& s, Tried& t, double seconds) {
  s.services.get<Driver>().combine_over_processes(&seconds, sizeof seconds, [](void* a, const void* b) {
    *static_cast<double*>(a) = std::max(*static_cast<double*>(a), *static_cast<const double*>(b));
  });
  t.seconds = t.runs++ == 0 ? seconds : std::min(t.seconds, seconds);
  const bool all = std::ranges::all_of(tried_, [](const auto& o) { return o.runs >= runs_a_trial; });
  if (all) try_chunks(s);
}

// The fastest of all tiles is tried with other chunks, too.
void Engine::try_chunks(const Simulation& s) {
  std::ranges::stable_sort(tried_, {}, &Tried::seconds);
  if (chunks_tried_) return remember(s);
  chunks_tried_ = true;
  const Tried best = tried_.front();
  if (!best.code.function) return remember(s);
  for (int chunk : chunks(program_.program, best.candidate, extent_, best.code.blocks * s.services.get<Device>().multiprocessors()))
    if (chunk != best.chunk) tried_.push_back({best.candidate, best.code, chunk});
}

// What a sweep reads: interiors, ghost zones where there are any, and the boundary where neighbours are read or it is kept.
std::vector<VariableAccess> Engine::comes_in(const Simulation& s, const Facts& f) const {
  std::vector<VariableAccess> list;
  for (const auto& field : program_.fields) {
    const int reach = width_ > 0 ? widest(f) : field.at_offset || field.kind != StepProgram::Field::constant ? s.grid.ghosts[0] : 0;
    if (field.comes_in)
      list.push_back({field.group, field.component, field.kind == StepProgram::Field::past ? 1 : 0, Mode::read, Region::interior, reach, true});
    else if (s.grid.outer_faces(s.grid.levels[0]))
      list.push_back({field.group, field.component, 0, Mode::read, Region::boundary});
  }
  return list;
}

void Engine::advance(Simulation& s, int steps) {
  Tried* const trial = trial_;
  const Tried& now = trial ? *trial : *best_for(steps);
  auto& device = s.services.get<Device>();
  make_valid(s, 0, comes_in(s, now.candidate.facts), program_.stages.front()->id, Space::device);
  if (!trial) return launch(s, now), note(s);
  device.wait();
  const auto begin = steady::now();
  launch(s, *trial);
  device.wait();
  note(s);
  timed(s, *trial, std::chrono::duration<double>(steady::now() - begin).count() / trial->candidate.tile.steps);
}

void Engine::launch(Simulation& s, const Tried& t) {
  const auto& g = program_.program;
  const Facts& facts = t.candidate.facts;
  const Level& level = s.grid.levels[0];
  auto& device = s.services.get<Device>();
  const int bytes = bytes_of(program_.type), dim = g.dim;
  constexpr int far = 1 << 29;
  for (int b = 0; b < static_cast<int>(level.blocks.size()); ++b) {
    const Layout& layout = s.fields.layout(0, b);
    const Block& block = level.blocks[b];
    sweep::Arguments a{};
    for (std::size_t f = 0; f < program_.fields.size(); ++f) {
      const auto& field = program_.fields[f];
      const auto place = [&](int buffer) { return s.fields.address(field.group, field.component, buffer, 0, b, Space::device); };
      int in = field.kind == StepProgram::Field::past ? 1 : 0, out = 0;
      if (field.kind == StepProgram::Field::buffered) out = s.fields.buffers(field.group) - 1;
      if (field.kind == StepProgram::Field::integrated) out = s.services.get<TimeIntegrator>().update(s, field.group, 0).destination;
      a.in[f] = place(in), a.out[f] = place(out);
      const Box mine = level.points(block.cells, s.groups[field.group].centre, dim);
      for (int d = 0; d < 3; ++d) {
        a.stored[f].lo[d] = mine.lo[d] - layout.first[d], a.stored[f].hi[d] = mine.hi[d] - layout.first[d];
        if (f == 0 || a.stored[f].lo[d] < a.begin[d]) a.begin[d] = a.stored[f].lo[d];
        if (f == 0 || a.stored[f].hi[d] > a.end[d]) a.end[d] = a.stored[f].hi[d];
      }
    }
    a.begin[0] = 0;  // vectors begin where rows do
    for (int n = 0; n < g.stages; ++n) {
      const auto& r = *program_.stages[n];
      const auto out = std::ranges::find_if(r.accesses, [](const auto& x) { return x.mode != Mode::read; });
      a.g[n] = level.geometry(s.groups[out->group].centre);
      a.g[n].time = 0;  // no stage looks at it
      const Box mine = level.points(block.cells, s.groups[out->group].centre, dim);
      for (int d = 0; d < 3; ++d) {
        const bool low = d < dim && level.at_face(block.cells, d, 0), high = d < dim && level.at_face(block.cells, d, 1);
        a.changing[n].lo[d] = low ? mine.lo[d] - layout.first[d] : -far, a.changing[n].hi[d] = high ? mine.hi[d] - layout.first[d] : far;
      }
      if (g.stage[n].integrates) {
        const auto update = s.services.get<TimeIntegrator>().update(s, s.group_number(s.groups[out->group].rhs_of), 0);
        a.a[n] = update.epilogue.a[0], a.b[n] = update.epilogue.b;
      }
    }
    for (int d = 0; d < 3; ++d) {
      const int ghosts = d < dim ? s.grid.ghosts[d] : 0, vertex = d < dim ? 1 : 0;
      a.readable.lo[d] = -ghosts, a.readable.hi[d] = block.cells.extent(d) + vertex + ghosts;
      a.first[d] = layout.first[d];
      a.period.lo[d] = level.periodic[d] ? level.domain.lo[d] : -far, a.period.hi[d] = level.periodic[d] ? level.domain.hi[d] : far;
    }
    const int align = 128 / bytes;  // rows begin a whole number of lines before the first point
    a.readable.lo[0] = -(s.grid.ghosts[0] + align - 1) / align * align, a.readable.hi[0] = static_cast<int>(layout.stride[1]);  // the next row's left ghosts end there
    a.chunk = t.chunk;
    const auto tiles = static_cast<unsigned>((a.end[0] + facts.inner_x - 1) / facts.inner_x), warps = static_cast<unsigned>(t.candidate.tile.warps);
    const auto parts = static_cast<unsigned>((a.end[dim - 1] - a.begin[dim - 1] + t.chunk - 1) / t.chunk);
    DeviceCall call{t.code.function, {1, 1, 1}, {32 * warps, 1, 1}, 1 + g.stages, {&a}, {sizeof a}, static_cast<unsigned>(facts.shared_bytes)};
    if (dim == 3) call.grid[0] = static_cast<unsigned>((a.end[1] - a.begin[1] + facts.inner_y - 1) / facts.inner_y), call.grid[1] = tiles, call.grid[2] = parts;
    if (dim == 2) call.grid[0] = parts, call.grid[1] = (tiles + warps - 1) / warps;
    if (dim == 1) call.grid[0] = (tiles + warps - 1) / warps;
    for (int n = 0; n < g.stages; ++n) {
      call.argument[1 + n] = program_.stages[n]->table->kernel.get();
      call.bytes[1 + n] = static_cast<unsigned>(program_.stages[n]->table->kernel_size);
    }
    device.start(call, "time tiles of " + program_.stages.front()->item->full_name());
  }
}

// What was written is valid, and is the present.
void Engine::note(Simulation& s) {
  const Why why{s.clock.iteration, program_.stages.front()->id};
  for (std::size_t f = 0; f < program_.fields.size(); ++f) {
    const auto& field = program_.fields[f];
    if (field.kind == StepProgram::Field::constant) continue;
    int to = 0;
    if (field.kind == StepProgram::Field::buffered) to = s.fields.buffers(field.group) - 1;
    if (field.kind == StepProgram::Field::integrated) to = s.services.get<TimeIntegrator>().update(s, field.group, 0).destination;
    auto& v = s.fields.validity(field.group, field.component, to, 0);
    v.wrote_interior(Space::device, why);
    if (!program_.program.stored[f]) v[Space::device].interior = false;
    const bool last = f + 1 == program_.fields.size() || program_.fields[f + 1].group != field.group;
    if (to != 0 && last) s.fields.swap(field.group, 0, 0, to);
  }
}

std::string Engine::report() const {
  if (tried_.empty()) return "time tiles: none, because " + program_.obstacle + "\n";
  std::ostringstream out;
  out << "time tiles of";
  for (const auto* r : program_.stages) out << ' ' << r->item->full_name();
  out << ", compiled in " << compile_seconds_ << " s\n  steps  rows warps lanes  chunk  registers spilled blocks  redundant  ns a step\n";
  for (const auto& t : tried_) {
    const auto& f = t.candidate.facts;
    if (!t.code.function) {
      char line[160];
      std::snprintf(line, sizeof line, "      1, by the loop that was compiled ahead of time %39.0f\n", 1e9 * t.seconds);
      out << line;
      continue;
    }
    const double twice = double(f.width) / f.inner_x * f.height / f.inner_y * (t.chunk > 1 ? 1 + double(f.lag) / t.chunk : 1);
    char line[160];
    std::snprintf(line, sizeof line, "  %5d %5d %5d %5d %6d  %9d %7d %6d  %8.2f  %10.0f\n", t.candidate.tile.steps, t.candidate.tile.rows, t.candidate.tile.warps,
                  t.candidate.tile.lanes, t.chunk, t.code.registers, t.code.spilled, t.code.blocks, program_.program.dim == 3 ? twice : twice / f.height, 1e9 * t.seconds);
    out << line;
  }
  return out.str();
}
}  // namespace CaKernel
