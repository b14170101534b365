#include "equations/source.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cereus::equations {
int width(std::string_view text) {
  return static_cast<int>(std::ranges::count_if(text, [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

Source::Source(Where start, std::string text) : start_(std::move(start)), text_(std::move(text)) {
  line_begins_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') line_begins_.push_back(static_cast<int>(i) + 1);
}

int Source::line(int byte) const {
  return static_cast<int>(std::ranges::upper_bound(line_begins_, byte) - line_begins_.begin());
}

Where Source::where(int byte) const {
  const int n = line(byte), begin = line_begins_[n - 1];
  return {start_.file, n + std::max(0, start_.line - 1),
      width(std::string_view(text_).substr(begin, byte - begin)) + std::max(1, start_.column)};
}

void Source::add(Span span, const std::string& what, const std::string& mend) const {
  const Where at = where(span.begin);
  const int begin = line_begins_[line(span.begin) - 1];
  const auto text = std::string_view(text_).substr(begin);
  const std::string line(text.substr(0, text.find('\n')));
  const int end = std::min<int>(span.end, begin + static_cast<int>(line.size()));
  const int marked = std::max(1, width(std::string_view(text_).substr(span.begin, std::max(0, end - span.begin))));
  const std::string number = fmt::format("{:>4}", at.line), blank(number.size(), ' ');
  problems_.add(at, fmt::format("{}\n{} | {}\n{} | {}^{}{}", what, number, line, blank,
                        std::string(at.column - std::max(1, start_.column), ' '), std::string(marked - 1, '~'),
                        mend.empty() ? "" : " " + mend));
}
}  // namespace cereus::equations
