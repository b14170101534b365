// A step as data: which kernels run one after another, which fields they touch and how far around a point. The host and
// device compilers both evaluate it, and all that follows from it.
#pragma once
#include <cereus/kernel/launch.hpp>
namespace cereus::sweep {
inline constexpr int most_fields = 16, most_stages = 8, most_handles = 12, most_steps = 32, most_substeps = 4;

struct Use {  // of a field by one handle of a kernel
  int field = 0;
  Mode mode = Mode::read;
  bool past = false;           // as it was when the step began; else as it is now
  int lo[3] = {}, hi[3] = {};  // neighbours that are read: from −lo to hi along each axis
  bool corners = false;        // not only along the axes
};
struct Wants {  // of one output: fields (bits) that it reads at the point, and at neighbours
  unsigned here = 0, near = 0;
};
struct Stage {
  int handles = 0;
  Use use[most_handles] = {};
  bool integrates = false;         // what is written is a rate
  Wants wants[most_handles] = {};  // of outputs
};
// One of an integrator: all stages run, then what they have made becomes the present. A field of which a rate is
// written becomes Σ a · source + b · rate, in another buffer, with which the present one is exchanged.
struct Substep {
  int destination = 1, sources = 0, source[Epilogue::max_sources] = {};  // buffers; 0: the present
  double factor[Epilogue::max_sources] = {};                             // a of each source
};
struct Program {
  int dim = 3, fields = 0, stages = 0, substeps = 1;
  Stage stage[most_stages] = {};
  Substep substep[most_substeps] = {};
  bool stored[most_fields] = {};  // whether a field is wanted after the last step
  bool faces = false;             // whether there are outer ones, beyond which nothing changes
  bool ragged = false;            // whether rows of some block end within a vector of 16 bytes
};
}  // namespace cereus::sweep
