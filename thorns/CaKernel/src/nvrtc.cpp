#include "nvrtc.hpp"

#include <dlfcn.h>
namespace CaKernel {
const Nvrtc* Nvrtc::instance() {
  static const Nvrtc nvrtc;
  return nvrtc.complete_ ? &nvrtc : nullptr;
}

Nvrtc::Nvrtc() {
  void* library = nullptr;
  for (const char* name : {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so",
           "/usr/local/cuda/lib64/libnvrtc.so.13"})
    if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
    return function != nullptr;
  };
  complete_ = find(get_version_, "nvrtcVersion") && find(create_, "nvrtcCreateProgram") &&
              find(compile_, "nvrtcCompileProgram") && find(destroy_, "nvrtcDestroyProgram") &&
              find(want_, "nvrtcAddNameExpression") && find(symbol_, "nvrtcGetLoweredName") &&
              find(log_size_, "nvrtcGetProgramLogSize") && find(log_, "nvrtcGetProgramLog") &&
              find(cubin_size_, "nvrtcGetCUBINSize") && find(cubin_, "nvrtcGetCUBIN");
  int major = 0, minor = 0;
  if (complete_ && get_version_(&major, &minor) == 0) version_ = std::to_string(major) + "." + std::to_string(minor);
}

std::string Nvrtc::compile(const Source& source, const std::vector<std::string>& options, std::string& log) const {
  std::vector<const char*> names, texts, flags;
  for (const auto& [name, text] : source.headers) names.push_back(name.c_str()), texts.push_back(text.c_str());
  for (const auto& option : options) flags.push_back(option.c_str());
  Program program = nullptr;
  if (create_(&program, source.text.c_str(), "sweep.cu", static_cast<int>(names.size()), texts.data(), names.data()) !=
      0)
    return "";
  for (const auto& f : source.functions) want_(program, f.c_str());
  const bool compiled = compile_(program, static_cast<int>(flags.size()), flags.data()) == 0;
  std::size_t size = 0;
  if (log_size_(program, &size) == 0 && size > 1) log.resize(size), log_(program, log.data()), log.resize(size - 1);
  std::string symbols, cubin;
  bool whole = compiled && cubin_size_(program, &size) == 0 && size > 0;
  if (whole) cubin.resize(size), whole = cubin_(program, cubin.data()) == 0;
  for (const auto& f : source.functions) {
    const char* symbol = nullptr;
    if (whole) whole = symbol_(program, f.c_str(), &symbol) == 0;
    if (whole) symbols += std::string(symbol) + "\n";
  }
  destroy_(&program);
  return whole ? symbols + cubin : "";
}
}  // namespace CaKernel
