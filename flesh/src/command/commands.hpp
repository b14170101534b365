// The sub-commands of `cereus`; each returns the exit code: 0 done, 1 error in the input, 2 stopped early, 3 failed.
#pragma once
#include <sys/types.h>

#include <functional>

#include "run/assemble.hpp"
namespace cereus {
struct Options : RunOptions {
  int processes = 0;  // -n: start so many under mpirun
  bool fresh = false, quiet = false;
  std::string name, graph_format = "text";
  std::string stage;              // of equations: which to show,
  int dimensions = 0, order = 0;  // and for which grid; 0: the last dimension, the default order
  std::string thorn;              // of a stencil program: what the thorn is called
  std::string like;               // of new-thorn: which to copy
  bool why = false;               // of graph: reasons of the order
  std::string code_file;          // of run, by its launching process: takes the exit code
  int argc = 0;
  char** argv = nullptr;
};
int command_run(const Options&);
int command_check(const Options&);
int command_list(const Options&);
int command_describe(const Options&);
int command_graph(const Options&);
int command_schema(const Options&);
int command_new_thorn(const Options&);
int command_supervise(const Options&);
int command_watch(const Options&);
int command_reproduce(const Options&);
int command_equations(const Options&);
int command_python(const Options&);                     // plot, sweep, convergence, submit, jobs
std::vector<std::string> words_of_run(const Options&);  // the command line of `cereus run`, without -n
// Runs a child until it ends; returns how, as waitpid() says. Each signal that asks for an end or a checkpoint goes to
// `forward`, and where that returns false again after a moment. `mend`: what may help if the child cannot be started.
int run_child(std::vector<std::string> words, const std::function<bool(pid_t, int signal, bool first)>& forward,
    const char* mend = "");
int start_processes(const Options&);  // mpirun as a child; returns its exit code
int cores_here();                     // that this process may use
// mpirun and its options: it lets more processes than cores, and root, run only where it is told to.
std::vector<std::string> words_of_launcher(int processes, int cores, bool root);
// All processes listen to signals from here on: the launching process, if there is one, may send them.
void tell_launcher(const std::string& file, int rank);
// What a process exits with at the end of a run: 0 where a launching process reads the code from a file, since mpirun
// takes seconds to end a job in which a process returns anything else.
int code_for_launcher(const std::string& file, int code, int rank);
}  // namespace cereus
