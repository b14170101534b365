// Formulas of a parameter file as text of kernels that are compiled late (cereus/kernel/steps.hpp).
#pragma once
#include <cereus/kernel/steps.hpp>
#include <cereus/simulation.hpp>

#include <map>

namespace AcceleratorCUDA {
using namespace cereus;
class LateFormulas {
 public:
  struct Chosen {
    std::vector<Steps> steps;
    std::string text, identity;  // of all formulas as C++; of the kernel's code with them
  };
  // Chooses the kernels of a run for which it is worth the compiler's second; the same on all processes.
  void choose(const Simulation&);
  // Null if the kernel was not chosen, or its formulas are others by now: they may be steered.
  const Chosen* of(const KernelTable&) const;

 private:
  std::map<const KernelTable*, Chosen> chosen_;
};
}  // namespace AcceleratorCUDA
