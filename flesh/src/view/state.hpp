// What a program has declared, and the simulation that was assembled from it.
#pragma once
#include "cereus/view/program.hpp"
#include "parameter/parameter_file.hpp"
#include "run/assemble.hpp"
#include "run/catalog.hpp"
#include "run/run.hpp"
#include "run/session.hpp"
namespace cereus::view {
// In memory, of the interiors and what else is to be kept, where a simulation is assembled anew.
struct Saved {
  struct Piece {
    std::string group;
    int component, timelevel, level;
    Box box;
    bool boundary;
    std::vector<char> data;
  };
  std::vector<Piece> pieces;
  std::map<std::string, std::vector<char>> plain;  // of each timelevel and component
  Clock clock;
  std::vector<Clock> levels;
};

struct Map {
  std::string name;
  Program::Scheduler schedule;
};

struct Program::State {
  RunOptions options;
  bool fresh = false;
  std::string name;
  int dim = 3;
  ScalarType real = ScalarType::float64;
  Process process;

  ParameterFile parameters;
  int usual_thorns = 0;  // that come first, whether or not the program activates any
  ThornRecord thorn;
  std::vector<Map> maps;
  std::vector<std::function<void()>> pending;  // assignments to what is not there yet

  Simulation simulation;
  std::optional<Run> run;            // once it is assembled
  std::vector<Node> evolve;          // all that the bin `evolve` may hold: maps, and what thorns put there
  std::vector<Step> chosen;          // what it holds of the maps
  bool changed = true, out = false;  // since it was assembled; whether the first step is prepared
  int planned = 0;                   // iterations that the program has asked for: after a restart fewer than there are

  void ensure();   // that the simulation has all that is declared
  void set_out();  // that it is ready for steps
  void choose(const std::vector<Step>&);
  bool behind() const { return planned < simulation.clock.iteration; }
  VariableAccess access(const Variable&, Mode = Mode::read) const;
  VariableAccess readable(const Variable&) const;  // throws Error if it holds nothing

 private:
  Simulation assembled();
  bool writes() const;
  LoadedThorn as_thorn() const;
  void open(const std::shared_ptr<Device>&, bool again);
  bool tiles_fit();
};

Saved save(Simulation&);
void put_back(Simulation&, const Saved&);
// Between a box of a block, on the host, and the same packed, x fastest.
void copy_out(Simulation&, const VariableAccess&, int block, const Box&, char* packed);
void copy_in(Simulation&, const VariableAccess&, int block, const Box&, const char* packed);
char* address(Simulation&, const VariableAccess&, int block, const Index&);

// What goes wrong ends the program, on all processes.
template <class F> void guarded(auto& s, F&& f) {
  const auto end = [&](const std::exception& e, int code) {
    s.simulation.process = s.process;  // it may not be assembled yet
    fail(s.simulation, e.what(), code);
  };
  try {
    f();
  } catch (const Error& e) { end(e, 1); } catch (const std::exception& e) {
    end(e, 3);
  }
}
Where where(const Place&);  // the file without its folders
}  // namespace cereus::view
