// Pictures are read back from disk: what counts is the colour of a pixel in the file, not what the code meant to draw.
#include "../src/plots.hpp"
#include "../src/arrows.hpp"
#include "../src/axes.hpp"
#include "../src/canvas.hpp"
#include "../src/colours.hpp"
#include "../src/contours.hpp"
#include "../src/easel.hpp"

#include "../src/series.hpp"

#include <cairo.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace IOImage;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

bool nearly(Colour a, Colour b, int tolerance = 2) {
  return std::abs(a.r - b.r) <= tolerance && std::abs(a.g - b.g) <= tolerance && std::abs(a.b - b.b) <= tolerance;
}

struct Picture {
  int width = 0, height = 0;
  std::vector<Colour> pixels{};

  Colour at(int x, int y) const { return pixels.at(std::size_t(y * width + x)); }
  int count(Colour colour) const { return count(colour, {0, 0, width, height}); }
  int count(Colour colour, Rectangle box, int tolerance = 0) const {
    int n = 0;
    for (int y = box.y; y < box.y + box.height; ++y)
      for (int x = box.x; x < box.x + box.width; ++x) n += nearly(at(x, y), colour, tolerance);
    return n;
  }
  // The smallest box around all that is not white in a part of it.
  Rectangle ink(Rectangle part) const {
    int left = part.x + part.width, right = part.x, top = part.y + part.height, bottom = part.y;
    for (int y = part.y; y < part.y + part.height; ++y)
      for (int x = part.x; x < part.x + part.width; ++x)
        if (at(x, y) != Colour{255, 255, 255}) {
          left = std::min(left, x), right = std::max(right, x + 1);
          top = std::min(top, y), bottom = std::max(bottom, y + 1);
        }
    return {left, top, right - left, bottom - top};
  }
};

Picture read_png(const std::filesystem::path& path) {
  const std::shared_ptr<cairo_surface_t> surface(
      cairo_image_surface_create_from_png(path.c_str()), cairo_surface_destroy);
  Picture picture{cairo_image_surface_get_width(surface.get()), cairo_image_surface_get_height(surface.get())};
  const auto* words = reinterpret_cast<const std::uint32_t*>(cairo_image_surface_get_data(surface.get()));
  for (const auto word : std::span(words, std::size_t(picture.width * picture.height)))
    picture.pixels.push_back({std::uint8_t(word >> 16), std::uint8_t(word >> 8), std::uint8_t(word)});
  return picture;
}

Rectangle lines_frame(const LinePlot& plot) { return IOImage::lines_frame({plot}); }

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
    draw_lines({plot}, folder / "picture.png");
    return read_png(folder / "picture.png");
  }

  // Looks at the middle of each cell and, unless values are interpolated, near its corners.
  void expect_every_value_in_its_place(const Image2D& image) {
    const Palette& palette = Palette::named(image.diverging ? "diverging" : "sequential");
    const ColourRange range = heatmap_range(image);
    const Picture picture = heatmap(image);
    for (int j = 0; j < image.ny; ++j)
      for (int i = 0; i < image.nx; ++i)
        for (const double off : {-0.45, 0.0, 0.45}) {
          const Point p = pixel_of(image, i + (image.smooth ? 0 : off), j + (image.smooth ? 0 : off));
          const double value = image.values[std::size_t(j * image.nx + i)];
          const Colour want = palette.at((value - range.lo) / (range.hi - range.lo));
          EXPECT_TRUE(nearly(picture.at(int(p.x), int(p.y)), want, image.smooth ? 4 : 0)) << i << ", " << j;
        }
  }

  // The pixel of a data point; the middle of a cell is a whole number.
  Point pixel_of(const Image2D& image, double i, double j) {
    const Rectangle frame = heatmap_frame(image);
    const double x = (i + 0.5) * frame.width / image.nx, y = (j + 0.5) * frame.height / image.ny;
    return {image.x1 < image.x0 ? frame.x + frame.width - x : frame.x + x, frame.y + frame.height - y};
  }

  std::filesystem::path folder;
};

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
  Image2D image = asymmetric(7, 5);  // neither transposed nor flipped passes
  expect_every_value_in_its_place(image);
  image.smooth = true;
  expect_every_value_in_its_place(image);
  image.smooth = false, std::swap(image.x0, image.x1);
  expect_every_value_in_its_place(image);
}

