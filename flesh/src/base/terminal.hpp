// Whether somebody reads this process's output on a terminal.
#pragma once
namespace cereus {
// Environment variable that a launching process sets for its children: 1 if its output goes to a terminal, else 0.
inline constexpr const char* terminal_variable = "CEREUS_TERMINAL";
bool under_launcher();  // whether mpirun or a batch system started this process
void note_terminal();   // sets the variable; call it before MPI starts, which replaces the output by a terminal of its
                        // own
bool on_terminal();     // false if note_terminal was not called
}  // namespace cereus
