#include "stages.hpp"
namespace cereus::sweep {
// Mutations seen to fail: a field without neighbours that no level stores; what is read across a face one point off;
// nothing read across a block's own faces unless that is so along all axes.
TEST(Stages, LevelsAreStagesOneByOne) {
  static_assert(levels_of(Of<false, 4, levels(2, 2, 8), repeated>::about).levels == 2);
  static_assert(levels_of(Of<true, 4, levels(2, 2, 8), repeated>::about).levels == 4);
  check<Of<false, 4, levels(2, 2, 8), repeated>>();
  check<Of<false, 4, levels(3, 2, 16), fixed>>();
  check<Of<false, 4, levels(2, 4, 16), wrapped>>();
  check<Of<false, 4, levels(2, 2, 8), wrapped, float, 1>>();
  check<Of<true, 4, levels(2, 6, 16), stacked>>();
  check<Of<false, 3, levels(2, 2, 8), repeated, double, 1>>();
  check<Of<true, 4, levels(2, 6, 16), repeated>>();
  check<Of<true, 2, levels(2, 3, 8), fixed, float, 1>>();
}
}  // namespace cereus::sweep
