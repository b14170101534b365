// What a routine does, point by point; on a device it is done when the device gets to it.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "accelerator/findings.hpp"
#include "cereus/box.hpp"
#include "cereus/kernel_table.hpp"
#include "cereus/routine.hpp"

struct Work {
  struct Value {
    double* at;
    double value;
  };
  struct Condition {
    const double* from;
    double* to;
    cereus::Index at;
  };
  std::string who;
  std::vector<Value> reads, writes;
  std::vector<Condition> conditions;

  void operator()(Findings&) const;
};
std::string text(double);  // what a value says of itself

// A kernel that does this work, whatever boxes it is launched on; its handles are these variables.
cereus::KernelTable kernel_of(int dim, std::span<const cereus::VariableAccess>, const Work&, Findings&);
