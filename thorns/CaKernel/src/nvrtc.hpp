// NVIDIA's compiler at run time. The library is looked for when it is needed, so nobody needs it to build or to run;
// what is used of its interface is declared here (NVRTC 11.1 or later).
#pragma once
#include <string>
#include <utility>
#include <vector>
namespace CaKernel {
using Text = std::pair<std::string, std::string>;  // name and content

class Nvrtc {
 public:
  static const Nvrtc* instance();  // null if there is none here
  std::string version() const { return version_; }
  // A cubin for an architecture ("sm_90"); empty, with the compiler's messages in `log`, if it does not compile. May be
  // called on several threads at once.
  std::string compile(const std::string& source, const std::vector<Text>& headers,
      const std::vector<std::string>& options, std::string& log) const;

 private:
  Nvrtc();
  using Program = void*;
  bool complete_ = false;
  std::string version_;
  int (*get_version_)(int*, int*) = nullptr;
  int (*create_)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*compile_)(Program, int, const char* const*) = nullptr;
  int (*destroy_)(Program*) = nullptr;
  int (*log_size_)(Program, std::size_t*) = nullptr;
  int (*log_)(Program, char*) = nullptr;
  int (*cubin_size_)(Program, std::size_t*) = nullptr;
  int (*cubin_)(Program, char*) = nullptr;
};
}  // namespace CaKernel
