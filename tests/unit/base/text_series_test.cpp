// A time series is read as it grows; what is no row of numbers does no harm.
#include <cereus/text_series.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

using cereus::TextSeries;
using Numbers = std::vector<double>;

namespace {
struct File {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("cereus-series-" + std::to_string(getpid()));
  ~File() { std::filesystem::remove(path); }
  void write(const std::string& text) { std::ofstream(path) << text; }
  void append(const std::string& text) { std::ofstream(path, std::ios::app) << text; }
};
const std::string header = "# Scalar ASCII output\n# 1:iteration 2:time 3:data\n# data columns: 3:u 4:rho\n";
}  // namespace

TEST(TextSeries, is_read_as_it_grows) {
  File file;
  TextSeries s;
  s.look(file.path);  // not there yet
  EXPECT_TRUE(s.columns.empty());
  file.write(header + "0 0.0 1 10\n1 0.5 2 2");
  s.look(file.path);
  EXPECT_EQ(s.names, (std::vector<std::string>{"u", "rho"}));
  EXPECT_EQ(s.columns, (std::vector<Numbers>{{1}, {10}}));  // the last line is still being written
  file.append("0\n");
  s.look(file.path);
  EXPECT_EQ(s.times, (Numbers{0, 0.5}));
  EXPECT_EQ(s.columns, (std::vector<Numbers>{{1, 2}, {10, 20}}));
  file.write(header + "7 3.5 9 90\n");
  s.look(file.path);
  EXPECT_EQ(s.times, (Numbers{3.5}));
  EXPECT_EQ(s.columns, (std::vector<Numbers>{{9}, {90}}));
}

TEST(TextSeries, leaves_out_what_is_no_row) {
  File file;
  TextSeries s;
  file.write(header + "0 0 1 10\n\nrubbish\n1 1\n2 2 3\n3 3 4 5 6\n4 4 nan -inf\n");
  s.look(file.path);
  EXPECT_EQ(s.times, (Numbers{0, 4}));
  EXPECT_TRUE(std::isnan(s.columns[0][1]));
  EXPECT_EQ(s.columns[1][1], -HUGE_VAL);
}

TEST(TextSeries, knows_a_line_through_the_grid_from_a_series) {
  File file;
  TextSeries s;
  file.write("# column format: 1:it\t2:tl\n# data columns: 13:u\n0\t0\t0 0 0\t1 2 3\t0\t0 0 0\t1\n");
  s.look(file.path);
  EXPECT_TRUE(s.columns.empty() && s.times.empty());
}

TEST(TextSeries, stops_at_a_thousand_columns) {
  File file;
  TextSeries s;
  std::string row = "0 0";
  for (int n = 0; n < 5000; ++n) row += " 1";
  file.write(header + row + "\n");
  s.look(file.path);
  EXPECT_EQ(s.columns.size(), 1000u);
}
