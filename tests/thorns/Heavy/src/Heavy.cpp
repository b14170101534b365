// A kernel that needs more registers than a device has, with and without marks where it may be taken apart.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Heavy {
std::vector<std::string> names(const std::string& what) {
  std::vector<std::string> list;
  for (int f = 0; f < families; ++f)
    for (int m = 0; m < members; ++m) list.push_back(what + std::to_string(f) + std::to_string(m));
  return list;
}
void declare(Declaration& d) {
  d.describe("Many fields that bend each other, for tests of large kernels");
  d.parameter("parts", "marked",
      one_of({{"marked", "the kernel says that it has parts"}, {"unmarked", "the same kernel does not"},
          {"mistaken", "a small one writes some fields twice, or never"}}),
      "What is said of parts");
  d.group<State>("state", names("u"), "Families of fields").rhs<Rates>();
}
void schedule(Schedule& s, const Parameters& par) {
  s.kernel<SetBumps, types<double>, dimensions<3>>("initial", "Bumps of several heights").at(bin::initial);
  const auto& parts = par.string("parts");
  if (parts == "marked") s.kernel<Marked, types<double>, dimensions<3>>("rates", "Right-hand sides").in(MoL::rhs);
  if (parts == "unmarked") s.kernel<Unmarked, types<double>, dimensions<3>>("rates", "Right-hand sides").in(MoL::rhs);
  if (parts == "mistaken") s.kernel<Mistaken, types<double>, dimensions<3>>("rates", "Right-hand sides").in(MoL::rhs);
}
}  // namespace Heavy
CEREUS_THORN(Heavy, Heavy::declare, Heavy::schedule)
