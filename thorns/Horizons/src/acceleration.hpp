// What earlier steps of x ← x + f(x) say of the next one: D. G. Anderson, J. ACM 12 (1965) 547; the form of H. F.
// Walker and P. Ni, SIAM J. Numer. Anal. 49 (2011) 1715, (2.1) and (2.2).
#pragma once
#include <vector>

namespace Horizons {
class Acceleration {
 public:
  // The next change of x, where f(x) is the change without acceleration.
  std::vector<double> step(const std::vector<double>& x, const std::vector<double>& f);
  void forget() { xs_.clear(), fs_.clear(); }

 private:
  static constexpr std::size_t most = 6;      // of earlier steps
  std::vector<std::vector<double>> xs_, fs_;  // from the last one back
};
}  // namespace Horizons
