// NVIDIA's compiler at run time. The library is looked for when it is needed, so nobody needs it to build or to run;
// what is used of its interface is declared here (NVRTC 11.1 or later).
#pragma once
#include <string>
#include <utility>
#include <vector>
namespace CaKernel {
using Text = std::pair<std::string, std::string>;  // name and content
struct Source {
  std::string text;
  std::vector<Text> headers;
  std::vector<std::string> functions = {};  // instances of templates, as C++ names them, that are wanted
  bool contracts = true;                    // whether a b + c may be rounded once
};

class Nvrtc {
 public:
  static const Nvrtc* instance();  // null if there is none here
  std::string version() const { return version_; }
  // The symbol of each of `functions`, a line each, and a cubin for an architecture ("sm_90"); empty, with the
  // compiler's messages in `log`, if it does not compile. May be called on several threads at once.
  std::string compile(const Source&, const std::vector<std::string>& options, std::string& log) const;

 private:
  Nvrtc();
  using Program = void*;
  bool complete_ = false;
  std::string version_;
  int (*get_version_)(int*, int*) = nullptr;
  int (*create_)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*compile_)(Program, int, const char* const*) = nullptr;
  int (*destroy_)(Program*) = nullptr;
  int (*want_)(Program, const char*) = nullptr;
  int (*symbol_)(Program, const char*, const char**) = nullptr;
  int (*log_size_)(Program, std::size_t*) = nullptr;
  int (*log_)(Program, char*) = nullptr;
  int (*cubin_size_)(Program, std::size_t*) = nullptr;
  int (*cubin_)(Program, char*) = nullptr;
};
}  // namespace CaKernel
