// What kernels really moved: of each kernel (its name, function and grid) the 1st, 2nd, 4th, 8th … launch is counted,
// and the last reading kept. So few are, the last of them late in the run, and of three trials in a row one is not
// disturbed.
#pragma once
#include <cereus/kernel/launch.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>

#include "cupti.hpp"
namespace AcceleratorCUDA {
using cereus::DeviceCall;

class KernelCounters {
 public:
  using Say = void (*)(std::string_view);
  explicit KernelCounters(Say say) : say_(say) {}
  // On the current device; says so if there will be none.
  void open();
  // `put` launches this kernel, and nothing else. It does so once, whatever happens to counters.
  template <class Put> void launch(const DeviceCall& call, const std::string& who, Put&& put) {
    Kernel* k = counters_ ? due(call, who) : nullptr;
    if (!k || !begin()) return put();
    put();
    end(*k);
  }
  // For people: kernels by the time spent in them; empty if nothing was counted.
  std::string table() const;

 private:
  struct Kernel {
    std::uint64_t launches = 0;
    int registers = 0, spilled = 0;  // a thread; spilled in bytes
    Reading last;
    double seconds() const {
      return static_cast<double>(launches) * last.seconds;
    }  // in all, if each took as long as the last
  };
  using Key = std::tuple<std::string, const void*, std::array<unsigned, 3>>;  // who, function, grid
  Kernel* due(const DeviceCall&, const std::string& who);                     // null if this launch is not counted
  bool begin();
  void end(Kernel&);
  void stop(const NoCounters&);

  Say say_;
  std::unique_ptr<RangeCounters> counters_;
  std::map<Key, Kernel> kernels_;
};
}  // namespace AcceleratorCUDA
