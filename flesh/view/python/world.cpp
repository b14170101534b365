// The module `cereus._world`: a simulation as Python calls it. Its surface is cereus/world.py, which says in YAML what
// there is. No call ends the process; Python's other threads run meanwhile.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <unordered_map>

#include "cereus/console.hpp"
#include "cereus/hash.hpp"
#include "cereus/text.hpp"
#include "dlpack.hpp"
#include "exec/valid.hpp"
#include "observe/folder.hpp"
#include "run/session.hpp"
#include "schedule/build.hpp"
#include "view/rows.hpp"
#include "view/session.hpp"

namespace cereus::view {
namespace py = pybind11;
namespace {
const Process& started() {
  static const Process process = Process::start(nullptr, nullptr);
  return process;
}

// Of the World that was made last; before there is one, a process that has not started MPI.
Process& latest() {
  static Process process;
  return process;
}

// Ctrl-C ends a run after its step; Python hears of it then.
class Interruptible {
 public:
  explicit Interruptible(const Process& p) : before_(p.size() == 1 ? std::signal(SIGINT, on_interrupt) : SIG_ERR) {
    interrupted = 0;
  }
  ~Interruptible() {
    if (before_ != SIG_ERR) std::signal(SIGINT, before_);
    ask_to_stop(false);
  }
  Interruptible(const Interruptible&) = delete;
  static inline volatile std::sig_atomic_t interrupted = 0;

 private:
  static void on_interrupt(int) {
    interrupted = 1;
    ask_to_stop();
  }
  void (*before_)(int);
};

// The points of a variable that a block of this process owns, where they lie. Holds the memory, and nothing else.
struct Piece {
  std::shared_ptr<const Fields> memory;
  std::uintptr_t address = 0;
  ScalarType type = ScalarType::float64;
  bool on_device = false, writable = false;
  std::vector<std::int64_t> shape, strides, offset;  // slowest axis first; strides in bytes; offset: global index
  std::vector<double> first, spacing;                // coordinates of the first point
  int level = 0;

  py::dict interface() const {
    constexpr const char* names[] = {"<f4", "<f8", "<c8", "<c16", "<i4"};
    py::dict d;
    d["version"] = 3, d["typestr"] = names[static_cast<int>(type)];
    d["data"] = py::make_tuple(address, !writable);
    d["shape"] = py::tuple(py::cast(shape)), d["strides"] = py::tuple(py::cast(strides));
    return d;
  }
  py::capsule dlpack(int device) const {
    std::vector<std::int64_t> steps = strides;
    for (auto& step : steps) step /= static_cast<std::int64_t>(size_of(type));
    return dl_capsule(
        reinterpret_cast<void*>(address), {on_device ? kDLCUDA : kDLCPU, device}, type, shape, steps, memory);
  }
};

// One call at a time in this process: all Worlds share MPI, the device and what a run says.
class Alone {
 public:
  Alone() {
    if (busy.exchange(true))
      throw Error("another thread of this program is in a call of a World; call Worlds from one thread at a time");
  }
  ~Alone() { busy = false; }
  Alone(const Alone&) = delete;

 private:
  static inline std::atomic<bool> busy = false;
};

class World : public Session {
 public:
  // `communicator`: MPI's Fortran handle of the processes that have this World; none: all have it.
  World(const std::string& program, bool anew, bool verbose, std::optional<int> communicator) {
    options.file = name = program;
    fresh = anew;
    process = communicator ? Process::within(*communicator) : started();
    latest() = process;
    set_threads(process);
    console::set_rank(process.rank(), process.size());
    console::set_quiet(!verbose);
  }
  ~World() override { close_folder(simulation); }

