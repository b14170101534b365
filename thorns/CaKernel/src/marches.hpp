// How far thread blocks go through planes at once, so that all multiprocessors have work to the end, and little is done
// twice.
#pragma once
#include <string>
#include <vector>

#include "tiles.hpp"
namespace CaKernel {
using sweep::March;

std::string text_of(const March&);  // without spaces
March march_of(const std::string& text);

// Best first by a model, where so many thread blocks run at once.
std::vector<March> device_marches(const sweep::Program&, const Candidate&, const Index& extent, int outer, int slots);
}  // namespace CaKernel
