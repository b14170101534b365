// What a sweep is told of a block.
#pragma once
#include "step_program.hpp"
#include "sweep/tile.hpp"
namespace CaKernel {
// The buffers that a field comes from and goes to.
int buffer_in(const StepProgram::Field&);
int buffer_out(const Simulation&, const StepProgram::Field&);

// Tiles cover what is stored of a part of a block: a box of cells, with the points that lie on the block's upper faces
// if it reaches them. Not yet there: how long a march is, and what is spared.
sweep::Arguments arguments_of(const Simulation&, const StepProgram&, int block, const Box& part, Space);
}  // namespace CaKernel
