// What a program has declared, and the simulation that was assembled from it.
#pragma once
#include "cereus/view/program.hpp"
#include "run/session.hpp"
#include "view/session.hpp"
namespace cereus::view {
struct Map {
  std::string name;
  Program::Scheduler schedule;
};

struct Program::State : Session {
  int dim = 3;
  ScalarType real = ScalarType::float64;
  ThornRecord thorn;
  std::vector<Map> maps;
  std::vector<std::function<void()>> pending;  // assignments to what is not there yet
  std::vector<Node> evolve;                    // all that the bin `evolve` may hold: maps, and what thorns put there
  std::vector<Step> chosen;                    // what it holds of the maps
  int planned = 0;  // iterations that the program has asked for: after a restart fewer than there are

  void choose(const std::vector<Step>&);
  bool behind() const { return planned < simulation.clock.iteration; }
  VariableAccess access(const Variable&, Mode = Mode::read) const;
  VariableAccess readable(const Variable& v) { return Session::readable(access(v)); }

 protected:
  std::vector<LoadedThorn> given() const override;
  void check(const Simulation&) const override;
  void assembled() override;

 private:
  bool tiles_fit();
};

// What goes wrong ends the program, on all processes.
template <class F> void guarded(auto& s, F&& f) {
  const auto end = [&](const std::exception& e, int code) {
    s.simulation.process = s.process;  // it may not be assembled yet
    fail(s.simulation, in_a_program("world.activate", e.what()).c_str(), code);
  };
  try {
    f();
  } catch (const Error& e) { end(e, 1); } catch (const std::exception& e) {
    end(e, 3);
  }
}
Where where(const Place&);  // the file without its folders
}  // namespace cereus::view
