#include "cereus/growing_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cereus/error.hpp"
namespace cereus {
void append_lines(const std::filesystem::path& path, const std::string& header, const std::string& lines) {
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
  if (!good) throw Failure("cannot write " + path.string() + ": " + std::strerror(errno));
}

std::string all_digits(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}
}  // namespace cereus
