// A program that compiles one sweep: what to compile as JSON on its input, the code on its output, messages on its error output.
#include <iostream>
#include <nlohmann/json.hpp>

#include "nvrtc.hpp"

int main() {
  const auto* nvrtc = CaKernel::Nvrtc::instance();
  if (!nvrtc) return 1;
  const auto task = nlohmann::json::parse(std::cin);
  std::string log;
  const std::string code = nvrtc->compile(task["source"], task["headers"], task["options"], log);
  std::cout << code << std::flush;
  std::cerr << log;
  return code.empty() || !std::cout ? 1 : 0;
}
