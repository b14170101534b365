// nvrtc_check ARCHITECTURE HEADER INCLUDE_DIR…
// Compiles `#include "HEADER"` to a cubin with NVRTC, which has no host compiler and no standard library: what tuning
// does with a thorn's kernels at run time. Needs the toolkit, no device. Exit code 0 if it compiles.
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

bool succeeded(nvrtcResult result, const char* what) {
  if (result != NVRTC_SUCCESS) std::fprintf(stderr, "nvrtc_check: %s: %s\n", what, nvrtcGetErrorString(result));
  return result == NVRTC_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: nvrtc_check sm_90 HEADER INCLUDE_DIR...\n", stderr), 2;
  const std::string source = std::string("#include \"") + argv[2] + "\"\n";
  std::vector<std::string> options{
      std::string("-arch=") + argv[1], "-std=c++20", "-default-device"};  // what --expt-relaxed-constexpr is to nvcc
  for (int i = 3; i < argc; ++i) options.push_back(std::string("-I") + argv[i]);
  std::vector<const char*> pointers;
  for (const std::string& option : options) pointers.push_back(option.c_str());

  nvrtcProgram program;
  if (!succeeded(nvrtcCreateProgram(&program, source.c_str(), "check.cu", 0, nullptr, nullptr), "create")) return 1;
  const nvrtcResult result = nvrtcCompileProgram(program, static_cast<int>(pointers.size()), pointers.data());

  std::size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  nvrtcGetProgramLog(program, log.data());
  std::fputs(log.c_str(), stdout);
  if (!succeeded(result, argv[2])) return 1;
  nvrtcGetCUBINSize(program, &size);
  std::printf("%s: a cubin of %zu bytes for %s\n", argv[2], size, argv[1]);
  nvrtcDestroyProgram(&program);
}
