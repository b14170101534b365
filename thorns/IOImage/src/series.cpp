// Numbers are read by strtod, because streams do not read nan and inf, and those are just what one wants to see.
#include "series.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace IOImage {
namespace {
std::vector<std::string> labels_of(const std::string& header) {
  std::vector<std::string> labels;
  std::istringstream words(header.substr(header.find(':') + 1));
  for (std::string word; words >> word;) labels.push_back(word.substr(word.find(':') + 1));
  return labels;
}

std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> numbers;
  const char* at = line.c_str();
  for (char* end; *at; at = end) {
    const double x = std::strtod(at, &end);
    if (end == at) break;
    numbers.push_back(x);
  }
  return numbers;
}
}  // namespace

std::vector<Series> read_series(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::string> labels;
  std::vector<Series> series;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("# data columns:")) labels = labels_of(line);
    if (line.empty() || line[0] == '#') continue;
    const auto row = numbers_of(line);
    if (row.size() < 3) continue;
    if (series.empty()) series.resize(row.size() - 2);
    if (row.size() != series.size() + 2) continue;
    for (std::size_t c = 0; c < series.size(); ++c) {
      series[c].t.push_back(row[1]);
      series[c].y.push_back(row[c + 2]);
    }
  }
  for (std::size_t c = 0; c < series.size(); ++c) series[c].label = c < labels.size() ? labels[c] : "data";
  return series;
}
}  // namespace IOImage
