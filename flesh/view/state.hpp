// What a program has declared, and the simulation that was assembled from it.
#pragma once
#include "cereus/view/program.hpp"
#include "run/session.hpp"
#include "view/session.hpp"
namespace cereus::view {
struct Scheduled {  // a map
  std::string name;
  Program::Scheduler schedule;
  std::optional<Part> part;
};

inline constexpr const char* keeping = " keeps ";  // in names of kernels, between a map and a variable

struct Program::State : Session {
  int dim = 3;
  ScalarType real = ScalarType::float64;
  ThornRecord thorn;
  std::string graph;  // "text" or "dot": the schedule is shown, and nothing runs
  std::vector<Scheduled> maps;
  std::map<std::pair<int, int>, int> near;     // how far expressions reach, by group and component
  int second_buffer[2] = {-1, -1};             // groups, by centre
  std::vector<std::function<void()>> pending;  // assignments to what is not there yet
  std::vector<Node> evolve;                    // all that the bin `evolve` may hold: maps, and what thorns put there
  std::vector<Step> chosen;                    // what it holds of the maps
  int planned = 0;  // iterations that the program has asked for: after a restart fewer than there are

  void choose(const std::vector<Step>&);
  // How far a kernel reads each of these variables. What the simulation lacks for that is noted as a change.
  std::vector<Recording> note_reads(const Program&, const KernelTable&, std::span<const Variable>);
  std::vector<VariableAccess> reads(std::span<const Recording>, std::span<const Variable>);
  Variable second_buffer_for(const Variable&);  // with the same points; made if there is none
  bool behind() const { return planned < simulation.clock.iteration; }
  VariableAccess access(const Variable&, Mode = Mode::read) const;
  VariableAccess readable(const Variable& v) { return Session::readable(access(v)); }

 protected:
  std::vector<LoadedThorn> given() const override;
  void check(Simulation&) override;
  void assembled() override;

 private:
  void schedule_part(Schedule&, const Scheduled&, const std::string& after) const;
  void check_parts(const Simulation&) const;
  std::vector<Step> all_maps() const;
  std::vector<Node> nodes_of(const Simulation&, const std::vector<Node>& bin, const std::vector<Step>&) const;
  bool has_neighbours(const Variable&, int reach) const;
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
