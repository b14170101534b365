// Reading a file that may be anything: a directory, a gigabyte, a program.
#include "text_file.hpp"

#include <filesystem>
#include <fstream>

namespace cereus {
namespace {

constexpr std::size_t largest_file = 1 << 20;

/// The length of the UTF-8 character that begins at `i`, or 0 if none does.
std::size_t character(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(i);
  if (first < 0x80) return (first >= 0x20 && first != 0x7f) || first == '\n' || first == '\r' || first == '\t';
  const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
  return length;
}

}  // namespace

void check_text(const std::string& text, const std::string& file, Problems& problems) {
  if (text.size() > largest_file) return problems.add({file}, "the file is larger than 1 MiB");
  Where where{file, 1, 1};
  bool indentation = true;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character(text, i);
    if (length == 0) return problems.add(where, "this is no text: only UTF-8 without control characters is read");
    if (indentation && text[i] == '\t') return problems.add(where, "a tab in the indentation; use spaces");
    if (text[i] == '\n') {
      where = {file, where.line + 1, 1};
      indentation = true;
    } else {
      indentation = indentation && text[i] == ' ';
      ++where.column;
    }
    i += length;
  }
}

std::string read_text(const std::string& path, Problems& problems) {
  std::error_code ignored;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path, ignored)) {
    problems.add({path}, stream ? "this is a directory, not a file" : "cannot be read; does it exist?");
    return "";
  }
  std::string text(largest_file + 1, '\0');
  stream.read(text.data(), std::streamsize(text.size()));
  text.resize(std::size_t(stream.gcount()));
  if (text.size() > largest_file) {
    problems.add({path}, "the file is larger than 1 MiB");
    return "";
  }
  return text;
}

}  // namespace cereus
