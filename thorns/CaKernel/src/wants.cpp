#include "wants.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>
namespace CaKernel {
namespace {
constexpr int trials = 16, spare = 64;  // points that a vector of the loop may reach beyond the last one

// What lies around a point, for each handle of a kernel.
class Surroundings {
 public:
  Surroundings(const KernelTable& t, const Geometry& g, const sweep::Stage& stage)
      : table_(t),
        geometry_(g),
        stage_(stage),
        bytes_(static_cast<int>(size_of(t.type))) {
    for (int h = 0; h < stage.handles; ++h)
      for (int d = 0; d < 3; ++d) reach_ = std::max({reach_, stage.use[h].lo[d], stage.use[h].hi[d]});
    side_ = 2 * reach_ + 1, row_ = side_ + spare;
    for (int h = 0; h < stage.handles; ++h)
      values_.emplace_back(static_cast<std::size_t>(row_ * side_ * side_ * bytes_));
    for (int h = 0; h < stage.handles; ++h) fill(h, true), fill(h, false);
  }
  // New values, at the point or everywhere else.
  void fill(int handle, bool here) {
    std::uniform_real_distribution<double> some(-1, 1);
    const int points = static_cast<int>(values_[handle].size()) / bytes_;
    for (int n = 0; n < points; ++n)
      if ((n == centre()) == here) set(handle, n, some(random_));
  }
  // Of outputs, by handle.
  std::vector<double> made() {
    std::vector<char*> address;
    for (auto& v : values_) address.push_back(v.data());
    BlockLaunch b{};
    b.at = centre();
    std::fill_n(b.hi, 3, 1), std::fill_n(b.end, 3, 1);
    const Launch launch{{&b, 1}, address.data(), {1, row_, Offset{1} * row_ * side_}, &geometry_, 1};
    table_.loops().host(table_.kernel.get(), launch);
    std::vector<double> list;
    for (int h = 0; h < stage_.handles; ++h) list.push_back(stage_.use[h].mode == Mode::read ? 0 : get(h, centre()));
    return list;
  }

 private:
  int centre() const { return reach_ + (reach_ + reach_ * side_) * row_; }
  void set(int h, int n, double x) {
    const auto f = static_cast<float>(x);
    if (bytes_ == 4) std::memcpy(&values_[h][n * bytes_], &f, sizeof f);
    else std::memcpy(&values_[h][n * bytes_], &x, sizeof x);
  }
  double get(int h, int n) const {
    float f = 0;
    double x = 0;
    if (bytes_ == 4) std::memcpy(&f, &values_[h][n * bytes_], sizeof f);
    else std::memcpy(&x, &values_[h][n * bytes_], sizeof x);
    return bytes_ == 4 ? f : x;
  }

  const KernelTable& table_;
  const Geometry& geometry_;
  const sweep::Stage& stage_;
  const int bytes_;
  int reach_ = 0, side_ = 1, row_ = 1;
  std::vector<std::vector<char>> values_;
  std::mt19937 random_{1};
};
}  // namespace

void find_wants(const KernelTable& table, const Geometry& geometry, sweep::Stage& stage) {
  Surroundings around(table, geometry, stage);
  for (int n = 0; n < trials; ++n)
    for (int h = 0; h < stage.handles; ++h)
      for (const bool here : {true, false}) {
        if (stage.use[h].mode != Mode::read) continue;
        const auto before = around.made();
        around.fill(h, here);
        const auto after = around.made();
        for (int o = 0; o < stage.handles; ++o)
          if (std::memcmp(&before[o], &after[o], sizeof before[o]) != 0)
            (here ? stage.wants[o].here : stage.wants[o].near) |= 1U << stage.use[h].field;
      }
}
}  // namespace CaKernel
