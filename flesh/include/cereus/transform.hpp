// Fourier transforms on whichever memory.
#pragma once
#include "kernel/launch.hpp"
namespace cereus {
// Real numbers on a box, x fastest, and the complex amplitudes of half of their waves, n_x/2 + 1 along x. Axes of one
// point are left out.
struct TransformShape {
  int n[3];
  struct Pitch {
    Offset row, plane;
  } real, complex;  // elements from a row, and from a plane, to the next; multiples
  bool single;      // in float
};
struct Transform {
  virtual ~Transform() = default;
  virtual void forward(char* real, char* complex) = 0;
  virtual void backward(char* complex, char* real) = 0;  // times the number of points; `complex` is overwritten
};
}  // namespace cereus
