// Code that is compiled beside the run, several pieces at a time.
#pragma once
#include <cereus/accelerator.hpp>

#include <algorithm>
#include <future>
#include <thread>

#include "late_code.hpp"
namespace AcceleratorCUDA {
class LateCompiler {
 public:
  explicit LateCompiler(const cereus::Device& device) : device_(device) {}
  std::future<CaKernel::Code> begin(CaKernel::Source source) {
    return std::async(std::launch::async, [this, source = std::move(source)] {
      return CaKernel::code_for(source, device_.architecture(), folder, compiler_);
    });
  }
  const std::string folder = CaKernel::cache_folder();

 private:
  const cereus::Device& device_;
  CaKernel::Compiler compiler_{std::max(1, static_cast<int>(std::thread::hardware_concurrency()))};
};
// Returns the headers of a list, which ends with a null name, and those of this thorn's loops that the list lacks.
std::vector<CaKernel::Text> headers_of(const cereus::detail::EmbeddedFile*);
}  // namespace AcceleratorCUDA