TEST_F(Plots, LargeDataIsAveraged) {
  Image2D image{.nx = 1000, .ny = 1500};
  for (int j = 0; j < image.ny; ++j)
    for (int i = 0; i < image.nx; ++i) image.values.push_back(i < 500 ? (i + j) % 2 : 0.25);
  image.vmin = 0, image.vmax = 1;
  image.y1 = 1.5;
  const Rectangle frame = heatmap_frame(image);
  const Picture picture = heatmap(image);
  // A checkerboard of points is an even half on average, give or take the odd point at a pixel's edge.
  double mean = 0;
  const Colour half = Palette::named("sequential").at(0.5);
  for (int x = frame.x + 5; x < frame.x + 105; ++x) mean += picture.at(x, frame.y + 50).g / 100.0;
  EXPECT_NEAR(mean, half.g, 4);
  EXPECT_TRUE(nearly(picture.at(frame.x + frame.width - 9, frame.y + 9), Palette::named("sequential").at(0.25)));
}

TEST_F(Plots, SignedDataIsWhiteAtZero) {
  Image2D image{.nx = 3, .ny = 1, .values = {-1, 0, 4}, .x1 = 3};
  image.diverging = true;
  EXPECT_EQ(heatmap_range(image).lo, -4);
  expect_every_value_in_its_place(image);
  EXPECT_EQ(Palette::named("diverging").at(0.5), (Colour{247, 247, 247}));
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

// A solid of one cell, and a value that lies at an edge of it. Mutation: the value of solid points counted.
TEST_F(Plots, SolidIsGreyAndHasNoPartInColours) {
  Image2D image{.nx = 8, .ny = 8, .values = std::vector<double>(64, 1.0), .x0 = 0, .x1 = 8, .y0 = 0, .y1 = 8};
  image.vmin = 0, image.vmax = 2;
  image.solid = [](double x, double y) { return x > 3 && x < 5 && y > 2 && y < 4; };
  EXPECT_TRUE(lies_in(image.solid, {3.5, 2.5}, 1, 1));
  EXPECT_FALSE(lies_in(image.solid, {3, 2.5}, 1, 1));
  for (int j = 2; j < 4; ++j)
    for (int i = 3; i < 5; ++i) image.values[std::size_t(8 * j + i)] = nan;
  const Colour middle = Palette::named("sequential").at(0.5);
  for (const bool smooth : {false, true}) {
    image.smooth = smooth;
    const Rectangle frame = heatmap_frame(image);
    const Picture picture = heatmap(image);
    EXPECT_NEAR(picture.count(solid_colour, frame), frame.width * frame.height / 16, 2 * frame.width);
    EXPECT_EQ(picture.count(solid_colour, frame) + picture.count(middle, frame), frame.width * frame.height);
  }
}

// Mutation: frames as wide as the numbers beside each leave room for.
TEST_F(Plots, PanelsHaveFramesOfOneSize) {
  Image2D first = asymmetric(32, 8), second = first;
  for (double& v : second.values) v = 1e5 + 1e-3 * v;  // long numbers
  draw_panels({first, second}, "t = 1", 1400, 400, folder / "panels.png");
  const Picture picture = read_png(folder / "panels.png");
  EXPECT_TRUE(picture.width <= 1400 && picture.height <= 400);
  std::vector<int> edges;  // left and right of the frame, of its colour bar, of the next frame …
  for (int x = 0; x < picture.width; ++x)
    if (picture.count({120, 120, 120}, {x, 0, 1, picture.height}) > 100) edges.push_back(x);
  ASSERT_EQ(edges.size(), 8u);
  EXPECT_EQ(edges[1] - edges[0], edges[5] - edges[4]);
  const Colour low = Palette::named("sequential").at(0);
  for (const int left : {edges[0], edges[4]}) EXPECT_GT(picture.count(low, {left + 1, 0, 8, picture.height}), 10);
}

TEST_F(Plots, OneBadPointAmongAMillionIsSeen) {
  Image2D image{.nx = 1000, .ny = 1000, .values = std::vector<double>(1000000, 1.0)};
  image.values[123456] = nan;
  EXPECT_GE(heatmap(image).count(nan_colour), 1);
}

TEST_F(Plots, TicksAndColourBarStandBesideTheFrame) {
  const Image2D image = asymmetric(8, 8);
  const auto [x, y, width, height] = heatmap_frame(image);
  const Picture picture = heatmap(image);
  EXPECT_EQ(picture.count({120, 120, 120}, {x - 4, y - 1, 1, height + 2}), 8);
  EXPECT_EQ(picture.count({120, 120, 120}, {x - 1, y + height + 3, width + 2, 1}), 8);
  EXPECT_TRUE(nearly(picture.at(x + width + 33, y + 1), Palette::named("sequential").at(1), 4));
  EXPECT_TRUE(nearly(picture.at(x + width + 33, y + height - 2), Palette::named("sequential").at(0), 4));
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
  const Rectangle frame = lines_frame(plot);
  // The range of y is 0 to 4 and a twentieth more on both sides.
  const int x = frame.x + frame.width / 4, y = frame.y + int(frame.height * 1.2 / 4.4);
  EXPECT_GT(picture.count(line_colour(0), {x, y - 1, 1, 3}, 40), 0);
  EXPECT_GT(picture.count(line_colour(1)), frame.width / 2);
  EXPECT_EQ(picture.count(line_colour(1), {0, 0, 900, 560}, 60), picture.count(line_colour(1), frame, 60));
  Series flat;
  for (int i = 0; i < 150; ++i) flat.t.push_back(i), flat.y.push_back(1);
  const Rectangle middle = lines_frame({.series = {flat}});
  EXPECT_EQ(lines({.series = {flat}}).count(line_colour(0), {middle.x, 276, middle.width, 1}), middle.width);
}

TEST_F(Plots, MissingValuesLeaveGaps) {
  const LinePlot plot{.series = {{"", {0, 1, 2, 3, 4, 5}, {1, 1, nan, infinity, 1, 1}}}};
  const Picture picture = lines(plot);
  const Rectangle frame = lines_frame(plot);
  const auto drawn = [&](double t) {
    return picture.count(line_colour(0), {frame.x + int(t / 5 * frame.width), frame.y, 1, frame.height}, 60) > 0;
  };
  EXPECT_TRUE(drawn(0.5));
  EXPECT_FALSE(drawn(1.5));
  EXPECT_FALSE(drawn(2.5));
  EXPECT_FALSE(drawn(3.5));
  EXPECT_TRUE(drawn(4.5));
}

TEST_F(Plots, OfManyPointsTheExtremesAreSeen) {
  LinePlot plot{.series = {{"", {}, {}}}};
  for (int i = 0; i < 300000; ++i) {
    plot.series[0].t.push_back(i);
    plot.series[0].y.push_back(i == 100190 ? 1 : i == 200190 ? -1 : i % 2 ? 0.1 : -0.1);
  }
  const Picture picture = lines(plot);
  const Rectangle frame = lines_frame(plot);
  const auto drawn = [&](int x) { return picture.count(line_colour(0), {frame.x + x, frame.y, 1, frame.height}, 90); };
  EXPECT_GT(drawn(int(frame.width * 100190 / 3e5)), 0.4 * frame.height);
  EXPECT_GT(drawn(int(frame.width * 200190 / 3e5)), 0.4 * frame.height);
  for (const int x : {50, 200, 400, 700}) EXPECT_NEAR(drawn(x), frame.height * 0.2 / 2.2, 4);
}

// Mutation: the legend inside of the frame.
TEST_F(Plots, TheLegendStandsBesideTheCurves) {
  const LinePlot plot{.series = {{"a long label", {0, 1}, {0, 1}}, {"b", {0, 1}, {1, 0}}}};
  const Rectangle frame = lines_frame(plot);
  const Picture picture = lines(plot);
  const Rectangle right = picture.ink({frame.x + frame.width + 12, 0, 900 - frame.x - frame.width - 12, 500});
  EXPECT_GT(right.width, 100);
  EXPECT_LE(right.x + right.width, 888);
  EXPECT_LE(right.y + right.height, frame.y + 42);
  EXPECT_GT(picture.count(line_colour(1), {right.x, frame.y, 24, 42}), 20);
  const LinePlot many{.series = std::vector<Series>(60, {"u", {0, 1}, {0, 1}})};
  const Rectangle crowded = lines_frame(many);
  const Rectangle all = lines(many).ink({crowded.x + crowded.width + 20, 0, 880 - crowded.x - crowded.width, 560});
  EXPECT_LE(all.y + all.height, crowded.y + crowded.height + 20);
}

// Mutation: frames of panels that follow their own labels.
TEST_F(Plots, PanelsOfLinesShareTheirAxis) {
  const std::vector<LinePlot> plots{{.series = {{"", {0, 1}, {0, 1e5}}}, .title = "t"},
      {.series = {{"b", {0, 2}, {0, 1}}, {"c", {1, 2}, {0, 1}}}, .xlabel = "t"}};
  const Rectangle upper = lines_frame(plots, 0), lower = IOImage::lines_frame(plots, 1);
  EXPECT_EQ(upper.x, lower.x);
  EXPECT_EQ(upper.width, lower.width);
  EXPECT_GT(lower.y, upper.y + upper.height + 20);
  draw_lines(plots, folder / "panels.png");
  const Picture picture = read_png(folder / "panels.png");
  EXPECT_EQ(picture.count(line_colour(0), {upper.x + upper.width / 2 + 4, upper.y, upper.width / 3, upper.height}), 0);
  EXPECT_GT(picture.count(line_colour(2), lower, 60), 100);  // colours go on from panel to panel
}

// The ends of the axis, though the points end before. Mutation: those of the points.
TEST_F(Plots, AnAxisHasTicksAtItsEnds) {
  LinePlot plot{.series = {{"", {-0.99, 0.99}, {0, 1}}}};
  const auto ticks_at_ends = [&] {
    const Rectangle frame = lines_frame(plot);
    const Picture picture = lines(plot);
    const auto tick = [&](int x) { return picture.count({120, 120, 120}, {x, frame.y + frame.height + 2, 1, 3}) == 3; };
    return tick(frame.x) && tick(frame.x + frame.width - 1);
  };
  EXPECT_FALSE(ticks_at_ends());
  plot.xends = {-1, 1};
  EXPECT_TRUE(ticks_at_ends());
  plot.xends = {0, 1.5};
  EXPECT_TRUE(ticks_at_ends());  // by a coarser step
}

TEST(SeriesInPanels, AreAlike) {
  const std::vector<Series> all{{"density", {0, 1}, {1.25, 1.25}}, {"energy", {0, 1}, {15.6, 15.7}}, {"none", {0}, {0}},
      {"momentum", {0, 1}, {0.5, nan}}};
  const auto plots = in_panels(all, "norms");
  ASSERT_EQ(plots.size(), 2u);
  EXPECT_EQ(plots[0].series.size(), 3u);
  EXPECT_EQ(plots[1].ylabel, "energy");
  EXPECT_EQ(plots[0].title, "norms");
  EXPECT_EQ(plots[1].xlabel, "t");
  std::vector<Series> many;
  for (int n = 0; n < 40; ++n) many.push_back({"u", {0}, {std::pow(10, -n)}});
  EXPECT_LE(in_panels(many, "").size(), 5u);
  EXPECT_EQ(in_panels({}, "empty").size(), 1u);
}

// Mutation: of the first value, finite or not.
TEST(SeriesInPanels, ChangesBeginWithZero) {
  const auto gained = changes({{"mass", {0, 1, 2}, {nan, 2, 2.5}}, {"gone", {0}, {nan}}});
  EXPECT_EQ(gained[0].y[1], 0);
  EXPECT_EQ(gained[0].y[2], 0.5);
  EXPECT_EQ(gained[0].label, "Δ mass");
}

TEST_F(Plots, DegenerateLines) {
  EXPECT_EQ(lines({}).count(line_colour(0)), 0);
  EXPECT_EQ(lines({.series = {{"empty", {}, {}}}, .log_y = true}).width, 900);
  EXPECT_GT(lines({.series = {{"", {1}, {3}}}}).count(line_colour(0)), 20);  // a dot
  EXPECT_GT(lines({.series = {{"", {0, 1, 2}, {0, 0, 0}}}}).count(line_colour(0)), 500);
  EXPECT_GT(lines({.series = {{"", {0, 1, 2}, {5, 5, 5}}}, .log_y = true}).count(line_colour(0)), 500);
  EXPECT_EQ(lines({.series = {{"", {0, 1}, {-1, 0}}}, .log_y = true}).count(line_colour(0)), 0);
  EXPECT_GT(lines({.series = {{"steep", {0, 1}, {-1e308, 1e308}}}}).count(line_colour(0)), 300);
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
  EXPECT_EQ(make_ticks({0, 4e-5}, 4).factor, "×10⁻⁵");
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
  EXPECT_EQ(ticks.labels, (std::vector<std::string>{"10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹"}));
  EXPECT_EQ(ticks.minor.size(), 4u * 8);
  EXPECT_GE(make_ticks(make_scale(2, 5, 0, true), 6).values.size(), 3u);
  EXPECT_LE(make_ticks(make_scale(1e-200, 1e200, 0, true), 6).values.size(), 10u);
  EXPECT_NEAR(make_scale(1e-3, 10, 0, true).fraction(0.1), 0.5, 1e-12);
}

TEST(Colours, SequentialGetsLighterAllTheWay) {
  const auto luma = [](Colour c) { return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b; };
  for (const char* name : {"viridis", "magma", "inferno", "plasma", "cividis"}) {
    const Palette& palette = Palette::named(name);
    EXPECT_FALSE(palette.diverging());
    for (int i = 0; i < 100; ++i) EXPECT_LE(luma(palette.at(i / 100.0)), luma(palette.at((i + 1) / 100.0)) + 1) << name;
    EXPECT_EQ(palette.at(-3), palette.at(0));
    EXPECT_EQ(palette.at(nan), nan_colour);
  }
}

// The published tables at 0, 60, 128, 200 and 255 of 255; of coolwarm the ends and the middle that Moreland gives.
TEST(Colours, AreThePublishedOnes) {
  struct Known {
    const char* name;
    int index;
    Colour colour;
  };
  for (const Known& k : std::initializer_list<Known>{{"viridis", 0, {68, 1, 84}}, {"viridis", 60, {61, 78, 138}},
           {"viridis", 128, {33, 145, 140}}, {"viridis", 200, {112, 207, 87}}, {"viridis", 255, {253, 231, 37}},
           {"magma", 0, {0, 0, 4}}, {"magma", 60, {74, 16, 121}}, {"magma", 128, {183, 55, 121}},
           {"magma", 200, {253, 152, 105}}, {"magma", 255, {252, 253, 191}}, {"inferno", 0, {0, 0, 4}},
           {"inferno", 60, {81, 14, 108}}, {"inferno", 128, {188, 55, 84}}, {"inferno", 200, {251, 157, 7}},
           {"inferno", 255, {252, 255, 164}}, {"plasma", 0, {13, 8, 135}}, {"plasma", 60, {120, 1, 168}},
           {"plasma", 128, {204, 71, 120}}, {"plasma", 200, {251, 161, 57}}, {"plasma", 255, {240, 249, 33}},
           {"cividis", 0, {0, 34, 78}}, {"cividis", 60, {63, 76, 108}}, {"cividis", 128, {125, 124, 120}},
           {"cividis", 200, {196, 180, 104}}, {"cividis", 255, {254, 232, 56}}}) {
    const Colour is = Palette::named(k.name).at(k.index / 255.0);
    EXPECT_TRUE(nearly(is, k.colour, k.index % 255 == 0 ? 0 : 5))
        << k.name << k.index << ": " << int(is.r) << " " << int(is.g) << " " << int(is.b);
  }
  const Palette& coolwarm = Palette::named("coolwarm");
  EXPECT_TRUE(coolwarm.diverging());
  EXPECT_EQ(coolwarm.at(0), (Colour{59, 76, 192}));
  EXPECT_EQ(coolwarm.at(0.5), (Colour{221, 221, 221}));
  EXPECT_EQ(coolwarm.at(1), (Colour{180, 4, 38}));
  EXPECT_THROW(Palette::named("jet"), std::runtime_error);
}

// Points at (i, j): f = 2 x + 3 y has straight contours, which linear edges give exactly.
TEST(Contours, OfALinearFieldAreExact) {
  std::vector<double> values;
  for (int j = 0; j < 9; ++j)
    for (int i = 0; i < 12; ++i) values.push_back(2.0 * i + 3.0 * j);
  const auto line = contour(12, 9, values, 17.3);
  double length = 0;
  for (std::size_t i = 0; i < line.size(); i += 3) {
    EXPECT_NEAR(2 * line[i].x + 3 * line[i].y, 17.3, 1e-13);
    EXPECT_NEAR(2 * line[i + 1].x + 3 * line[i + 1].y, 17.3, 1e-13);
    EXPECT_TRUE(std::isnan(line[i + 2].x));
    length += std::hypot(line[i + 1].x - line[i].x, line[i + 1].y - line[i].y);
  }
  EXPECT_NEAR(
      length, std::hypot(8.65, 17.3 / 3), 1e-12);  // from (8.65, 0) to (0, 5.77): no piece is missing or there twice
}

// f = (x - a)² + (y - b)² has a circle: crossings lie on edges, where linear interpolation is off by h²/8 f'' = 1/4 at
// most, divided by the slope 2 r. The length is that of the circle but for h².
TEST(Contours, OfAQuadraticFieldAreACircle) {
  constexpr double a = 31.3, b = 29.6, r = 20;
  std::vector<double> values;
  for (int j = 0; j < 64; ++j)
    for (int i = 0; i < 64; ++i) values.push_back((i - a) * (i - a) + (j - b) * (j - b));
  const auto line = contour(64, 64, values, r * r);
  double length = 0;
  for (std::size_t i = 0; i < line.size(); i += 3) {
    EXPECT_NEAR(std::hypot(line[i].x - a, line[i].y - b), r, 0.25 / (2 * r) * 1.1);
    length += std::hypot(line[i + 1].x - line[i].x, line[i + 1].y - line[i].y);
  }
  EXPECT_NEAR(length / (2 * 3.14159265358979 * r), 1, 1e-3);
}

TEST(Contours, AtASaddleGoAroundTheCornersThatTheMiddleIsNotWith) {
  // Corners 3 above at (0, 0) and (1, 1), 1 below at the others: the middle is above, so the low corners are cut off.
  const std::vector<double> values = {3, -1, -1, 3};
  const auto line = contour(2, 2, values, 0);
  ASSERT_EQ(line.size(), 6u);
  for (std::size_t i = 0; i < 6; i += 3)
    EXPECT_EQ((line[i].x + line[i + 1].x > 1), (line[i].y + line[i + 1].y < 1));  // near (1, 0) or (0, 1)
  EXPECT_TRUE(contour(2, 2, std::vector{3.0, -1.0, nan, 3.0}, 0).empty());
  EXPECT_TRUE(contour(1, 4, std::vector{1.0, 2.0, 3.0, 4.0}, 2.5).empty());
}

TEST(Contours, LevelsDivideTheRange) {
  EXPECT_EQ(levels_between(std::vector{0.0, nan, 4.0}, 3), (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(levels_between(std::vector{2.0, 2.0}, 3).empty());
}

// A rotation about the middle of 9 × 9 points; each third one: arrows at 1, 4, 7. The longest, at the corners, is 3
// long.
TEST(Arrows, HaveTheLengthsAndDirectionsOfVectors) {
  std::vector<double> u, v;
  for (int j = 0; j < 9; ++j)
    for (int i = 0; i < 9; ++i) u.push_back(-(j - 4.0)), v.push_back(i - 4.0);
  EXPECT_EQ(stride_for(9, 9, 3), 3);
  const auto lines = arrows(9, 9, u, v, 3);
  ASSERT_EQ(lines.size(), 8u * 7);  // none in the middle
  for (std::size_t n = 0; n < lines.size(); n += 7) {
    const Point tail = lines[n], tip = lines[n + 1];
    const double x = (tail.x + tip.x) / 2, y = (tail.y + tip.y) / 2;
    EXPECT_NEAR(std::fmod(x + 2, 3), 0, 1e-12);
    EXPECT_NEAR(std::hypot(tip.x - tail.x, tip.y - tail.y), 3 * std::hypot(x - 4, y - 4) / std::hypot(3, 3), 1e-12);
    EXPECT_NEAR((tip.x - tail.x) * (x - 4) + (tip.y - tail.y) * (y - 4), 0, 1e-12);
    EXPECT_GT((x - 4) * (tip.y - tail.y) - (y - 4) * (tip.x - tail.x), 0);  // counterclockwise
    EXPECT_EQ(lines[n + 4].x, tip.x);                                       // the head ends there
  }
  // Cells twice as high as wide: along (1, 1) an arrow rises half as many points.
  const auto tall = arrows(1, 1, std::vector{1.0}, std::vector{1.0}, 1, 2);
  EXPECT_NEAR(tall[1].y - tall[0].y, (tall[1].x - tall[0].x) / 2, 1e-12);
  EXPECT_TRUE(arrows(1, 1, std::vector{nan}, std::vector{1.0}, 1).empty());
}

TEST_F(Plots, StrokesLieWhereTheirCoordinatesAre) {
  Image2D image = asymmetric(8, 8);
  const Colour red{255, 0, 0};
  image.strokes = {{{{3.5, -0.5}, {3.5, 7.5}}, 2, red}};
  const Rectangle frame = heatmap_frame(image);
  const Picture picture = heatmap(image);
  EXPECT_GE(picture.count(red, {frame.x + frame.width / 2 - 1, frame.y, 2, frame.height}, 130), frame.height);
  EXPECT_EQ(picture.count(red, {frame.x, frame.y, frame.width / 2 - 2, frame.height}, 40), 0);
}

TEST_F(Plots, TextGrowsWithItsFont) {
  Image2D image = asymmetric(8, 8);
  const auto title = [&] { return heatmap(image).ink({0, 0, 800, heatmap_frame(image).y - 8}); };
  const int usual = title().height;
  image.font_size = 26;
  EXPECT_NEAR(title().height, 2 * usual, 3);
  EXPECT_NEAR(heatmap(image).height, 750, 2);
  image.font_size = 13, image.width = 400, image.height = 300;
  EXPECT_LE(heatmap(image).width, 400);
}

TEST(Easel, DrawsInOrderAndNothingAfterAFailure) {
  std::vector<int> order;
  {
    Easel easel;
    for (int i = 0; i < 20; ++i) easel.draw([&order, i] { order.push_back(i); });
    easel.wait();
    EXPECT_EQ(order.size(), 20u);
    easel.draw([] { throw std::runtime_error("no paint"); });
    easel.draw([&] { order.push_back(-1); });
    EXPECT_THROW(easel.wait(), std::runtime_error);
  }
  EXPECT_TRUE(std::ranges::is_sorted(order) && order.front() == 0);
}

TEST_F(Plots, TextsHaveTheirPlaces) {
  const LinePlot plain{.series = {{"", {0, 1}, {0, 1}}}};
  LinePlot titled = plain, labelled = plain, tiny{.series = {{"", {0, 1}, {0, 1e-9}}}};
  titled.title = "Größe jp", labelled.ylabel = "energy";
  const Rectangle frame = lines_frame(plain);
  const auto above = [&](const LinePlot& plot) { return lines(plot).ink({0, 0, 900, frame.y - 2}); };
  EXPECT_LE(above(plain).width, 0);
  EXPECT_NEAR(above(titled).x, frame.x, 3);
  EXPECT_GT(above(titled).height, 14);
  EXPECT_GT(above(tiny).width, 20);  // ×10⁻⁹
  EXPECT_LE(above(titled).y + above(titled).height, above(tiny).y);
  const Rectangle label = lines(labelled).ink({0, 0, 40, 560});
  EXPECT_GT(label.height, 3 * label.width);
  EXPECT_NEAR(label.y + label.height / 2, frame.y + frame.height / 2, 3);
}

// Mutation: the title at `frame.y - 20.0` in draw_axes.
TEST_F(Plots, AFactorOfTheColoursStaysBelowALongTitle) {
  Image2D titled = asymmetric(8, 8), tiny = titled;
  titled.title = "∂ₜ(jp) along a title that goes on until it stands above the colours and their numbers, qgjpy";
  tiny.title = "";
  for (double& v : tiny.values) v *= 1e-9;
  const auto above = [&](const Image2D& image) {
    const Picture picture = heatmap(image);
    return picture.ink({0, 0, picture.width, heatmap_frame(image).y - 10});
  };
  const Rectangle title = above(titled), factor = above(tiny);
  EXPECT_GT(factor.width, 20);  // ×10⁻⁸
  EXPECT_GT(title.x + title.width, factor.x + factor.width / 2) << "it is long enough to touch it";
  EXPECT_LT(title.y + title.height, factor.y);
}

TEST_F(Plots, StrangeTextsStayInsideThePicture) {
  std::string many;
  for (int i = 0; i < 500; ++i) many += "W∂";
  testing::internal::CaptureStderr();
  for (const std::string& text : {many, std::string("a\nb\r\n\t\0c\x1b[2J", 13), std::string("\xff\xfe\xc3("),
           std::string("<b>&amp;</b> ^{x} %s"), std::string("שלום مرحبا 漢字 \u202e\u0301"), std::string()}) {
    LinePlot plot{.series = {{text, {0, 1}, {0, 1}}}, .title = text, .xlabel = text, .ylabel = text};
    const Picture picture = lines(plot);
    const Rectangle frame = lines_frame(plot), all = picture.ink({0, 0, 900, 560});
    EXPECT_TRUE(all.x > 8 && all.x + all.width <= 890 && all.y > 8 && all.y + all.height < 555) << text;
    EXPECT_EQ(frame.x, lines_frame({.series = {{"", {0, 1}, {0, 1}}}}).x);
    EXPECT_EQ(picture.ink({0, 0, 900, frame.y - 2}).width > 8, !text.empty()) << text;
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Plots, ThreadsDrawTheSame) {
  const Image2D image = asymmetric(7, 5);
  const auto draw = [&](int i) { draw_heatmap(image, folder / std::to_string(i)); };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(draw, i);
  threads.clear();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(read_png(folder / std::to_string(i)).pixels, heatmap(image).pixels);
}

TEST(Titles, NameWhatASeriesShows) {
  cereus::Group group;
  group.thorn = "WaveToy", group.name = "state";
  const std::vector<Series> series = {{"u"}, {"rho"}};
  EXPECT_EQ(title_of({group}, "run/wavetoy-state.norm2.asc", series), "norm2 of WaveToy::u, rho");
  EXPECT_EQ(title_of({group}, "run/wavetoy-energy.norm2.asc", series), "wavetoy-energy.norm2");
}

}  // namespace
