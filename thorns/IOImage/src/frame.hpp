// What heat maps and line plots share: lengths, ticks as far as there is room, axes with their labels.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "axes.hpp"
#include "canvas.hpp"

namespace IOImage {

inline constexpr Colour axis_colour{120, 120, 120}, faint_colour{140, 140, 140};

// Lengths in pixels, which grow with the font.
struct Sizes {
  explicit Sizes(double font_size = TextStyle{}.size) : scale(font_size / TextStyle{}.size) {}
  int operator()(double usual) const { return int(std::lround(usual * scale)); }

  double scale;
  double text = TextStyle{}.size * scale, axis_label = 14 * scale, title = 17 * scale;
  int top_margin = (*this)(56), bottom_margin = (*this)(64), label_gap = (*this)(9), axis_label_height = (*this)(30);
  int edge = 14;
};

// Encoders of films insist on even sizes.
constexpr int even(int n) { return n + n % 2; }

struct Range {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  bool empty() const { return lo > hi; }
  void include(double value) { lo = std::min(lo, value), hi = std::max(hi, value); }
};

// Where values fall in the frame, as pixels.
struct Mapping {
  Rectangle frame;
  Scale x_scale, y_scale;
  double x(double value) const { return frame.x + x_scale.fraction(value) * frame.width; }
  double y(double value) const { return frame.y + (1 - y_scale.fraction(value)) * frame.height; }
  // The pixels of a line, which at the far end would fall outside of the frame.
  int column(double value) const { return std::clamp(int(x(value)), frame.x, frame.x + frame.width - 1); }
  int row(double value) const { return std::clamp(int(y(value)), frame.y, frame.y + frame.height - 1); }
};

// Enough ticks to read a scale off even a low frame.
Ticks vertical_ticks(const Scale&, int height, const Sizes&);
// As many ticks as there is room for their labels.
Ticks horizontal_ticks(const Scale&, int width, const Sizes&);
// Those of the finest round step that reaches both ends of the axis, if there is one.
Ticks ticks_to_ends(const Scale&, int width, const Sizes&);
// Beside a vertical axis.
int room_for_labels(const Ticks&, const Sizes&);

// Ticks, their labels and the axis' own one, to the left of a frame or to the right.
void draw_vertical_axis(Canvas&, const Mapping&, const Ticks&, const std::string& label, Align side, const Sizes&);
void draw_axes(Canvas&, const Mapping&, const Ticks& x_ticks, const Ticks& y_ticks, const std::string& x_label,
    const std::string& y_label, const std::string& title, const Sizes&);
void draw_no_data(Canvas&, Rectangle frame, const Sizes&);

}  // namespace IOImage
