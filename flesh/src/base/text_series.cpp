// Numbers are read by strtod, because streams do not read nan and inf, and those are just what one wants to see.
#include "cereus/text_series.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cereus/text.hpp"

namespace cereus {
namespace {
constexpr std::size_t most_columns = 1000;  // of data: a file that a stranger wrote may have lines of any length

// Whether these are names of columns that are numbered one by one: "3:u 4:rho".
bool are_numbered(const std::string& names, int first) {
  std::istringstream words(names);
  for (std::string word; words >> word; ++first)
    if (!word.starts_with(std::to_string(first) + ":")) return false;
  return true;
}
std::string word_of(const std::string& line, int number) {
  std::istringstream words(line);
  std::string word;
  for (int n = 0; n <= number; ++n) words >> word;
  return word;
}

// What the first lines of a file say: the names of its columns of data, if it has a row an output; and whether rows
// have the places of points as well, as Carpet writes grid scalars.
struct Header {
  std::string names;
  bool carpet = false;
};
Header header_of(const std::filesystem::path& path) {
  constexpr std::string_view begins = "# 1:iteration 2:time ";
  std::ifstream file(path, std::ios::binary);
  std::string line, next, names, data;
  bool carpet = false;
  while (std::getline(file, line) && line.starts_with('#')) {
    carpet = carpet || line.starts_with("# 0D ASCII output");
    if (line.starts_with(begins)) names = line.substr(begins.size());
    if (line.starts_with("# data columns: ")) data = line.substr(15);
  }
  if ((carpet || names == "3:data") && !data.empty()) names = data;
  std::getline(file, next);
  const int time = carpet ? 8 : 1;
  const bool rows =
      !next.empty() && word_of(line, time) == word_of(next, time);  // of one output: elements, points, bins
  if (rows || names.starts_with("3:x ") || !are_numbered(names, carpet ? 13 : 3)) names.clear();
  return {names, carpet};
}
// it, eight columns of where, time, x, y, z, data → iteration, time, data
std::string without_places(const std::string& row) {
  std::istringstream words(row);
  std::string text;
  int n = 0;
  for (std::string word; words >> word; ++n)
    if (n == 0 || n == 8 || n >= 12) text += word + ' ';
  return text;
}
}  // namespace

void TextSeries::look(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (file.tellg() < read_) *this = {};  // begun anew
  file.seekg(read_);
  const Header header = header_of(path);
  is_series_ = !header.names.empty();
  name_columns(header.names);
  for (std::string line; std::getline(file, line) && !file.eof();) {
    read_ += static_cast<std::streamoff>(line.size()) + 1;
    if (is_series_ && !line.starts_with('#')) add_row(header.carpet ? without_places(line) : line);
  }
}

void TextSeries::name_columns(const std::string& text) {  // 3:u 4:rho
  std::istringstream words(text);
  names.clear();
  for (std::string word; words >> word;) names.push_back(printable(word.substr(word.find(':') + 1)));
}

void TextSeries::add_row(const std::string& line) {
  std::vector<double> row;
  const char* at = line.c_str();
  for (char* end; row.size() < most_columns + 2; at = end) {
    const double x = std::strtod(at, &end);
    if (end == at) break;
    row.push_back(x);
  }
  if (row.size() < 3) return;
  if (columns.empty()) columns.resize(row.size() - 2);
  if (row.size() != columns.size() + 2) return;
  times.push_back(row[1]);
  for (std::size_t c = 0; c < columns.size(); ++c) columns[c].push_back(row[c + 2]);
}
}  // namespace cereus
