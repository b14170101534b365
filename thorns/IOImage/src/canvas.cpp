// Everything but rectangles is a stroke: coverage of a pixel follows from its distance to the line, and a letter is a
// line with gaps.
#include "canvas.hpp"

#include "font.hpp"

#include <png.h>
#include <cereus/file.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace IOImage {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Point pen_up{nan, nan};

bool is_drawable(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

int clamp_to_int(double x, int lo, int hi) { return int(std::clamp(x, double(lo), double(hi))); }

// How much of each pixel of a box lies under the pen. Segments are combined by their maximum and painted once, so that
// joints do not come out darker than the line.
class Coverage {
 public:
  Coverage(Box box, double pen_width)
      : box_(box),
        radius_(pen_width / 2),
        values_(std::size_t(box.width) * std::size_t(box.height)) {}

  void add_segment(Point a, Point b) {
    const double reach = radius_ + 0.5;
    const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    const int top = clamp_to_int(std::floor(std::min(a.y, b.y) - reach), box_.y, box_.y + box_.height);
    const int bottom = clamp_to_int(std::ceil(std::max(a.y, b.y) + reach), box_.y, box_.y + box_.height);
    for (int j = top; j < bottom; ++j) {
      const double y = j + 0.5;
      // Only the part of the segment near this row matters; without this a long diagonal would touch its whole box.
      double s0 = 0, s1 = 1;
      if (dy != 0) {
        s0 = std::clamp((y - reach - a.y) / dy, 0.0, 1.0);
        s1 = std::clamp((y + reach - a.y) / dy, 0.0, 1.0);
      }
      const double left = std::min(a.x + s0 * dx, a.x + s1 * dx), right = std::max(a.x + s0 * dx, a.x + s1 * dx);
      const int i0 = clamp_to_int(std::floor(left - reach), box_.x, box_.x + box_.width);
      const int i1 = clamp_to_int(std::ceil(right + reach), box_.x, box_.x + box_.width);
      for (int i = i0; i < i1; ++i) {
        const double x = i + 0.5;
        const double s = length2 > 0 ? std::clamp(((x - a.x) * dx + (y - a.y) * dy) / length2, 0.0, 1.0) : 0;
        const double distance = std::hypot(x - a.x - s * dx, y - a.y - s * dy);
        float& value = at(i, j);
        value = std::max(value, float(std::clamp(reach - distance, 0.0, std::min(1.0, 2 * radius_))));
      }
    }
  }

  float& at(int i, int j) {
    return values_[std::size_t(j - box_.y) * std::size_t(box_.width) + std::size_t(i - box_.x)];
  }

 private:
  Box box_;
  double radius_;
  std::vector<float> values_;
};

// Small text is legible when stems fall on whole pixels: each letter's width, and the heights of x and X, are rounded.
class Hinting {
 public:
  Hinting(const Glyph& glyph, double scale)
      : x_scale_(glyph.width > 0 ? std::round(glyph.width * scale) / glyph.width : scale),
        scale_(scale),
        x_height_(std::round(10 * scale)),
        capital_height_(std::round(14 * scale)) {}

  Point operator()(Point p) const {
    const double y = p.y <= 0    ? p.y * scale_
                     : p.y <= 10 ? p.y * x_height_ / 10
                                 : x_height_ + (p.y - 10) * (capital_height_ - x_height_) / 4;
    return {p.x * x_scale_, y};
  }

 private:
  double x_scale_, scale_, x_height_, capital_height_;
};

void append_curve(std::vector<Point>& stroke, Point a, Point b, Point c, Point d) {
  constexpr int steps = 12;
  for (int i = 1; i <= steps; ++i) {
    const double t = double(i) / steps, u = 1 - t;
    const double w0 = u * u * u, w1 = 3 * u * u * t, w2 = 3 * u * t * t, w3 = t * t * t;
    stroke.push_back({w0 * a.x + w1 * b.x + w2 * c.x + w3 * d.x, w0 * a.y + w1 * b.y + w2 * c.y + w3 * d.y});
  }
}

// The strokes of a glyph in its own units.
std::vector<Point> glyph_strokes(const Glyph& glyph) {
  constexpr double roundness = 0.58;  // a circle has 0.5523; a little more gives fuller, more open letters
  std::vector<Point> stroke;
  Point pen{0, 0};
  const std::string path(glyph.path);
  const char* p = path.c_str();
  const auto point = [&p] {
    char* end;
    const double x = std::strtod(p, &end), y = std::strtod(end, &end);
    p = end;
    return Point{x, y};
  };
  while (*p) {
    const char command = *p++;
    if (command == ' ') continue;
    if (command == 'C') {
      const Point b = point(), c = point(), d = point();
      append_curve(stroke, pen, b, c, d);
      pen = d;
      continue;
    }
    const Point to = point();
    switch (command) {
      case 'M': stroke.insert(stroke.end(), {pen_up, to}); break;
      case 'L': stroke.push_back(to); break;
      case 'D':  // a tiny cross: slightly fatter than the pen
        for (const Point d : {Point{.25, 0}, Point{0, .25}})
          stroke.insert(stroke.end(), {pen_up, {to.x - d.x, to.y - d.y}, {to.x + d.x, to.y + d.y}});
        break;
      case 'H':
        append_curve(
            stroke, pen, {pen.x + roundness * (to.x - pen.x), pen.y}, {to.x, to.y + roundness * (pen.y - to.y)}, to);
        break;
      case 'V':
        append_curve(
            stroke, pen, {pen.x, pen.y + roundness * (to.y - pen.y)}, {to.x + roundness * (pen.x - to.x), to.y}, to);
        break;
    }
    pen = to;
  }
  return stroke;
}

// Takes one character off the front of UTF-8 text.
const Glyph& next_glyph(std::string_view& text) {
  const unsigned char first = static_cast<unsigned char>(text.front());
  for (const auto& [sign, glyph] : {std::pair{std::string_view("×"), &times_glyph}, {"−", &minus_glyph}})
    if (text.starts_with(sign)) {
      text.remove_prefix(sign.size());
      return *glyph;
    }
  text.remove_prefix(1);
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0) == 0x80) text.remove_prefix(1);
  return first >= 32 && first < 127 ? ascii_glyphs[first - 32] : unknown_glyph;
}

