// A text series of an output folder (iteration, time, data…), read as it grows; and how it looks in a terminal.
#pragma once
#include <filesystem>
#include <ios>
#include <string>
#include <vector>
namespace cereus {
class TextSeries {
 public:
  void look(const std::filesystem::path&);   // reads what is new; all, if it was begun anew
  std::vector<std::string> names;            // of columns, as far as the file says
  std::vector<std::vector<double>> columns;  // of data; none if the file is no series

 private:
  void name_columns(const std::string&);
  std::streamoff read_ = 0;
  bool is_series_ = false;
};

// A curve, at most so many signs wide; a value that is not finite is a ×.
std::string curve(const std::vector<double>&, std::size_t width);
}  // namespace cereus
