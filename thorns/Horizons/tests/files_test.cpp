// Lines of diagnostics have as many words as their header has columns, at the places where AHFinderDirect has them; the
// last surface is read back to the last bit. Mutations tried: a column left out; coefficients of 16 digits (GoesOn);
// the line not closed around the axis (Shape).
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "files.hpp"

using namespace Horizons;

namespace {
Horizon horizon() {
  Horizon h{};
  h.area = 50, h.irreducible_mass = 1, h.mass = 1.5;
  h.centroid = {0.1, 0.2, 0.3}, h.radius[2] = 0.7;
  h.circumference[0] = 2, h.circumference[1] = 3, h.circumference[2] = 4;
  return h;
}
std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}
}  // namespace

TEST(Files, ColumnsOfAHFinderDirect) {
  const std::string header = diagnostics_header(1, 3);
  const auto line = words(diagnostics_line(12, 0.5, horizon(), {}));
  EXPECT_EQ(line.size(), 46u);
  for (const char* known : {"# column  1 = cctk_iteration\n", "# column  8 = mean radius\n", "# column 26 = area\n",
           "# column 27 = m_irreducible\n", "# column 40 = integral of the mean curvature\n",
           "# column 46 = residual\n"})
    EXPECT_NE(header.find(known), std::string::npos) << known;
  EXPECT_EQ(line[0], "12");
  EXPECT_EQ(std::stod(line[7]), 0.7);
  EXPECT_EQ(std::stod(line[23]), 1.5);
  EXPECT_EQ(std::stod(line[25]), 50);
  EXPECT_EQ(std::stod(line[27]), 2);
  EXPECT_EQ(std::stod(line[43]), 1.5);
}

TEST(Files, GoesOn) {
  const std::filesystem::path path = testing::TempDir() + "surfaces.ah1.asc";
  EXPECT_FALSE(last_of(testing::TempDir() + "nothing", 4));
  Surface late = sphere({0.1, 0.9, 1.0 / 3}, 0.7, 4);
  for (std::size_t n = 1; n < late.coefficients.size(); ++n) late.coefficients[n] = std::sin(n) * 1e-3;
  std::ofstream(path) << surfaces_header << surfaces_line(1, 0.5, sphere({1, 2, 3}, 1, 4)) << surfaces_line(2, 1, late)
                      << "3 1.5 0.1";  // a line that the end of a run cut off
  const auto s = last_of(path, 4), wider = last_of(path, 6);
  ASSERT_TRUE(s && wider);
  EXPECT_EQ(s->centre, late.centre);
  EXPECT_EQ(s->coefficients, late.coefficients);  // bit for bit
  EXPECT_EQ(wider->coefficients.size(), 49u);
  EXPECT_EQ(wider->coefficients[24], late.coefficients[24]);
  EXPECT_EQ(wider->coefficients[25], 0);
}

TEST(Files, Shape) {
  const Basis basis(4);
  const std::string text = shape(basis, sphere({1, 2, 3}, 0.5, 4), 12, 0.5);
  EXPECT_NE(text.find("# origin = 1 2 3\n### +z patch\n"), std::string::npos);
  std::istringstream in(text);
  int rows = 0;
  for (std::string line; std::getline(in, line);) {
    const auto w = words(line);
    if (w.empty() || w[0][0] == '#') continue;
    ++rows;
    const double x = std::stod(w[3]) - 1, y = std::stod(w[4]) - 2, z = std::stod(w[5]) - 3;
    EXPECT_NEAR(x * x + y * y + z * z, 0.25, 1e-14);
  }
  EXPECT_EQ(rows, 8 * 17);
}
