// Formulas of a parameter file as text of kernels that are compiled late (cereus/kernel/steps.hpp): to go through their
// steps at each point takes a device a hundred times as long.
#pragma once
#include <cereus/kernel/steps.hpp>
#include <cereus/simulation.hpp>

#include <map>

namespace AcceleratorCUDA {
using namespace cereus;
class LateFormulas {
 public:
  // Those of all kernels of a run for which it is worth the compiler's second; the same on all processes.
  void choose(const Simulation&);
  // Whether the kernel was chosen, and its formulas are still those: they may be steered.
  bool of(const KernelTable&) const;
  std::string text(const KernelTable&) const;             // empty: it was not chosen
  const std::string* identity(const KernelTable&) const;  // of its code; null: it was not chosen

 private:
  struct Chosen {
    std::vector<Steps> steps;
    std::string text, identity;
  };
  std::map<const KernelTable*, Chosen> chosen_;
};
}  // namespace AcceleratorCUDA
