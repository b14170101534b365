// A text file that grows: lines are appended and belong to the system before the call returns, so that a run can be
// watched, and one that crashes loses none; a power cut may cost lines. A header starts a new file.
#pragma once

#include <cereus/error.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>

namespace Output {
inline void append(const std::filesystem::path& path, const std::string& header, const std::string& lines) {
  std::FILE* f = std::fopen(path.c_str(), "a");
  bool good = f != nullptr;
  if (good) {
    std::fseek(f, 0, SEEK_END);
    const std::string text = (std::ftell(f) == 0 ? header : "") + lines;
    good = std::fwrite(text.data(), 1, text.size(), f) == text.size() && std::fflush(f) == 0;
    const int reason = errno;
    good = std::fclose(f) == 0 && good;
    errno = reason;
  }
  if (!good) throw cereus::Failure("cannot write " + path.string() + ": " + std::strerror(errno));
}

// 17 significant digits: reads back to the same double.
inline std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}
}  // namespace Output
