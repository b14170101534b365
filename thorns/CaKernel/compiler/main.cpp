// A program that compiles for a device: what to compile as JSON on its input, symbols and code on its output, messages
// on its error output. Its exit status: 0: the code is there in full; 1: it is not; 2: there is no compiler.
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <nlohmann/json.hpp>

#include "nvrtc.hpp"

int main() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // not longer than the run
  [[maybe_unused]] const int ignored = nice(10);
  const auto* nvrtc = CaKernel::Nvrtc::instance();
  if (!nvrtc) return 2;
  const auto task = nlohmann::json::parse(std::cin);
  std::string log;
  const std::string code = nvrtc->compile({task["text"], task["headers"], task["functions"]}, task["options"], log);
  std::cout << code << std::flush;
  std::cerr << log;
  return code.empty() || !std::cout ? 1 : 0;
}
