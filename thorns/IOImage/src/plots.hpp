// Two kinds of pictures: a field in a plane as colours, and quantities against time or place as lines.
//
// Missing data never stops a picture: what is not finite is grey in one and a gap in the other, and a plot without any
// data says so. All functions throw std::runtime_error on sizes that do not match, on axes without finite ends, and on
// files that cannot be written. Notes go into the file.
#pragma once

#include "canvas.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace IOImage {

// A line upon a picture, in the coordinates of its axes; NaN lifts the pen.
struct Stroke {
  std::vector<Point> points{};
  double width = 1;  // in pixels
  Colour colour{0, 0, 0};
};

// Whether a place, in the coordinates of a picture's axes, is solid; no function where all is fluid.
using Solid = std::function<bool(double x, double y)>;
// Whether there is nothing but solid around a point; it may lie at an edge of cells of this size.
bool lies_in(const Solid&, Point, double dx, double dy);

// Empty braces: whoever names only some members gets no warning about the others.
struct Image2D {
  int nx = 0, ny = 0;
  std::vector<double> values{};           // x fastest, y upwards
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;  // outer edges: a value fills a cell of size (x1 - x0) / nx
  std::string title{}, xlabel{}, ylabel{}, colour_label{};
  std::optional<double> vmin{}, vmax{};  // range of the colours; without them that of the data
  bool diverging = false;                // signed data: the range is then symmetric about zero
  std::string palette{};                 // a name that Palette knows; without one `diverging` or `sequential`
  bool smooth = false;                   // bilinear where a value covers many pixels; otherwise cells show as cells
  Solid solid{};                         // grey; NaN at points in it has no part in the colours beside them
  std::vector<Stroke> strokes{};         // upon the data, the first below
  double font_size = TextStyle{}.size;   // of numbers, in pixels; titles and margins grow with it
  int width = 900, height = 750;         // at most; the picture shrinks to what its aspect ratio needs
};

void draw_heatmap(const Image2D& image, const std::filesystem::path& path, const Notes& notes = {});

// Several fields, at least one, each with its own colours and all with frames of one size, below a title; at most so
// many pixels. Their own sizes count for nothing.
void draw_panels(std::vector<Image2D> images, const std::string& title, int width, int height,
    const std::filesystem::path& path, const Notes& notes = {});

// The pixels that the values fill in the picture of draw_heatmap.
Rectangle heatmap_frame(const Image2D& image);

// The colour range that draw_heatmap uses.
struct ColourRange {
  double lo, hi;
};
ColourRange heatmap_range(const Image2D& image);

struct Series {
  std::string label{};
  std::vector<double> t{}, y{};
};

struct LinePlot {
  std::vector<Series> series{};
  std::string title{}, xlabel{}, ylabel{};
  bool log_y = false;                    // what is not positive becomes a gap
  std::optional<double> ymin{}, ymax{};  // without them those of the data
  std::optional<std::pair<double, double>> xends{};
  double font_size = TextStyle{}.size;
  int width = 900, height = 560;
};

// Panels, at least one, below each other along one x axis; the first has the title, and says what is common to all.
void draw_lines(const std::vector<LinePlot>& panels, const std::filesystem::path& path, const Notes& notes = {});

// Of a picture with so many panels, if nobody asks for another.
constexpr int height_of_panels(int count) { return count == 1 ? LinePlot{}.height : 120 + 220 * count; }

// The pixels inside the axes of a panel in the picture of draw_lines.
Rectangle lines_frame(const std::vector<LinePlot>& panels, std::size_t panel = 0);

}  // namespace IOImage