  void describe(const std::string& text, std::vector<std::string> quiet, std::vector<std::string> looked) {
    Problems problems;
    ParameterFile next = parameter_file_from(parse_yaml(text, name + ".yaml", problems), problems);
    problems.throw_if_any();
    parameters = std::move(next), silent = std::move(quiet), looked_at = std::move(looked);
    silent.emplace_back(observer);
    changed = true;
  }
  void ready() {
    if (!sound) throw Error("this World has failed, as was said before; make another");
    const bool first = !run;
    try {
      ensure();
    } catch (...) {
      if (first) run.reset(), simulation = {}, sound = changed = true;
      throw;
    }
    note(simulation.clock);
  }
  // "done", "interrupted" or "stopped"; the limits are those of a parameter file.
  std::string steps(std::int64_t iterations, double final_time) {
    ready();
    sound = false;  // until this ends
    Parameters& flesh = simulation.parameters.at("Cereus");
    flesh.set("iterations", iterations), flesh.set("final_time", final_time);
    const Interruptible now(process);
    Ended ended{};
    process.agree(
        [&] {
          set_out();
          note(simulation.clock);
          ended = run->steps([this](const Clock& c) { note(c); });
          if (ended != Ended::failed) return;
          run->finish(ended);
          throw Failure(simulation.failure);
        },
        longest_wait);
    sound = true;
    return ended == Ended::done ? "done" : Interruptible::interrupted ? "interrupted" : "stopped";
  }
  // Iteration and time after the last step, for a thread that watches.
  std::pair<int, double> reached() const { return {iteration_, time_}; }
  // Collective. The destructor is not: it may come whenever Python likes.
  void close() {
    const bool whole = std::exchange(sound, false) && run && !changed;
    std::string failure;
    if (whole)
      process.agree(
          [&] {
            process.any(false);  // that all close, before outputs of the end wait for the others
            set_out();
            run->finish(Ended::done);
            failure = simulation.failure;
          },
          longest_wait);
    run.reset();
    close_folder(simulation);
    close_services(simulation);
    simulation = {};
    if (!failure.empty()) throw Failure(failure);
  }

  Reduction::Norms norms(const std::string& variable) {
    ready();
    if (!process.same(variable))
      throw Error("the processes ask for values of different grid functions, this one of " + variable +
                  "; each makes the same calls in the same order");
    const VariableAccess a = readable(access(variable));
    return simulation.services.get<Reduction>().reduce(simulation, a.group, a.component);
  }
  double cell_volume() const {  // 0 where cells differ
    const Patch& space = simulation.grid.levels[0].space;
    double volume = space.stretched() || levels() > 1 ? 0 : 1;
    for (int d = 0; d < simulation.grid.dim; ++d) volume *= space.spacing[d];
    return volume;
  }
  std::vector<Piece> pieces(const std::string& variable, bool on_device, bool writable) {
    VariableAccess a = readable(access(variable));
    Simulation& s = simulation;
    on_device = on_device && s.services.find<Device>();
    if (writable) a.mode = Mode::update;
    make_valid(s, s.grid.all(), {&a, 1}, -1, on_device ? Space::device : Space::host);
    wait_for_all(s);
    const auto memory = std::make_shared<Fields>(s.fields);
    std::vector<Piece> list;
    for (int b = 0; b < static_cast<int>(s.grid.blocks.size()); ++b) list.push_back(piece(a, b, memory, on_device));
    for (Piece& p : list) p.writable = writable;
    return list;
  }
  void wrote(const std::string& variable, bool on_device) {
    VariableAccess a = access(variable);
    a.mode = Mode::update;
    for (int l = 0; l < levels(); ++l)
      note_write(simulation, l, a, on_device ? Space::device : Space::host, {simulation.clock.iteration, -1});
  }
  int levels() const { return static_cast<int>(simulation.grid.levels.size()); }
  // The blocks of each level, of all processes together.
  std::vector<int> blocks() {
    ready();
    std::vector<int> numbers;
    for (int l = 0; l < levels(); ++l)
      numbers.push_back(static_cast<int>(simulation.services.get<Driver>().all_blocks(simulation.grid, l).size()));
    return numbers;
  }
  Box points(const VariableAccess& a) const {
    if (levels() > 1)
      throw Error("this World has " + std::to_string(levels()) +
                  " levels, and a grid function no array of all its points; u.blocks() are those of this process, "
                  "w.output(u, \"u.hdf\") writes them all");
    return simulation.grid.levels[0].space.points(simulation.groups[a.group].centre, simulation.grid.dim);
  }
  std::vector<std::int64_t> shape(const std::string& variable) {
    const Box all = points(access(variable));
    std::vector<std::int64_t> extents;
    for (int d = simulation.grid.dim; d-- > 0;) extents.push_back(all.extent(d));
    return extents;
  }
  void out(const std::string& variable, std::uintptr_t whole) {
    const VariableAccess a = readable(access(variable));
    const Box all = points(a);
    gather(simulation, a, [&](const Box& box, const char* data) {
      for_each_row(all, box, size_of(simulation.type(a.group)), [&](auto at, auto packed, auto bytes) {
        std::memcpy(reinterpret_cast<char*>(whole) + at, data + packed, bytes);
      });
    });
  }
  void in(const std::string& variable, std::uintptr_t whole) {
    VariableAccess a = access(variable);
    a.mode = Mode::write;
    const Box all = points(a);
    scatter(simulation, a, [&](const Box& box, char* data) {
      for_each_row(all, box, size_of(simulation.type(a.group)), [&](auto at, auto packed, auto bytes) {
        std::memcpy(data + packed, reinterpret_cast<const char*>(whole) + at, bytes);
      });
    });
  }
  void now(const std::string& thorn, const std::string& block, const std::string& folder) {
    ready();
    const auto before = simulation.output;
    if (!folder.empty()) simulation.output = folder;
    try {
      process.agree([&] { carry_out(thorn, block); }, longest_wait);
    } catch (...) {
      simulation.output = before;
      throw;
    }
    simulation.output = before;
  }
  // target = formula, which a thorn does if it stands in the list `key` of its parameters.
  void assign(const std::string& target, const std::string& formula, const std::string& thorn, const std::string& key) {
    ready();
    const std::string text = target + " = " + formula;
    if (codes_.size() > 1000) codes_.clear();
    auto& code = codes_[text];
    if (!code) code = std::make_unique<AssignmentThorn>(languages().assignment(target, parse_formula(formula, true)));
    Session::assign(*code, thorn, "{" + key + ": [\"" + text + "\"]}");
  }
  // Numbers that the kernels of a thorn take from now on.
  void steer(const std::string& thorn, const std::map<std::string, double>& numbers) {
    ready();
    wait_for_all(simulation);
    for (const auto& [parameter, number] : numbers) simulation.parameters.at(thorn).set(parameter, number);
    for (const Routine& r : simulation.routines)
      if (r.item->thorn == thorn) set_members(simulation, r);
  }
  std::string type(const std::string& variable) {
    return std::string(name_of(simulation.type(access(variable).group)));
  }
  std::string centring(const std::string& variable) {
    const auto& centre = simulation.groups[access(variable).group].centre;
    const auto cells = std::count(centre.begin(), centre.begin() + simulation.grid.dim, Centre::cell);
    return cells == 0 ? "vertices" : cells == simulation.grid.dim ? "cells" : "faces";
  }
  // What process 0 has to say, on all.
  std::string from_first(const std::string& text) { return process.broadcast(text); }
  const Clock& clock() const { return simulation.clock; }

