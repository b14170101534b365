// Kernels that are compiled when a run begins, for the strides of its blocks: large ones, and those that say `late`. Of
// the latter several shapes of thread blocks are tried on a block of the run, and the fastest is kept for later runs.
#pragma once
#include <AcceleratorCUDA/loop/late_arguments.hpp>
#include <cereus/accelerator.hpp>

#include <map>
#include <tuple>

#include "late_formulas.hpp"
#include "late_loops.hpp"
#include "queue.hpp"
namespace AcceleratorCUDA {
using Shape = detail::LateShape;
struct Sum {  // what an update adds to what is written: so many buffers; and whether it leaves points along faces out
  int sources = 0;
  bool partial = false;
  auto operator<=>(const Sum&) const = default;
};

class LateKernels {
 public:
  LateKernels(Device& device, Queue& queue, LateCompiler& compiler, LateLoops& loops)
      : device_(device),
        queue_(queue),
        compiler_(compiler),
        loops_(loops) {}
  // Begins to compile all that the run may launch, several at a time. Collective.
  void prepare(const Simulation&);
  // Whether a kernel is compiled late: each that says so, and those whose formulas take long to go through.
  bool takes(const KernelTable& t) const { return t.late || formulas_.of(t); }
  // As Device::launch, for boxes of one size, which lie on the device if there are several.
  void launch(const KernelTable&, const Launch&, const BlockLaunch* on_device, const char* who);

 private:
  struct Late {
    Shape shape;
    unsigned shared = 0;  // bytes of shared memory a thread block
    std::future<CaKernel::Code> code;
    Device::Loaded loaded;
  };
  Late compile(const KernelTable&, Offset row, Offset plane, const Sum&, const Shape&, AxesOf);
  void load(Late&, const std::string& who);
  Late& find(const KernelTable&, Offset row, Offset plane, const Sum&, bool for_thin, AxesOf);
  AxesOf axes_of(const KernelTable&, bool shell) const;  // what its loop goes over
  void start(const Late&, const KernelTable&, const Launch&, const BlockLaunch* on_device, const char* who);
  // Chooses shapes for kernels that say `late`, the same on all processes: late_shapes.cpp.
  void choose(const Simulation&);
  std::string key_of(const Simulation&, const KernelTable&) const;
  // Of a launch on the interior of a block.
  double milliseconds(const Simulation&, Late&, const Routine&);

  Device& device_;
  Queue& queue_;
  LateCompiler& compiler_;
  LateLoops& loops_;
  // Of a kernel as this run has it: another run of the process may have the same name with another text. Looked up at
  // each launch, so that it is kept by address until the next prepare().
  const std::string& identity(const KernelTable&);

  bool stretched_ = false;  // whether axes are
  LateFormulas formulas_;
  std::map<std::pair<std::string, const detail::EmbeddedFile*>, std::string> identities_;
  std::map<std::string, Shape> shapes_;  // of kernels, by identity, where one was chosen
  // By identity, strides, update; and whether it is for boxes that are thin along x.
  std::map<std::tuple<std::string, Offset, Offset, Sum, bool, AxesOf>, Late> known_;
};

// What is compiled.
std::string source_of(
    const KernelTable&, const std::string& formulas, Offset row, Offset plane, const Sum&, const Shape&, AxesOf);
}  // namespace AcceleratorCUDA
