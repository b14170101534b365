#include "counters.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace AcceleratorCUDA {
void KernelCounters::open() try { counters_ = range_counters(); } catch (const NoCounters& e) {
  say_(std::string("no counters of kernels: ") + e.what());
}

KernelCounters::Kernel* KernelCounters::due(const DeviceCall& c, const std::string& who) {
  Kernel& k = kernels_[{who, c.function, {c.grid[0], c.grid[1], c.grid[2]}}];
  if (!std::has_single_bit(++k.launches)) return nullptr;
  if (cudaFuncAttributes a; k.launches == 1) {
    if (cudaFuncGetAttributes(&a, c.function) == cudaSuccess)
      k.registers = a.numRegs, k.spilled = static_cast<int>(a.localSizeBytes);
    else cudaGetLastError();
  }
  return &k;
}

bool KernelCounters::begin() try {
  counters_->begin();
  return true;
} catch (const NoCounters& e) {
  stop(e);
  return false;
}

void KernelCounters::end(Kernel& k) try { k.last = counters_->end(); } catch (const NoCounters& e) {
  stop(e);
}

void KernelCounters::stop(const NoCounters& e) {
  say_(std::string("no more counters of kernels: ") + e.what());
  counters_.reset();
}

std::string KernelCounters::table() const {
  constexpr std::size_t most = 24;
  std::vector<std::pair<std::string, const Kernel*>> rows;
  std::map<std::string, int> alike;
  double all = 0, left_out = 0;
  std::size_t width = 24;
  for (const auto& [key, k] : kernels_) {
    if (!(k.last.seconds > 0)) continue;
    const auto& [who, function, grid] = key;
    const auto blocks = std::uint64_t{grid[0]} * grid[1] * grid[2];
    std::string name = who + ", " + std::to_string(blocks) + " blocks";
    if (const int n = ++alike[name]; n > 1)
      name += " (" + std::to_string(n) + ")";  // another function: a part of a large kernel
    rows.emplace_back(name, &k);
    all += k.seconds();
  }
  if (rows.empty()) return "";
  std::ranges::stable_sort(rows, std::ranges::greater{}, [](const auto& row) { return row.second->seconds(); });
  const std::size_t shown = std::min(most, rows.size());
  for (std::size_t n = 0; n < rows.size(); ++n)
    if (n < shown) width = std::max(width, rows[n].first.size());
    else left_out += rows[n].second->seconds();

  char line[160];
  std::string text =
      "counted by the device, in the last launch that was counted of each kernel (of 1, 2, 4, 8, …):\nkernel" +
      std::string(width - 6, ' ') +
      "  launches     time us    read MB  written MB    GB/s  of memory  of multiprocessors  registers  spilled B";
  for (std::size_t n = 0; n < shown; ++n) {
    const auto& [name, k] = rows[n];
    const Reading& r = k->last;
    std::snprintf(line, sizeof line, "  %8llu  %10.2f  %9.3f  %10.3f  %6.0f  %7.1f %%  %5.1f %% %-10s  %9d  %9d",
        static_cast<unsigned long long>(k->launches), 1e6 * r.seconds, 1e-6 * r.read, 1e-6 * r.written,
        1e-9 * (r.read + r.written) / r.seconds, r.memory, r.multiprocessors, r.busiest, k->registers, k->spilled);
    text += '\n' + name + std::string(width - name.size(), ' ') + line;
  }
  if (shown < rows.size()) {
    std::snprintf(line, sizeof line, "\nand %zu others, %.1f %% of the time of kernels", rows.size() - shown,
        100 * left_out / all);
    text += line;
  }
  return text;
}
}  // namespace AcceleratorCUDA
