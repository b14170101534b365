#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "colours.hpp"
#include "frame.hpp"
#include "plots.hpp"

namespace IOImage {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Colour grid_colour{228, 228, 228}, minor_grid_colour{243, 243, 243}, frame_colour{190, 190, 190};

void check(const LinePlot& plot) {
  for (const Series& series : plot.series)
    if (series.t.size() != series.y.size())
      throw std::runtime_error("plot '" + plot.title + "': series '" + series.label + "' has " +
                               std::to_string(series.t.size()) + " places but " + std::to_string(series.y.size()) +
                               " values");
}

struct LinesLayout {
  Sizes sizes;
  Mapping map{};
  Ticks x_ticks{}, y_ticks{};
  bool empty = false;
};

bool is_shown(const LinePlot& plot, double t, double y) {
  return std::isfinite(t) && std::isfinite(y) && (!plot.log_y || y > 0);
}

LinesLayout layout(const LinePlot& plot) {
  Range x_range, y_range;
  for (const Series& series : plot.series)
    for (std::size_t i = 0; i < series.t.size(); ++i)
      if (is_shown(plot, series.t[i], series.y[i])) {
        x_range.include(series.t[i]);
        y_range.include(series.y[i]);
      }
  LinesLayout result{.sizes = Sizes(plot.font_size)};
  const Sizes& sizes = result.sizes;
  result.empty = x_range.empty();
  if (plot.ymin) y_range.lo = *plot.ymin;
  if (plot.ymax) y_range.hi = *plot.ymax;
  const Scale x_scale = result.empty ? make_scale(0, 1) : make_scale(x_range.lo, x_range.hi);
  const Scale y_scale = result.empty ? make_scale(plot.log_y ? 0.1 : 0, plot.log_y ? 10 : 1, 0, plot.log_y)
                                     : make_scale(y_range.lo, y_range.hi, 0.05, plot.log_y);
  const int height = std::max(60, plot.height - sizes.top_margin - sizes.bottom_margin);
  result.y_ticks = vertical_ticks(y_scale, height, sizes);
  const int left = sizes.edge + sizes.axis_label_height + room_for_labels(result.y_ticks, sizes) + sizes.label_gap;
  const int width = std::max(60, plot.width - left - 2 * sizes.edge);
  result.map = {{left, sizes.top_margin, width, height}, x_scale, y_scale};
  result.x_ticks = horizontal_ticks(x_scale, width, sizes);
  return result;
}

void draw_grid(Canvas& canvas, const LinesLayout& layout) {
  const Mapping& map = layout.map;
  const Box& frame = map.frame;
  for (const double value : layout.y_ticks.minor)
    canvas.fill({frame.x, map.row(value), frame.width, 1}, minor_grid_colour);
  for (const double value : layout.y_ticks.values) canvas.fill({frame.x, map.row(value), frame.width, 1}, grid_colour);
  for (const double value : layout.x_ticks.values)
    canvas.fill({map.column(value), frame.y, 1, frame.height}, grid_colour);
}

// The series as pixels, with pen up where a value is missing.
std::vector<Point> to_pixels(const LinePlot& plot, const Series& series, const Mapping& map) {
  constexpr double far = 1e4;  // only values beyond a Scale's are farther outside; Cairo counts in 32 bits
  std::vector<Point> points;
  for (std::size_t i = 0; i < series.t.size(); ++i)
    points.push_back(is_shown(plot, series.t[i], series.y[i])
                         ? Point{std::clamp(map.x(series.t[i]), -far, far), std::clamp(map.y(series.y[i]), -far, far)}
                         : Point{nan, nan});
  return points;
}

// Of many points in one column of pixels the first, lowest, highest and last draw the same line.
std::vector<Point> thinned(const std::vector<Point>& points) {
  std::vector<Point> result;
  for (auto first = points.begin(); first != points.end();) {
    const auto end =
        std::find_if(first + 1, points.end(), [&](Point p) { return !(std::floor(p.x) == std::floor(first->x)); });
    const auto [low, high] = std::minmax_element(first, end, [](Point a, Point b) { return a.y < b.y; });
    if (end - first <= 4) result.insert(result.end(), first, end);
    else result.insert(result.end(), {*first, *low, *high, end[-1]});
    first = end;
  }
  return result;
}

void draw_curve(Canvas& canvas, const std::vector<Point>& points, Colour colour, const Box& frame) {
  canvas.polyline(points, 2, colour, frame);
  // A value between two gaps would be a speck as wide as the line; it becomes a dot, which may stick out of the frame.
  const Box around{frame.x - 4, frame.y - 4, frame.width + 8, frame.height + 8};
  const auto missing = [&](std::size_t i) { return i >= points.size() || std::isnan(points[i].x); };
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!missing(i) && missing(i - 1) && missing(i + 1)) canvas.polyline({&points[i], 1}, 7, colour, around);
}

