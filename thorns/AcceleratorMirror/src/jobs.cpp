#include "jobs.hpp"

#include <algorithm>

namespace AcceleratorMirror {
namespace {
struct Memory {  // who touched it last
  int writer = -1;
  std::vector<int> readers;  // since then
};

// Of each job those that must be done before it; those before these are left out.
std::vector<std::vector<int>> before(const std::vector<Job>& jobs) {
  std::vector<std::vector<int>> result(jobs.size());
  std::map<const void*, Memory> memory;  // since the last that was alone
  int alone = -1;
  for (int n = 0; n < static_cast<int>(jobs.size()); ++n) {
    auto& mine = result[n];
    if (alone >= 0) mine.push_back(alone);
    if (jobs[n].alone) {
      for (int m = alone + 1; m < n; ++m) mine.push_back(m);
      alone = n, memory.clear();
    }
    for (const auto& [where, written] : jobs[n].touches) {
      Memory& m = memory[where];
      if (m.writer >= 0) mine.push_back(m.writer);
      if (written) {
        mine.insert(mine.end(), m.readers.begin(), m.readers.end());
        m = {n, {}};
      } else {
        m.readers.push_back(n);
      }
    }
  }
  return result;
}
}  // namespace

std::vector<int> some_order(const std::vector<Job>& jobs, std::mt19937_64& random) {
  const int count = static_cast<int>(jobs.size());
  const auto first = before(jobs);
  std::vector<std::vector<int>> after(jobs.size());
  std::vector<std::size_t> missing(jobs.size());
  std::vector<int> ready, order;
  for (int n = 0; n < count; ++n) {
    missing[n] = first[n].size();
    for (int m : first[n]) after[m].push_back(n);
    if (missing[n] == 0) ready.push_back(n);
  }
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    const int n = ready.back();
    ready.pop_back();
    order.push_back(n);
    for (int m : after[n])
      if (--missing[m] == 0) ready.push_back(m);
  }
  return order;
}
}  // namespace AcceleratorMirror
