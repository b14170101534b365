// Pictures are read back from disk: what counts is the colour of a pixel in the file, not what the code meant to draw.
#include "../src/plots.hpp"
#include "../src/axes.hpp"
#include "../src/canvas.hpp"
#include "../src/colours.hpp"

#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace IOImage;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> bytes;
  Colour at(int x, int y) const {
    const std::size_t i = 3 * (std::size_t(y) * std::size_t(width) + std::size_t(x));
    return {bytes.at(i), bytes.at(i + 1), bytes.at(i + 2)};
  }
  int count(Colour colour) const {
    int n = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) n += at(x, y) == colour;
    return n;
  }
};

Picture read_png(const std::filesystem::path& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  Picture picture;
  if (!png_image_begin_read_from_file(&image, path.c_str())) throw std::runtime_error(image.message);
  image.format = PNG_FORMAT_RGB;
  picture.width = int(image.width), picture.height = int(image.height);
  picture.bytes.resize(PNG_IMAGE_SIZE(image));
  if (!png_image_finish_read(&image, nullptr, picture.bytes.data(), 0, nullptr))
    throw std::runtime_error(image.message);
  return picture;
}

bool nearly(Colour a, Colour b, int tolerance = 2) {
  return std::abs(a.r - b.r) <= tolerance && std::abs(a.g - b.g) <= tolerance && std::abs(a.b - b.b) <= tolerance;
}

Image2D asymmetric(int nx, int ny) {
  Image2D image{.nx = nx, .ny = ny, .x0 = -0.5, .x1 = nx - 0.5, .y0 = -0.5, .y1 = ny - 0.5};
  image.title = "f = x + 10 y", image.xlabel = "x", image.ylabel = "y", image.colour_label = "f";
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) image.values.push_back(i + 10.0 * j);
  return image;
}

