// Threads and signals of a process, its greeting, and its end after an error.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// Starts the program anew if OpenMP's threads would spin for long: OpenMP looks at the environment before main()
// begins.
void spin_briefly(char** argv);
void set_threads(const Process&);  // as many as there are cores for each process of the host
// Where some have a device: one for each of these, and what they leave for the others.
void set_threads_of_two_kinds(const Simulation&);
// SIGTERM, SIGINT, SIGHUP and SIGUSR2 ask for a stop, SIGUSR1 for a checkpoint; what was ignored at the first call
// stays so (nohup). To be called again where a library may have taken signals.
void listen_to_signals();
inline constexpr std::string_view interrupted = "\nthe run stops after this step; a second Ctrl-C ends it at once\n";
void greet(const Simulation&);  // one line: grid, thorns, processes, memory
// Says why, and ends MPI where all processes have failed, for which rank 0 speaks; else ends all processes, and does
// not return. The folder of the run says that it failed, if `code` is 3.
void fail(const Simulation&, const char* what, int code);
}  // namespace cereus
