// What a step of the evolution does, as the program of a sweep; or why it cannot be one.
#pragma once
#include <cereus/simulation.hpp>

#include "sweep/plan.hpp"
namespace CaKernel {
using namespace cereus;

struct StepProgram {
  struct Field {
    int group = 0, component = 0;
    // Where it comes from and goes to: a past timelevel to the present one; a buffer of its own, which becomes the
    // present; or it stays where it is, because nothing of it comes in, or nothing goes out.
    enum Kind { constant, past, buffered, integrated, made } kind = constant;
    bool comes_in = false, at_offset = false;  // whether what it was before is read; whether neighbours are
  };
  sweep::Program program;
  ScalarType type = ScalarType::float64;
  std::vector<Routine> stages;
  std::vector<Field> fields;
  int integrated = -1;   // a group that is; all with the same coefficients
  int outer = 0;         // faces of each block along y, on all processes, that are outer ones
  int wraps = 0;         // axes (bits) along which each block, on all processes, goes on as itself
  std::string obstacle;  // empty if several steps can be taken at once
};
StepProgram program_of(const Simulation&, bool late);  // as this process sees it; whether sweeps are compiled late
inline int bytes_of(const StepProgram& p) { return static_cast<int>(size_of(p.type)); }
}  // namespace CaKernel