 private:
  VariableAccess access(const std::string& variable) {
    ready();
    const int v = simulation.variable_number(variable);
    if (v < 0) {
      std::vector<std::string> known;
      for (const auto& one : simulation.variables) known.push_back(one.name);
      throw Error("there is no variable '" + variable + "'" + did_you_mean(variable, known));
    }
    const VariableInfo& found = simulation.variables[static_cast<std::size_t>(v)];
    if (simulation.groups[found.group].kind != GroupKind::grid_function) throw Error(variable + " is no grid function");
    if (simulation.fields.buffers(found.group) == 0) throw Error(variable + " has no storage: nothing reads it");
    return {found.group, found.component};
  }
  Piece piece(const VariableAccess& a, int b, const std::shared_ptr<const Fields>& memory, bool on_device) const {
    const Simulation& s = simulation;
    const Group& g = s.groups[a.group];
    const Box box = s.grid.points(s.grid.blocks[b], g.centre);
    const Layout& layout = s.fields.layout(b);
    Piece p;
    p.level = s.grid.blocks[b].level;
    p.memory = memory, p.type = s.type(a.group), p.on_device = on_device;
    const auto size = static_cast<Offset>(size_of(p.type));
    const Space space = on_device ? Space::device : Space::host;
    p.address = reinterpret_cast<std::uintptr_t>(s.fields.address(a.group, a.component, a.timelevel, b, space) +
                                                 layout.at(box.lo[0], box.lo[1], box.lo[2]) * size);
    for (int d = s.grid.dim; d-- > 0;) {
      const Patch& patch = s.grid.levels[static_cast<std::size_t>(p.level)].space;
      p.shape.push_back(box.extent(d)), p.strides.push_back(layout.stride[d] * size), p.offset.push_back(box.lo[d]);
      p.first.push_back(patch.coordinate(d, g.centre[d], box.lo[d])), p.spacing.push_back(patch.spacing[d]);
    }
    return p;
  }
  // What the program looks at is computed and kept, though no output reads it.
  std::vector<LoadedThorn> given() const override {
    if (looked_at.empty()) return {};
    ThornRecord record;
    record.name = observer, record.description = "What the program looks at", record.path = name;
    LoadedThorn t{Plugin{observer, name, hash_of(name), {}, nullptr}, record};
    t.schedule = [looked = looked_at](Schedule& s, const Parameters&) {
      s.routine("look", "What the program looks at", [](Context&) {})
          .reads(looked)
          .at(bin::analysis)
          .every({.never = true});
    };
    return {t};
  }
  void note(const Clock& c) { iteration_ = c.iteration, time_ = c.time; }
  static constexpr const char* observer = "Python";
  std::atomic<int> iteration_ = 0;
  std::atomic<double> time_ = 0;
  std::vector<std::string> looked_at;
  std::unordered_map<std::string, std::unique_ptr<AssignmentThorn>> codes_;  // of assignments, by their text
};

void translate(std::exception_ptr thrown) {
  const auto raise = [](const char* type, const char* what) {
    const std::string text = in_a_program("w.thorn", what);
    PyErr_SetString(py::module_::import("cereus.needs").attr(type).ptr(), text.c_str());
  };
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const py::builtin_exception&) { throw; } catch (const Error& e) {
    raise("Mistake", e.what());
  } catch (const std::exception& e) { raise("Failure", e.what()); }
}
}  // namespace

