// Numbers are read by strtod, because streams do not read nan and inf, and those are just what one wants to see.
#include "observe/text_series.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cereus/text.hpp"

namespace cereus {
namespace {
constexpr std::size_t most_columns = 16;
}

void TextSeries::look(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (file.tellg() < read_) *this = {};  // begun anew
  file.seekg(read_);
  for (std::string line; std::getline(file, line) && !file.eof();) {  // a line without its end is still being written
    read_ += static_cast<std::streamoff>(line.size()) + 1;
    if (line.starts_with("# 1:iteration 2:time 3:data")) is_series_ = true;
    if (line.starts_with("# data columns:")) name_columns(line.substr(15));
    if (!is_series_ || line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string iteration, time, value;
    words >> iteration >> time;
    for (std::size_t c = 0; c < most_columns && words >> value; ++c) {
      if (columns.size() <= c) columns.emplace_back();
      columns[c].push_back(std::strtod(value.c_str(), nullptr));
    }
  }
}

void TextSeries::name_columns(const std::string& text) {  // 3:u 4:rho
  std::istringstream words(text);
  names.clear();
  for (std::string word; words >> word;) names.push_back(printable(word.substr(word.find(':') + 1)));
}

std::string curve(const std::vector<double>& values, std::size_t width) {
  static constexpr const char* bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (double v : values)
    if (std::isfinite(v))
      low = std::min(low, v / 2),
      high = std::max(high, v / 2);  // halves: the difference of two numbers may be infinite
  std::string text;
  const std::size_t n = std::min(width, values.size());
  for (std::size_t i = 0; i < n; ++i) {
    const double v = values[n == 1 ? 0 : i * (values.size() - 1) / (n - 1)];
    text += !std::isfinite(v)
                ? "×"
                : bars[high > low ? static_cast<int>(std::clamp(8 * ((v / 2 - low) / (high - low)), 0.0, 7.0)) : 3];
  }
  return text;
}
}  // namespace cereus
