// Compiles in a process for each program, several at a time: in one process, NVRTC takes one after another, and cannot
// be stopped.
#pragma once
#include <atomic>
#include <semaphore>

#include "nvrtc.hpp"
namespace CaKernel {
class Compiler {
 public:
  // `most_seconds`: of a processor, that a program may take; 0: any. What takes longer does not compile.
  explicit Compiler(int at_once, int most_seconds = 0) : cores_(at_once), most_seconds_(most_seconds) {}
  void give_up() { over_ = true; }  // nobody waits for code any more
  // As Nvrtc::compile, which takes over where no process can be started. May be called on several threads at once.
  std::string compile(const Nvrtc&, const Source&, const std::vector<std::string>& options, std::string& log);

 private:
  std::counting_semaphore<> cores_;
  const int most_seconds_;
  std::atomic<bool> over_{false};
};
}  // namespace CaKernel
