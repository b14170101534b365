// What a device was asked for and has not done yet, and an order in which it may do it: jobs that touch the same
// memory, one of them writing, stay in order; the others come in any.
#pragma once
#include <functional>
#include <map>
#include <random>
#include <vector>

namespace AcceleratorMirror {
struct Job {
  std::function<void()> run;
  bool alone = false;                   // in order with everything: because it must be, or nobody knows what it touches
  std::map<const void*, bool> touches;  // allocations, by where they begin, and whether they are written
};

// The jobs' numbers, in one of the orders that leave the same result.
std::vector<int> some_order(const std::vector<Job>&, std::mt19937_64&);
}  // namespace AcceleratorMirror
