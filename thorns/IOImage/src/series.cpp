#include "series.hpp"

#include <Output/vocabulary.hpp>
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

std::string title_of(
    const std::vector<cereus::Group>& groups, const std::filesystem::path& file, const std::vector<Series>& series) {
  const std::string what = file.stem().extension().string();
  for (const cereus::Group& g : groups) {
    if (what.empty() || file.stem() != Output::file_stem(g) + what) continue;
    std::string title =
        (what == "." ? "" : what.substr(1) + " of ") + g.thorn + "::";  // of grid scalars: THORN-GROUP..asc
    for (const Series& one : series) title += (&one == &series[0] ? "" : ", ") + one.label;
    return title;
  }
  return file.stem().string();
}
}  // namespace IOImage
