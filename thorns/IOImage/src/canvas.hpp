// A picture in memory on which rectangles, anti-aliased lines and text are drawn, and which becomes a PNG file.
//
// Coordinates are pixels, x to the right and y downwards; pixel (i, j) covers [i, i+1) x [j, j+1).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "notes.hpp"

namespace IOImage {

struct Colour {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Colour&) const = default;
};

struct Point {
  double x, y;
};

struct Box {
  int x, y, width, height;
};

enum class Align { left, centre, right };

struct TextStyle {
  double size = 14;  // pixels from the deepest descender to a little above the capitals
  Colour colour{45, 45, 45};
  Align align = Align::left;
  double weight = 1;      // stroke width relative to the regular one
  bool vertical = false;  // turned by 90 degrees, reads from bottom to top
};

class Canvas {
 public:
  Canvas(int width, int height, Colour background = {255, 255, 255});

  int width() const { return width_; }
  int height() const { return height_; }
  Colour at(int x, int y) const { return pixels_[index(x, y)]; }
  void set(int x, int y, Colour colour) { pixels_[index(x, y)] = colour; }

  // What lies outside the canvas is cut off. `opacity` below one lets what was there shine through.
  void fill(Box box, Colour colour, double opacity = 1);

  // A line of the given width through the points, with round ends and joints. A NaN lifts the pen (so gaps in data
  // and gaps in letters are the same thing); a point with the pen lifted on both sides is a dot.
  void polyline(std::span<const Point> points, double width, Colour colour);
  void polyline(std::span<const Point> points, double width, Colour colour, Box clip);

  // Text with its baseline at `origin`. `^{...}` raises, `_{...}` lowers. Printable ASCII, and the signs × and −;
  // anything else shows as a small box.
  void text(Point origin, std::string_view text, const TextStyle& style = {});

  // Goes to a temporary name first, so that nobody ever sees half a picture. Throws std::runtime_error.
  void write_png(const std::filesystem::path& path, const Notes& notes = {}) const;

 private:
  std::size_t index(int x, int y) const { return std::size_t(y) * std::size_t(width_) + std::size_t(x); }
  void blend(int x, int y, Colour colour, double opacity);

  int width_, height_;
  std::vector<Colour> pixels_;
};

// The width in pixels that `text` would take.
double text_width(std::string_view text, double size);

}  // namespace IOImage
