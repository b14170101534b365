// In which order a large kernel computes, and where its values wait until they are needed: in registers, of which there
// are too few, or in slots. Text order needs several times as many slots as a good one (2.5 times slower on an H200).
#pragma once
#include <string>
#include <vector>
namespace cereus::equations {
struct Step {
  int out = -1;                // the value that it computes, or that it adds to; −1: it writes a result
  std::vector<int> ins = {};   // values that it needs
  int room = 0;                // registers that it takes beside them
  std::vector<int> args = {};  // of a sum: which terms
  int result = -1;             // number of the result that it writes
  bool first = true;           // whether `out` begins here
};
struct Move {  // what happens before a step, so that it finds its values
  enum class Kind { put, get, read } kind;
  int value, slot;
};
struct Placed {
  std::vector<std::vector<Move>> before;  // each step
  int slots = 0;
  double cost = 0;  // values that are moved, and half a move a slot
};
// By L. A. Belady's rule (IBM Syst. J. 5 (1966) 78): what is needed last leaves first. `registers`: how many values
// they hold; `in_memory`: values of variables, which are read again instead of kept.
Placed place(const std::vector<Step>&, const std::vector<bool>& in_memory, int registers);
}  // namespace cereus::equations
