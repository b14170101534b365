// Large kernels: compiled when a run begins, for the strides of its blocks.
#pragma once
#include <AcceleratorCUDA/loop/large_arguments.hpp>
#include <cereus/accelerator.hpp>

#include <future>
#include <map>
#include <tuple>

#include "late_code.hpp"
#include "queue.hpp"
namespace AcceleratorCUDA {
class LargeKernels {
 public:
  LargeKernels();
  // Begins to compile all that the run may launch, several at a time.
  void prepare(const Simulation&, const std::string& architecture);
  // As Device::launch, for boxes of one size, which lie on the device if there are several.
  void launch(Device&, Queue&, const KernelTable&, const Launch&, const BlockLaunch* on_device, const char* who);

 private:
  struct Code {
    std::string bytes, log;
  };
  struct Large {
    std::future<Code> code;
    Device::Loaded loaded;
  };
  Large& find(const KernelTable&, Offset row, Offset plane, int sources, bool for_thin);
  std::string architecture_, folder_;
  CaKernel::Compiler compiler_;
  // By type, strides, sources of the update; and whether it is for boxes that are thin along x.
  std::map<std::tuple<std::string, Offset, Offset, int, bool>, Large> known_;
};
}  // namespace AcceleratorCUDA