PYBIND11_MODULE(_world, m) {
  m.doc() = "A simulation, as cereus/world.py uses it";
  py::register_exception_translator(translate);
  m.def("finish", [] { latest().finish(); });
  m.def("abort", [](int code) { latest().abort(code); });
  py::class_<Piece>(m, "Piece")
      .def_property_readonly("interface", &Piece::interface)
      .def("dlpack", &Piece::dlpack)
      .def_readonly("on_device", &Piece::on_device)
      .def_readonly("level", &Piece::level)
      .def_readonly("shape", &Piece::shape)
      .def_readonly("offset", &Piece::offset)
      .def_readonly("first", &Piece::first)
      .def_readonly("spacing", &Piece::spacing);
  const py::call_guard<Alone, py::gil_scoped_release> free;
  py::class_<World>(m, "World")
      .def(py::init<const std::string&, bool, bool, std::optional<int>>(), free)
      .def("describe", &World::describe, free)
      .def("ready", &World::ready, free)
      .def("steps", &World::steps, free)
      .def("close", &World::close, free)
      .def("norms",
          [](World& w, const std::string& variable) {
            const auto n = [&] {
              const Alone alone;
              const py::gil_scoped_release release;
              return w.norms(variable);
            }();
            const double volume = w.cell_volume();  // 0: cells differ
            return py::make_tuple(n.minimum, n.maximum,
                volume > 0 ? py::object(py::float_(n.sum / volume)) : py::none(), n.norm2, n.average, n.sum);
          })
      .def("pieces", &World::pieces, free)
      .def("wrote", &World::wrote, free)
      .def("blocks", &World::blocks, free)
      .def("shape", &World::shape, free)
      .def("type", &World::type, free)
      .def("centring", &World::centring, free)
      .def("out", &World::out, free)
      .def("into", &World::in, free)
      .def("now", &World::now, free)
      .def("assign", &World::assign, free)
      .def("steer", &World::steer, free)
      .def("from_first", &World::from_first, free)
      .def_property_readonly("iteration", [](const World& w) { return w.clock().iteration; })
      .def_property_readonly("time", [](const World& w) { return w.clock().time; })
      .def_property_readonly("reached", &World::reached)
      .def_property_readonly("dt", [](const World& w) { return w.clock().dt; })
      .def_property_readonly("output", [](const World& w) { return w.simulation.output.string(); })
      .def_property_readonly("rank", [](const World& w) { return w.process.rank(); })
      .def_property_readonly("processes", [](const World& w) { return w.process.size(); });
}
}  // namespace cereus::view
