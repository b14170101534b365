// Whether all processes fail at once, as they do when a thorn refuses its parameters.
#pragma once
namespace cereus {
// Called by a process that has failed. True if all others call it, too, within so many seconds.
bool all_fail(double patience);
// MPI's end after that, which messages under way may hold up: after so many seconds all processes are ended instead.
void finish_failed(int code, double patience);
}  // namespace cereus
