// Reads a text series of an output folder as it grows: the lines of IOASCII with iteration, time and data.
#pragma once
#include <filesystem>
#include <ios>
#include <string>
#include <vector>
namespace cereus {
class TextSeries {
 public:
  // Reads what is new, or all of a file that was begun anew. A line that is no row of numbers, or has another length
  // than the first, is left out, and so is a last line without its end, which is still being written.
  void look(const std::filesystem::path&);
  std::vector<std::string> names;            // of columns, as far as the file says
  std::vector<double> times;                 // of rows
  std::vector<std::vector<double>> columns;  // of data; none if the file is no series

 private:
  void name_columns(const std::string&);
  void add_row(const std::string&);
  std::streamoff read_ = 0;
  bool is_series_ = false;
};
}  // namespace cereus
