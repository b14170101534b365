// A simulation between the calls of a program: assembled from parameters when somebody first needs it, and again once
// more was said; what fields hold goes over.
#pragma once
#include "cereus/simulation.hpp"
#include "parameter/parameter_file.hpp"
#include "run/assemble.hpp"
#include "run/carry.hpp"
#include "run/catalog.hpp"
#include "run/devices.hpp"
#include "run/languages.hpp"
#include "run/run.hpp"
namespace cereus::view {
class Session {
 public:
  virtual ~Session() = default;
  RunOptions options;
  bool fresh = false;
  std::string name;
  Process process;
  ParameterFile parameters;
  std::vector<std::string> silent;  // thorns that write nothing into the output folder
  Simulation simulation;
  std::optional<Run> run;                     // once it is assembled
  bool changed = true, out = false;           // since it was assembled; whether the first step is prepared
  bool sound = true;                          // false: what failed left it halfway
  static constexpr double longest_wait = 10;  // seconds, of a process that failed, for others that may wait for it

  void ensure();   // that the simulation has all that was said
  void set_out();  // that it is ready for steps
  // Throws Error if it holds nothing; what is computed on demand is computed.
  VariableAccess readable(const VariableAccess&);
  // Carries out, now, what a thorn schedules with these parameters, a block of YAML. Collective.
  void carry_out(const std::string& thorn, const std::string& block);
  // target = formula, which the thorn does with these parameters, or code of its own where that took long. Collective.
  void assign(const AssignmentThorn&, const std::string& thorn, const std::string& block);

 protected:
  virtual std::vector<LoadedThorn> given() const { return {}; }  // the program's own thorn
  virtual void check(Simulation&) {}                             // throws Error if it cannot be the program's
  virtual void assembled() {}                                    // is called when that was done

 private:
  Simulation next();
  bool writes() const;
  void open(const Taken&, bool again);
  void compute(const VariableAccess&);
  struct ByHand {  // routines beside those of the schedule
    Parameters parameters;
    std::vector<int> routines;
  };
  struct Assigned {
    double seconds = 0;                                  // which the thorn took so far
    bool looked = false, there = false, failed = false;  // in the cache; whether all have its code; no compiler
    std::optional<ByHand> made;
  };
  ByHand made_of(const LoadedThorn&, const std::string& block);
  void carry_out(const ByHand&);
  void forget_by_hand();
  bool compiled(Assigned&, const AssignmentThorn&);
  bool looked_ = false;           // at initial data
  std::filesystem::path opened_;  // the folder that is this run's
  static constexpr std::size_t most_by_hand = 500;
  std::map<std::string, ByHand> by_hand_;  // what carry_out() made, by thorn and parameters
  std::vector<int> free_;                  // routines of what was forgotten
  std::map<std::string, Assigned> assigned_;
};

// Between a box of a block, on the host, and the same packed, x fastest.
void copy_out(Simulation&, const VariableAccess&, int block, const Box&, char* packed);
void copy_in(Simulation&, const VariableAccess&, int block, const Box&, const char* packed);
char* address(Simulation&, const VariableAccess&, int block, const Index&);
// A message that asks for a thorn, in the words of a program: in place of `thorns:` it has a call, such as w.thorn.
std::string in_a_program(const std::string& call, std::string message);
// Of the coarsest level, box by box of the whole: calls on rank 0; x fastest. Collective.
void gather(Simulation&, const VariableAccess&, const std::function<void(const Box&, const char*)>&);
void scatter(Simulation&, const VariableAccess&, const std::function<void(const Box&, char*)>&);
}  // namespace cereus::view
