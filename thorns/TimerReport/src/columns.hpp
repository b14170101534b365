// Text in columns.
#pragma once
#include <algorithm>
#include <string>

namespace TimerReport {
// Fills up with blanks by characters, not bytes: "µs" has two characters.
inline std::string padded(std::string text, std::size_t width, bool left = false) {
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
  const std::string blanks(width > static_cast<std::size_t>(letters) ? width - letters : 0, ' ');
  return left ? text + blanks : blanks + text;
}
inline std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}
}  // namespace TimerReport
