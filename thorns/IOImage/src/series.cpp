#include "series.hpp"

#include <cereus/text_series.hpp>

namespace IOImage {
std::vector<Series> read_series(const std::filesystem::path& file) {
  cereus::TextSeries text;
  text.look(file);
  std::vector<Series> series;
  for (std::size_t c = 0; c < text.columns.size(); ++c)
    series.push_back({c < text.names.size() ? text.names[c] : "data", text.times, text.columns[c]});
  return series;
}
}  // namespace IOImage
