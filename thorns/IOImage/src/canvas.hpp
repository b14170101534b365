// A picture in memory on which rectangles, lines and text are drawn, and which becomes a PNG file. Cairo draws and
// Pango sets the text; nothing else of this thorn knows them.
//
// Coordinates are pixels, x to the right and y downwards; pixel (i, j) covers [i, i+1) x [j, j+1).
#pragma once

#include <cairo.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "notes.hpp"

namespace IOImage {

struct Colour {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Colour&) const = default;
};

struct Point {
  double x, y;
};
inline constexpr Point gap{
    std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};  // lifts the pen

struct Rectangle {
  int x, y, width, height;
};

enum class Align { left, centre, right };

struct TextStyle {
  double size = 13;  // of the font, in pixels
  Colour colour{45, 45, 45};
  Align align = Align::left;
  bool vertical = false;  // turned by 90 degrees, reads from bottom to top
  double room =
      std::numeric_limits<double>::infinity();  // wider text gets smaller, by a quarter at most, and is then cut
};

class Canvas {
 public:
  Canvas(int width, int height);  // white

  int width() const { return width_; }
  // From now on this is all there is, with its own coordinates.
  void part(Rectangle);

  // One colour a pixel of the box, row by row from the top.
  void image(Rectangle box, std::span<const Colour> pixels);
  void fill(Rectangle box, Colour colour, double opacity = 1);
  // The pixels just outside the box.
  void border(Rectangle box, Colour colour);

  // A line of the given width through the points, with round ends and joints. A NaN lifts the pen; a point with the pen
  // lifted on both sides is a dot.
  void polyline(std::span<const Point> points, double width, Colour colour, Rectangle clip);

  // One line of UTF-8 text with its baseline at `origin`; what is no UTF-8 shows as a sign that says so.
  void text(Point origin, const std::string& text, const TextStyle& style = {});

  // Goes to a temporary name first, so that nobody ever sees half a picture. Throws std::runtime_error.
  void write_png(const std::filesystem::path& path, const Notes& notes = {}) const;

 private:
  std::string png() const;
  struct Destroy {
    void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
  };
  std::unique_ptr<cairo_t, Destroy> cairo_;
  int width_;
};

// The width in pixels that `text` would take.
double text_width(const std::string& text, double size);

}  // namespace IOImage
