// What a kernel costs at a point: bounds of its speed on any machine.
#pragma once
#include "equations/kernel.hpp"
namespace cereus::equations {
struct Cost {
  int operations = 0;         // + − · / and functions, without what is the same at all points
  int reads = 0, writes = 0;  // variables: with a perfect cache each is moved once
  int bytes() const { return 8 * (reads + writes); }
  double intensity() const { return static_cast<double>(operations) / bytes(); }  // operations a byte
};
// Of a program with one Target (thorn.hpp).
Cost cost_of(const Program&, const Kernel&);
// "27 operations a point; 2 values read and 2 written are 32 bytes: 0.84 operations a byte".
std::string describe(const Cost&);
std::string grid_of(const Program&);      // "3 dimensions, differences of order 4"
std::string print_costs(const Program&);  // of each kernel, a line each
}  // namespace cereus::equations