class Plots : public testing::Test {
 protected:
  Plots() {
    std::string pattern = (std::filesystem::temp_directory_path() / "plots_test_XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    folder = pattern;
  }
  ~Plots() override { std::filesystem::remove_all(folder); }

  Picture heatmap(const Image2D& image) {
    draw_heatmap(image, folder / "picture.png");
    return read_png(folder / "picture.png");
  }
  Picture lines(const LinePlot& plot) {
    draw_lines(plot, folder / "picture.png");
    return read_png(folder / "picture.png");
  }

  std::filesystem::path folder;
};

// The pixel in the middle of a data point.
Point pixel_of(const Image2D& image, int i, int j) {
  const Box frame = heatmap_frame(image);
  return {frame.x + (i + 0.5) * frame.width / image.nx, frame.y + frame.height - (j + 0.5) * frame.height / image.ny};
}

void expect_every_point_in_its_place(const Picture& picture, const Image2D& image, ColourMap map, int tolerance) {
  const ColourRange range = heatmap_range(image);
  for (int j = 0; j < image.ny; ++j)
    for (int i = 0; i < image.nx; ++i) {
      const double value = image.values[std::size_t(j * image.nx + i)];
      const Point p = pixel_of(image, i, j);
      const Colour want = colour_of(map, (value - range.lo) / (range.hi - range.lo));
      const Colour got = picture.at(int(p.x), int(p.y));
      EXPECT_TRUE(nearly(got, want, tolerance)) << "point " << i << ", " << j;
    }
}

TEST_F(Plots, HeatmapHasTheAspectRatioOfItsData) {
  const Image2D square = asymmetric(8, 8), wide = asymmetric(16, 4);
  const Picture picture = heatmap(square);
  EXPECT_LE(picture.width, 900);
  EXPECT_NEAR(picture.width, 860, 40);
  EXPECT_NEAR(picture.height, 750, 2);
  EXPECT_EQ(picture.width % 2 + picture.height % 2, 0);
  EXPECT_EQ(heatmap_frame(square).width, heatmap_frame(square).height);
  EXPECT_NEAR(heatmap_frame(wide).width, 4 * heatmap_frame(wide).height, 4);
}

TEST_F(Plots, EveryValueIsInItsPlace) {
  const Image2D image = asymmetric(7, 5);  // neither transposed nor flipped passes
  expect_every_point_in_its_place(heatmap(image), image, ColourMap::sequential, 0);
}

TEST_F(Plots, CellsShowAsCells) {
  const Image2D image = asymmetric(2, 2);
  const Box frame = heatmap_frame(image);
  const Picture picture = heatmap(image);
  EXPECT_EQ(picture.at(frame.x, frame.y + frame.height - 1), colour_of(ColourMap::sequential, 0));
  EXPECT_EQ(
      picture.at(frame.x + frame.width / 2 - 2, frame.y + frame.height / 2 + 2), colour_of(ColourMap::sequential, 0));
  EXPECT_EQ(picture.at(frame.x + frame.width - 1, frame.y), colour_of(ColourMap::sequential, 1));
}

TEST_F(Plots, SmoothKeepsValuesAtTheirPoints) {
  Image2D image = asymmetric(7, 5);
  image.smooth = true;
  expect_every_point_in_its_place(heatmap(image), image, ColourMap::sequential, 4);
}

TEST_F(Plots, SwappedEdgesMirrorTheData) {
  Image2D image = asymmetric(2, 3);
  std::swap(image.x0, image.x1);
  const Box frame = heatmap_frame(image);
  EXPECT_EQ(
      heatmap(image).at(frame.x + frame.width - 2, frame.y + frame.height - 2), colour_of(ColourMap::sequential, 0));
}

TEST_F(Plots, LargeDataIsAveraged) {
  Image2D image{.nx = 1000, .ny = 1500};
  for (int j = 0; j < image.ny; ++j)
    for (int i = 0; i < image.nx; ++i) image.values.push_back(i < 500 ? (i + j) % 2 : 0.25);
  image.vmin = 0, image.vmax = 1;
  image.y1 = 1.5;
  const Box frame = heatmap_frame(image);
  const Picture picture = heatmap(image);
  // A checkerboard of points is an even half on average, give or take the odd point at a pixel's edge.
  double mean = 0;
  const Colour half = colour_of(ColourMap::sequential, 0.5);
  for (int x = frame.x + 5; x < frame.x + 105; ++x) mean += picture.at(x, frame.y + 50).g / 100.0;
  EXPECT_NEAR(mean, half.g, 4);
  EXPECT_TRUE(nearly(picture.at(frame.x + frame.width - 9, frame.y + 9), colour_of(ColourMap::sequential, 0.25)));
}

TEST_F(Plots, SignedDataIsWhiteAtZero) {
  Image2D image{.nx = 3, .ny = 1, .values = {-1, 0, 4}, .x1 = 3};
  image.diverging = true;
  EXPECT_EQ(heatmap_range(image).lo, -4);
  const Picture picture = heatmap(image);
  expect_every_point_in_its_place(picture, image, ColourMap::diverging, 0);
  const Point zero = pixel_of(image, 1, 0);
  EXPECT_EQ(picture.at(int(zero.x), int(zero.y)), (Colour{247, 247, 247}));
}

TEST_F(Plots, WhatIsNotFiniteIsGrey) {
  Image2D image = asymmetric(4, 3);
  image.values[1 * 4 + 2] = nan;
  image.values[2 * 4 + 0] = infinity;
  const Picture picture = heatmap(image);
  for (const auto& [i, j] : {std::pair{2, 1}, {0, 2}}) {
    const Point p = pixel_of(image, i, j);
    EXPECT_EQ(picture.at(int(p.x), int(p.y)), nan_colour);
  }
  EXPECT_EQ(heatmap_range(image).hi, 23);
}

TEST_F(Plots, OneBadPointAmongAMillionIsSeen) {
  Image2D image{.nx = 1000, .ny = 1000, .values = std::vector<double>(1000000, 1.0)};
  image.values[123456] = nan;
  EXPECT_GE(heatmap(image).count(nan_colour), 1);
}

TEST_F(Plots, TicksStandBesideTheFrame) {
  const Image2D image = asymmetric(8, 8);
  const Box frame = heatmap_frame(image);
  const Picture picture = heatmap(image);
  int left = 0, below = 0;
  for (int y = frame.y - 1; y <= frame.y + frame.height; ++y)
    left += picture.at(frame.x - 4, y) == Colour{120, 120, 120};
  for (int x = frame.x - 1; x <= frame.x + frame.width; ++x)
    below += picture.at(x, frame.y + frame.height + 3) == Colour{120, 120, 120};
  EXPECT_EQ(left, 8);
  EXPECT_EQ(below, 8);
}

TEST_F(Plots, ColourBarRunsUpwards) {
  const Image2D image = asymmetric(8, 8);
  const Box frame = heatmap_frame(image);
  const Picture picture = heatmap(image);
  const int x = frame.x + frame.width + 33;
  EXPECT_TRUE(nearly(picture.at(x, frame.y + 1), colour_of(ColourMap::sequential, 1), 4));
  EXPECT_TRUE(nearly(picture.at(x, frame.y + frame.height - 2), colour_of(ColourMap::sequential, 0), 4));
}

TEST_F(Plots, DegenerateImages) {
  EXPECT_GT(heatmap({}).width, 0);
  EXPECT_GT(heatmap(Image2D{.nx = 1, .ny = 1, .values = {0}}).width, 0);
  EXPECT_GT(heatmap(Image2D{.nx = 2, .ny = 1, .values = {7, 7}, .x0 = 3, .x1 = 3}).width, 0);
  EXPECT_GT(heatmap(Image2D{.nx = 2, .ny = 1, .values = {nan, infinity}}).count(nan_colour), 100);
  EXPECT_GT(heatmap(Image2D{.nx = 2, .ny = 1, .values = {-1e308, 1e308}}).width, 0);
  EXPECT_GT(heatmap(Image2D{.nx = 2, .ny = 1, .values = {0, 1e-310}, .x1 = 1e9}).width, 0);
  EXPECT_GT(heatmap(Image2D{.nx = 1, .ny = 2, .values = {0, 1}, .title = std::string(500, 'W'), .vmin = 5}).width, 0);
  EXPECT_THROW(heatmap(Image2D{.nx = 2, .ny = 2, .values = {1}}), std::runtime_error);
  EXPECT_THROW(heatmap(Image2D{.nx = 1, .ny = 1, .values = {1}, .x1 = nan}), std::runtime_error);
}

TEST_F(Plots, FailureToWriteNamesTheFileAndLeavesNothingBehind) {
  try {
    draw_heatmap(asymmetric(2, 2), folder / "missing" / "a.png");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("missing/a.png"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos);
  }
  std::filesystem::create_directories(folder / "taken.png" / "inner");
  EXPECT_THROW(draw_heatmap(asymmetric(2, 2), folder / "taken.png"), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(folder / "taken.png.tmp"));
}

TEST_F(Plots, LinesPassThroughTheirPoints) {
  const LinePlot plot{.series = {{"falling", {0, 1, 2}, {4, 2, 0}}, {"", {0, 2}, {0, 0}}}};
  const Picture picture = lines(plot);
  EXPECT_EQ(picture.width, 900);
  EXPECT_EQ(picture.height, 560);
  const Box frame = lines_frame(plot);
  // The range of y is 0 to 4 and a twentieth more on both sides.
  const int x = frame.x + frame.width / 4, y = frame.y + int(frame.height * 1.2 / 4.4);
  bool found = false;
  for (int d = -1; d <= 1; ++d) found |= nearly(picture.at(x, y + d), line_colour(0), 40);
  EXPECT_TRUE(found);
  EXPECT_GT(picture.count(line_colour(1)), frame.width / 2);
}

TEST_F(Plots, MissingValuesLeaveGaps) {
  const LinePlot plot{.series = {{"", {0, 1, 2, 3, 4, 5}, {1, 1, nan, infinity, 1, 1}}}};
  const Picture picture = lines(plot);
  const Box frame = lines_frame(plot);
  const int y = frame.y + frame.height / 2;
  const auto drawn = [&](double t) {
    const int x = frame.x + int(t / 5 * frame.width);
    return nearly(picture.at(x, y), line_colour(0), 60) || nearly(picture.at(x, y - 1), line_colour(0), 60);
  };
  EXPECT_TRUE(drawn(0.5));
  EXPECT_FALSE(drawn(1.5));
  EXPECT_FALSE(drawn(2.5));
  EXPECT_FALSE(drawn(3.5));
  EXPECT_TRUE(drawn(4.5));
}

TEST_F(Plots, DegenerateLines) {
  EXPECT_EQ(lines({}).count(line_colour(0)), 0);
  EXPECT_EQ(lines({.series = {{"empty", {}, {}}}, .log_y = true}).width, 900);
  EXPECT_GT(lines({.series = {{"", {1}, {3}}}}).count(line_colour(0)), 20);  // a dot
  EXPECT_GT(lines({.series = {{"", {0, 1, 2}, {0, 0, 0}}}}).count(line_colour(0)), 500);
  EXPECT_GT(lines({.series = {{"", {0, 1, 2}, {5, 5, 5}}}, .log_y = true}).count(line_colour(0)), 500);
  EXPECT_EQ(lines({.series = {{"", {0, 1}, {-1, 0}}}, .log_y = true}).count(line_colour(0)), 0);
  EXPECT_GT(lines({.series = {{"", {0, 1}, {-1e308, 1e308}}}}).width, 0);
  EXPECT_GT(lines({.series = {{"", {0, 1}, {1e-320, 1e308}}}, .log_y = true}).width, 0);
  EXPECT_GT(lines({.series = std::vector<Series>(40, {"many", {0, 1}, {0, 1}})}).width, 0);
  EXPECT_THROW(lines({.series = {{"", {0, 1}, {1}}}}), std::runtime_error);
}

TEST(Ticks, AreRound) {
  const Ticks ticks = make_ticks({-0.3, 1.0}, 6);
  EXPECT_EQ(ticks.labels, (std::vector<std::string>{"−0.2", "0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_TRUE(ticks.factor.empty());
  EXPECT_DOUBLE_EQ(ticks.values[1], 0);
}

TEST(Ticks, ShareAnExponentWhenNumbersAreLargeOrSmall) {
  EXPECT_EQ(make_ticks({0, 4e-5}, 4).labels, (std::vector<std::string>{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(make_ticks({0, 4e-5}, 4).factor, "×10^{−5}");
  EXPECT_EQ(make_ticks({0, 1e6}, 2).labels, (std::vector<std::string>{"0.0", "0.5", "1.0"}));
  EXPECT_EQ(make_ticks({0, 1000}, 2).labels.back(), "1000");
  EXPECT_EQ(make_ticks({100000, 100004}, 4).labels[1], "100001");
}

TEST(Ticks, HaveEnoughDigitsToDiffer) {
  const Ticks ticks = make_ticks({1, 1 + 4e-7}, 4);
  EXPECT_EQ(ticks.labels[1], "1.0000001");
}

TEST(Ticks, AreOneToEachNumberOverManyMagnitudes) {
  for (int e = -290; e <= 290; ++e)
    for (const double mantissa : {1.0, 1.7, 3.0, 9.99}) {
      const Scale scale = make_scale(0, mantissa * std::pow(10, e));
      const Ticks ticks = make_ticks(scale, 6);
      EXPECT_GE(ticks.values.size(), 4u) << mantissa << "e" << e;
      EXPECT_LE(ticks.values.size(), 12u) << mantissa << "e" << e;
      for (const std::string& label : ticks.labels) EXPECT_LE(label.size(), 6u) << label;
    }
}

TEST(Ticks, AreDecadesOnALogarithmicScale) {
  const Ticks ticks = make_ticks(make_scale(1e-3, 10, 0, true), 6);
  EXPECT_EQ(ticks.labels, (std::vector<std::string>{"10^{−3}", "10^{−2}", "10^{−1}", "10^{0}", "10^{1}"}));
  EXPECT_EQ(ticks.minor.size(), 4u * 8);
  EXPECT_GE(make_ticks(make_scale(2, 5, 0, true), 6).values.size(), 3u);
  EXPECT_LE(make_ticks(make_scale(1e-200, 1e200, 0, true), 6).values.size(), 10u);
  EXPECT_NEAR(make_scale(1e-3, 10, 0, true).fraction(0.1), 0.5, 1e-12);
}

TEST(Colours, SequentialGetsLighterAllTheWay) {
  const auto luma = [](Colour c) { return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b; };
  for (int i = 0; i < 100; ++i)
    EXPECT_LE(
        luma(colour_of(ColourMap::sequential, i / 100.0)), luma(colour_of(ColourMap::sequential, (i + 1) / 100.0)));
  EXPECT_EQ(colour_of(ColourMap::sequential, -3), colour_of(ColourMap::sequential, 0));
  EXPECT_EQ(colour_of(ColourMap::sequential, nan), nan_colour);
}

TEST(CanvasText, EveryPrintableCharacterLeavesInk) {
  for (char c = '!'; c <= '~'; ++c) {
    Canvas canvas(40, 40);
    canvas.text({10, 28}, std::string(1, c), {.size = 20});
    int ink = 0;
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 40; ++x) ink += canvas.at(x, y) != Colour{255, 255, 255};
    EXPECT_GT(ink, 3) << c;
    EXPECT_GT(text_width(std::string(1, c), 20), 2) << c;
  }
}

TEST(CanvasText, VerticalTextIsHorizontalTextTurned) {
  Canvas across(120, 120), up(120, 120);
  across.text({10, 60}, "Turn 7g", {.size = 14});
  up.text({60, 119 - 10}, "Turn 7g", {.size = 14, .vertical = true});
  int different = 0;
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 120; ++x) different += !nearly(across.at(x, y), up.at(y, 119 - x));
  EXPECT_EQ(different, 0);
}

TEST(CanvasLines, ThickLinesCoverTheirWidth) {
  Canvas canvas(40, 40);
  const std::vector<Point> line = {{5, 20}, {35, 20}};
  canvas.polyline(line, 4, {0, 0, 0});
  int black = 0;
  for (int y = 0; y < 40; ++y) black += canvas.at(20, y) == Colour{0, 0, 0};
  EXPECT_EQ(black, 4);
}

}  // namespace
