#include "base/terminal.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace cereus {
bool under_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"})
    if (std::getenv(name)) return true;
  return false;
}

// A process that a foreign launcher started counts as read by nobody: its output may be a pipe or a terminal of mpirun.
void note_terminal() { setenv(terminal_variable, isatty(STDOUT_FILENO) && !under_launcher() ? "1" : "0", 0); }

bool on_terminal() {
  const char* value = std::getenv(terminal_variable);
  return value && std::string_view(value) == "1";
}
}  // namespace cereus
