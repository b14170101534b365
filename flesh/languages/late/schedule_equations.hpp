// When kernels of equations run, and what fills in their members, whoever has made their tables.
#pragma once
#include "cereus/schedule.hpp"
#include "equations/thorn.hpp"
namespace cereus {
struct MadeKernel {
  KernelTable table;
  decltype(Item::set) set;
  bool by_structs = false;  // whether the table's accesses name structs, not variables
};
void schedule_equations(Schedule&, const std::shared_ptr<const equations::Thorn>&,
    const std::function<MadeKernel(std::size_t n, const equations::Kernel&)>&);
// Of an expression of parameters.
double value_of(const equations::Program&, equations::Term, const Parameters&);
}  // namespace cereus
