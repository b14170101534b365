#include "marches.hpp"

#include <algorithm>
#include <sstream>
namespace CaKernel {
namespace {
constexpr std::size_t most_trials = 8;

std::vector<int> lengths_of(const sweep::Program& g, int planes) {  // in 3D about eight an octave
  std::vector<int> list;
  for (int parts = 1; parts <= std::max(1, planes / (g.dim == 3 ? 16 : 24)); parts += g.dim == 3 ? 1 + parts / 12 : 1)
    if (const int n = pieces(planes, parts); list.empty() || list.back() != n) list.push_back(n);
  return list;
}
}  // namespace

std::string text_of(const March& m) {
  return std::to_string(m.whole) + "x" + std::to_string(m.planes) + "+" + std::to_string(m.rest);
}
March march_of(const std::string& text) {
  March m;
  char x = 0, plus = 0;
  std::istringstream(text) >> m.whole >> x >> m.planes >> plus >> m.rest;
  return m;
}

// Blocks are taken in turn, and some are slower than others. In 3D there are few: were all alike, most multiprocessors
// would often have nothing to do at the end. There, a whole number of columns a slot is gone through in long marches,
// the rest in short ones.
std::vector<March> device_marches(const sweep::Program& g, const Candidate& c, const Index& n, int outer, int slots) {
  if (g.dim == 1) return {{}};
  const int planes = n[g.dim - 1], more = c.facts.lag + c.facts.lo[g.dim - 1], columns = device_columns(g, c, n, outer);
  const std::vector<int> lengths = lengths_of(g, planes);
  std::vector<std::pair<double, March>> list;
  const auto add = [&](const March& m) {
    const double first = m.planes + more, rest = m.rest + more;
    const int longs = m.whole * pieces(planes, m.planes), shorts = (columns - m.whole) * pieces(planes, m.rest);
    const double end = longs / slots * first + pieces(shorts, slots) * rest,
                 mean = (longs * first + shorts * rest) / slots;  // if all are as fast, and if none waits
    list.emplace_back(end + mean + 0.5 * m.rest + (m.whole ? 0.15 * m.planes : 0), m);
  };
  for (int rest : lengths) add({0, planes, rest});
  if (const int whole = columns / slots * slots; g.dim == 3 && whole > 0)
    for (int first : lengths)
      for (int rest : lengths)
        if (6 * first >= planes && rest <= first) add({whole, first, rest});
  std::ranges::stable_sort(list, {}, [](const auto& x) { return x.first; });
  std::vector<March> best;
  for (const auto& [cost, march] : list)
    if (best.size() < most_trials) best.push_back(march);
  return best;
}
}  // namespace CaKernel
