// The groups of the vocabulary. No routine: what nothing touches takes no memory.
#include <TmunuBase/tmunu_base.hpp>
#include <cereus/thorn.hpp>

namespace TmunuBase {
using namespace cereus;
void declare(Declaration& d) {
  d.describe("The energy-momentum tensor T_ab, to which thorns of matter add and which thorns of gravity read");
  d.group<Energy>("energy", {"eTtt"}, "T_tt").not_checkpointed();
  d.group<Momentum>("momentum", {"eTtx", "eTty", "eTtz"}, "T_ti").tensor(Tensor::vector).not_checkpointed();
  d.group<Stress>("stress", {"eTxx", "eTxy", "eTxz", "eTyy", "eTyz", "eTzz"}, "T_ij")
      .tensor(Tensor::symmetric)
      .not_checkpointed();
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace TmunuBase
CEREUS_THORN(TmunuBase, TmunuBase::declare, TmunuBase::schedule)
