// The groups of the vocabulary. No routine: what nothing touches takes no memory.
#include <ADMBase/adm_base.hpp>
#include <cereus/thorn.hpp>

namespace ADMBase {
using namespace cereus;
void declare(Declaration& d) {
  d.describe("The geometry of space in the variables of Arnowitt, Deser and Misner: what thorns of gravity exchange");
  d.group<Metric>("metric", {"gxx", "gxy", "gxz", "gyy", "gyz", "gzz"}, "Metric of space γ_ij")
      .tensor(Tensor::symmetric);
  d.group<Curvature>("curv", {"kxx", "kxy", "kxz", "kyy", "kyz", "kzz"}, "Extrinsic curvature K_ij")
      .tensor(Tensor::symmetric);
  d.group<Lapse>("lapse", {"alp"}, "Lapse α");
  d.group<Shift>("shift", {"betax", "betay", "betaz"}, "Shift β^i").tensor(Tensor::vector);
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace ADMBase
CEREUS_THORN(ADMBase, ADMBase::declare, ADMBase::schedule)
