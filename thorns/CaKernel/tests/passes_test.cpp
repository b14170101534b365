#include "stages.hpp"
#include "wants.hpp"
namespace cereus::sweep {
namespace {
template <Box box> void check_passes() {
  check<Of<false, 4, passes(1, 4), box>>();
  check<Of<false, 4, passes(4, 3), box>>();
  check<Of<true, 4, passes(2, 4), box>>();
  check<Of<false, 3, passes(2, 4), box>>();
  check<Of<true, 2, passes(4, 4), box>>();
}
}  // namespace

// Mutation seen to fail: buffers not exchanged with the present after a stage. Others that must: points outside of what
// changes not kept; the first pass without what the second reads around it.
TEST(Stages, PassesAreStagesOneByOne) { check_passes<repeated>(), check_passes<fixed>(); }

// Mutation seen to fail: what is read at the point taken for what is read around it.
TEST(Stages, WhatOutputsWantIsFound) {
  using Kernel = Rates<true, float, 1>;
  const KernelTable table = detail::make_table<Kernel, 3, float>();
  Stage stage = Of<true, 4, passes(1, 4), repeated, float, 1>::about.stage[0];
  const Stage known = stage;
  for (Wants& x : stage.wants) x = {};
  Geometry g{};
  CaKernel::find_wants(table, g, stage);
  EXPECT_EQ(stage.wants[4].near, 0U) << "what c = 0 hides is not seen";
  static_cast<Kernel*>(table.kernel.get())->c = 2;
  CaKernel::find_wants(table, g, stage);
  for (int h = 0; h < stage.handles; ++h) {
    EXPECT_EQ(stage.wants[h].here, known.wants[h].here) << h;
    EXPECT_EQ(stage.wants[h].near, known.wants[h].near) << h;
  }
}
}  // namespace cereus::sweep
