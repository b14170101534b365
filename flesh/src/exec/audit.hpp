// Audit mode: checks what routines declare against what they do.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// Runs a routine, with all grid functions compared before and after: throws Failure naming routine, variable and point
// where something is written that was not declared, or left unwritten that was.
void run_audited(Simulation&, Routine&, Selection);
// Compares what a kernel reads at an offset with what it declares, and with what the flesh knows and hence exchanges.
void watch_reads(Simulation&, const Routine&, LaunchRequest);
}  // namespace cereus
