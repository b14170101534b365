// Loops of kernels that nvcc has not seen, those of texts: NVRTC compiles them when a run begins.
#pragma once
#include <AcceleratorCUDA/loop/loops.hpp>
#include <map>

#include "late_compiler.hpp"
namespace AcceleratorCUDA {
using namespace cereus;
using detail::AxesOf, detail::DeviceFunctions, detail::DeviceLoops;
class LateLoops {
 public:
  LateLoops(Device& device, LateCompiler& compiler) : device_(device), compiler_(compiler) {}
  // Texts run on the devices of all processes or of none.
  void allow(bool all_can);
  bool can_compile() const { return can_compile_; }
  // Begins to compile a kernel's loops over such axes.
  void begin(const DeviceLoops& k, AxesOf of) { begun(k, of); }
  // Returns their functions; waits for the compiler. Throws Failure if the code does not compile.
  const DeviceFunctions& of(const DeviceLoops&, AxesOf, const char* who);

 private:
  struct Late {
    std::shared_future<CaKernel::Code> code;  // nothing once the functions are known
    DeviceFunctions functions;
  };
  Late& begun(const DeviceLoops&, AxesOf);

  Device& device_;
  LateCompiler& compiler_;
  bool can_compile_ = CaKernel::Nvrtc::instance(), said_ = false;
  std::map<std::pair<const DeviceLoops*, AxesOf>, Late> known_;  // by address: no library is unloaded
};
// What is compiled.
CaKernel::Source source_of(const DeviceLoops&, AxesOf);
}  // namespace AcceleratorCUDA
