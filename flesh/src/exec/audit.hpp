// Audit mode: checks that routines read and write what they declare, and nothing else.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// Runs a routine and compares all grid functions before and after. Throws a Failure that names routine, variable and
// point if the routine wrote a value that it did not declare, or left a declared one unwritten.
void run_audited(Simulation&, Routine&, Selection);
// Compares the offsets at which a kernel reads with those that its handles declare, and with those that the flesh knows
// from recording the kernel and therefore exchanges.
void watch_reads(Simulation&, const Routine&, LaunchRequest);
}  // namespace cereus
