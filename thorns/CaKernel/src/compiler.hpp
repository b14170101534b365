// Compiles in a process for each program, several at a time: in one process, NVRTC takes one after another, and cannot
// be stopped.
#pragma once
#include <atomic>
#include <semaphore>

#include "nvrtc.hpp"
namespace CaKernel {
class Compiler {
 public:
  explicit Compiler(int at_once) : cores_(at_once) {}
  void give_up() { over_ = true; }  // nobody waits for code any more
  // As Nvrtc::compile, which takes over where no process can be started. May be called on several threads at once.
  std::string compile(const Nvrtc&, const std::string& source, const std::vector<Text>& headers,
      const std::vector<std::string>& options, std::string& log);

 private:
  std::counting_semaphore<> cores_;
  std::atomic<bool> over_{false};
};
}  // namespace CaKernel