// How much of the curves lies behind a box, in steps of a few pixels: lines hide there, not only their points.
int hidden(const std::vector<std::vector<Point>>& curves, const Box& box) {
  int count = 0;
  for (const auto& curve : curves)
    for (std::size_t i = 1; i < curve.size(); ++i) {
      const Point a = curve[i - 1], b = curve[i];
      const double step = 4 / std::max(4.0, std::hypot(b.x - a.x, b.y - a.y));
      for (double s = 0; s < 1; s += step) {
        const double x = a.x + s * (b.x - a.x), y = a.y + s * (b.y - a.y);
        count += x > box.x - 4 && x < box.x + box.width + 4 && y > box.y - 4 && y < box.y + box.height + 4;
      }
    }
  return count;
}

// In the corner where it hides least.
void draw_legend(Canvas& canvas, const LinePlot& plot, const Box& frame, const std::vector<std::vector<Point>>& curves,
    const Sizes& sizes) {
  const int row_height = sizes(21), sample_length = sizes(24), padding = sizes(9), distance = sizes(12);
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < plot.series.size(); ++i)
    if (!plot.series[i].label.empty()) shown.push_back(i);
  if (shown.empty()) return;

  const std::size_t most = std::size_t(std::max(2, (frame.height - 2 * distance - 2 * padding) / row_height));
  const std::size_t left_out = shown.size() > most ? shown.size() - (most - 1) : 0;
  shown.resize(shown.size() - left_out);
  const std::string more = "and " + std::to_string(left_out) + " more";

  const double room = 0.45 * frame.width;
  double widest = left_out ? text_width(more, sizes.text) : 0;
  for (const std::size_t i : shown) widest = std::max(widest, text_width(plot.series[i].label, sizes.text));
  const int width = 3 * padding + sample_length + int(std::min(widest, room)) + 2;
  const int height = 2 * padding + row_height * int(shown.size() + (left_out ? 1 : 0)) - 4;

  const int left = frame.x + distance, right = frame.x + frame.width - distance - width;
  const int top = frame.y + distance, bottom = frame.y + frame.height - distance - height;
  const std::array<Box, 6> places = {{{right, top, width, height}, {left, top, width, height},
      {right, bottom, width, height}, {left, bottom, width, height}, {(left + right) / 2, top, width, height},
      {(left + right) / 2, bottom, width, height}}};
  const Box box = std::ranges::min(places, {}, [&](const Box& place) { return hidden(curves, place); });

  canvas.fill(box, {255, 255, 255}, 0.85);
  canvas.border(box, frame_colour);
  double y = box.y + padding + row_height / 2.0 - 2;
  const double text_x = box.x + 2 * padding + sample_length;
  for (const std::size_t i : shown) {
    const std::array<Point, 2> sample = {{{double(box.x + padding), y}, {double(box.x + padding + sample_length), y}}};
    canvas.polyline(sample, 2.2, line_colour(i), box);
    canvas.text({text_x, y + 5 * sizes.scale}, plot.series[i].label, {.size = sizes.text, .room = room});
    y += row_height;
  }
  if (left_out) canvas.text({text_x, y + 5 * sizes.scale}, more, {.size = sizes.text, .colour = faint_colour});
}

}  // namespace

Box lines_frame(const LinePlot& plot) {
  check(plot);
  return layout(plot).map.frame;
}

void draw_lines(const LinePlot& plot, const std::filesystem::path& path, const Notes& notes) {
  check(plot);
  const LinesLayout plan = layout(plot);
  const Box& frame = plan.map.frame;
  Canvas canvas(even(std::max(plot.width, frame.x + frame.width + plan.sizes.edge)),
      even(std::max(plot.height, frame.y + frame.height + plan.sizes.bottom_margin)));
  draw_grid(canvas, plan);
  canvas.border(frame, axis_colour);
  std::vector<std::vector<Point>> curves;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    curves.push_back(thinned(to_pixels(plot, plot.series[i], plan.map)));
    draw_curve(canvas, curves.back(), line_colour(i), frame);
  }
  draw_legend(canvas, plot, frame, curves, plan.sizes);
  if (plan.empty) draw_no_data(canvas, frame, plan.sizes);
  draw_axes(canvas, plan.map, plan.x_ticks, plan.y_ticks, plot.xlabel, plot.ylabel, plot.title, plan.sizes);
  canvas.write_png(path, notes);
}

}  // namespace IOImage