// Sets a line of text from the origin to the right, y upwards; returns its width.
double typeset(std::string_view text, double size, std::vector<Point>* strokes) {
  double pen = 0, scale = size / 20, shift = 0;
  bool shifted = false;
  while (!text.empty()) {
    if (!shifted && (text.starts_with("^{") || text.starts_with("_{"))) {
      shift = std::round((text.front() == '^' ? 6 : -3.5) * scale);
      scale *= 0.74;
      shifted = true;
      text.remove_prefix(2);
    } else if (shifted && text.front() == '}') {
      scale = size / 20;
      shift = 0;
      shifted = false;
      text.remove_prefix(1);
    } else {
      const Glyph& glyph = next_glyph(text);
      const Hinting hinted(glyph, scale);
      const double left = std::round(pen + glyph_bearing * scale);
      if (strokes)
        for (const Point p : glyph_strokes(glyph)) {
          const Point q = hinted(p);
          strokes->push_back({left + q.x, shift + q.y});
        }
      pen = left + std::round(glyph.width * scale) + glyph_bearing * scale;
    }
  }
  return pen;
}

}  // namespace

Canvas::Canvas(int width, int height, Colour background) : width_(width), height_(height) {
  if (width < 1 || height < 1) throw std::runtime_error("a picture needs at least one pixel");
  pixels_.assign(std::size_t(width) * std::size_t(height), background);
}

void Canvas::blend(int x, int y, Colour colour, double opacity) {
  Colour& pixel = pixels_[index(x, y)];
  const auto mix = [opacity](std::uint8_t below, std::uint8_t above) {
    return std::uint8_t(std::lround(below + opacity * (above - below)));
  };
  pixel = {mix(pixel.r, colour.r), mix(pixel.g, colour.g), mix(pixel.b, colour.b)};
}

void Canvas::fill(Box box, Colour colour, double opacity) {
  for (int y = std::max(box.y, 0); y < std::min(box.y + box.height, height_); ++y)
    for (int x = std::max(box.x, 0); x < std::min(box.x + box.width, width_); ++x) blend(x, y, colour, opacity);
}

void Canvas::polyline(std::span<const Point> points, double width, Colour colour) {
  polyline(points, width, colour, {0, 0, width_, height_});
}

void Canvas::polyline(std::span<const Point> points, double width, Colour colour, Box clip) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double left = infinity, right = -infinity, top = infinity, bottom = -infinity;
  for (const Point p : points)
    if (is_drawable(p)) {
      left = std::min(left, p.x), right = std::max(right, p.x);
      top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    }
  if (left > right) return;

  const double reach = width / 2 + 1;
  const int clip_right = std::min(clip.x + clip.width, width_), clip_bottom = std::min(clip.y + clip.height, height_);
  const int x0 = std::max({clip.x, 0, clamp_to_int(std::floor(left - reach), 0, width_)});
  const int y0 = std::max({clip.y, 0, clamp_to_int(std::floor(top - reach), 0, height_)});
  const int x1 = std::min(clip_right, clamp_to_int(std::ceil(right + reach), 0, width_));
  const int y1 = std::min(clip_bottom, clamp_to_int(std::ceil(bottom + reach), 0, height_));
  if (x1 <= x0 || y1 <= y0) return;

  Coverage coverage({x0, y0, x1 - x0, y1 - y0}, width);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_drawable(points[i])) continue;
    const bool joined_before = i > 0 && is_drawable(points[i - 1]);
    const bool joined_after = i + 1 < points.size() && is_drawable(points[i + 1]);
    if (joined_after) coverage.add_segment(points[i], points[i + 1]);
    else if (!joined_before) coverage.add_segment(points[i], points[i]);
  }
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x)
      if (coverage.at(x, y) > 0) blend(x, y, colour, coverage.at(x, y));
}

void Canvas::text(Point origin, std::string_view text, const TextStyle& style) {
  std::vector<Point> strokes;
  const double width = typeset(text, style.size, &strokes);
  const double start = style.align == Align::left ? 0 : style.align == Align::centre ? -width / 2 : -width;
  const double along_x = style.vertical ? 0 : start, along_y = style.vertical ? -start : 0;
  const Point base{std::floor(origin.x + along_x) + 0.5, std::floor(origin.y + along_y) + 0.5};
  for (Point& p : strokes) p = style.vertical ? Point{base.x - p.y, base.y - p.x} : Point{base.x + p.x, base.y - p.y};
  polyline(strokes, std::max(1.15, glyph_stroke * style.size / 20) * style.weight, style.colour);
}

void Canvas::write_png(const std::filesystem::path& path, const Notes& notes) const {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(width_);
  image.height = png_uint_32(height_);
  image.format = PNG_FORMAT_RGB;
  static_assert(sizeof(Colour) == 3, "libpng reads the pixels as they lie");
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  const bool made = png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels_.data(), 0, nullptr);
  bytes.resize(size);
  const std::string wrong = made ? cereus::replace_file(path, with_notes(std::move(bytes), notes)) : image.message;
  if (!wrong.empty()) throw std::runtime_error("cannot write picture '" + path.string() + "': " + wrong);
}

double text_width(std::string_view text, double size) { return typeset(text, size, nullptr); }

}  // namespace IOImage
