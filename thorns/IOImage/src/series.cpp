#include "series.hpp"

#include <Output/vocabulary.hpp>
#include <algorithm>
#include <cereus/text_series.hpp>
#include <cmath>
#include <numeric>
#include <utility>

namespace IOImage {
std::vector<Series> read_series(const std::filesystem::path& file) {
  cereus::TextSeries text;
  text.look(file);
  std::vector<Series> series;
  for (std::size_t c = 0; c < text.columns.size(); ++c)
    series.push_back({c < text.names.size() ? text.names[c] : "data", text.times, text.columns[c]});
  return series;
}

std::vector<Series> changes(std::vector<Series> all) {
  for (Series& series : all) {
    const auto first = std::ranges::find_if(series.y, [](double y) { return std::isfinite(y); });
    if (first == series.y.end()) continue;
    const double start = *first;
    for (double& y : series.y) y -= start;
    series.label = "Δ " + series.label;
  }
  return all;
}

namespace {
double magnitude(const Series& series) {
  double largest = 0;
  for (const double y : series.y)
    if (std::isfinite(y)) largest = std::max(largest, std::abs(y));
  return largest;
}

// Numbers of series, the largest first; what is 0 goes with the smallest.
std::vector<std::vector<std::size_t>> alike(const std::vector<Series>& all, double factor) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return magnitude(all[i]); });
  std::vector<std::vector<std::size_t>> groups;
  for (const std::size_t i : order) {
    const double own = magnitude(all[i]);
    if (groups.empty() || (own > 0 && own * factor < magnitude(all[groups.back().front()]))) groups.emplace_back();
    groups.back().push_back(i);
  }
  return groups;
}
}  // namespace

std::vector<LinePlot> in_panels(const std::vector<Series>& all, const std::string& title) {
  constexpr std::size_t most = 5;
  auto groups = alike(all, 10);
  for (double factor = 100; groups.size() > most; factor *= 10) groups = alike(all, factor);
  for (auto& group : groups) std::ranges::sort(group);
  std::ranges::sort(groups);
  std::vector<LinePlot> plots(std::max<std::size_t>(1, groups.size()));
  for (std::size_t n = 0; n < groups.size(); ++n) {
    for (const std::size_t i : groups[n]) plots[n].series.push_back(all[i]);
    if (plots[n].series.size() == 1) plots[n].ylabel = std::exchange(plots[n].series[0].label, "");
  }
  plots.front().title = title, plots.front().height = height_of_panels(static_cast<int>(plots.size()));
  plots.back().xlabel = "t";
  return plots;
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
