// The main loop.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
enum class Ended { done, stopped, failed };  // stopped: early, and it can go on; failed: Simulation::failure says why
Ended run(Simulation&);
void ask_to_stop();         // from a signal handler: the run ends after this step
void ask_for_checkpoint();  // from a signal handler, too: after this step
}  // namespace cereus
