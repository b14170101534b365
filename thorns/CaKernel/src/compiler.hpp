// Compiles in a process for each sweep, as many at a time as there are cores: in one process, NVRTC takes one after another.
#pragma once
#include <atomic>

#include "nvrtc.hpp"
namespace CaKernel {
// As Nvrtc::compile, which takes over where no process can be had. Gives up, with nothing, when it is `over`.
std::string compile(const Nvrtc&, const std::string& source, const std::vector<Text>& headers, const std::vector<std::string>& options, const std::atomic<bool>& over, std::string& log);
}  // namespace CaKernel
