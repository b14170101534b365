// Which tiles a sweep may use, best first by a model: bytes that go through memory and what the multiprocessors do
// meanwhile, with all that tiles do twice; registers and shared memory that a tile needs. Trials have the last word.
#pragma once
#include <vector>

#include "step_program.hpp"
#include "sweep/tile.hpp"
namespace CaKernel {
using sweep::Facts;
using sweep::pieces;
using sweep::TileShape;

Facts facts_of(const sweep::Program&, const TileShape&, int bytes);
std::string text_of(const TileShape&);  // its numbers, as C++ lists them

struct Candidate {
  TileShape tile;
  Facts facts;
  double cost = 0;  // of a point and step, in cycles of a multiprocessor
};
// Memory that a sweep goes through: fields in and out.
int fields_moved(const sweep::Program&);
// Points that a kernel, or several, read for one.
int reads_of(const sweep::Program&);

// `extent`: points of the largest block, with so many `outer` faces along y; at most `most_steps` at once.
std::vector<Candidate> device_tiles(const sweep::Program&, int bytes, const Index& extent, int outer, int most_steps);

// Columns of thread blocks' tiles, side by side along x and y.
int device_columns(const sweep::Program&, const Candidate&, const Index& extent, int outer);
}  // namespace CaKernel
