// First the layout, which makes room for the labels; then the data; then axes and text on top.
#include "plots.hpp"

#include "axes.hpp"
#include "colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace IOImage {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr Colour axis_colour{120, 120, 120}, grid_colour{228, 228, 228}, minor_grid_colour{243, 243, 243};
constexpr Colour frame_colour{190, 190, 190}, faint_colour{140, 140, 140};
constexpr double text_size = TextStyle{}.size, axis_label_size = 14, title_size = 17;

constexpr int top_margin = 56, bottom_margin = 64;
constexpr int tick_length = 5, label_gap = 9, axis_label_height = 30;
constexpr int label_room = 36;  // kept for tick labels even if they are shorter: frames of a film must not jump
constexpr int bar_gap = 24, bar_width = 18, edge = 14;
constexpr int smallest_width = 480;  // of a heat map that is narrow itself: its title needs some room

struct Range {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  bool empty() const { return lo > hi; }
  void include(double value) { lo = std::min(lo, value), hi = std::max(hi, value); }
};

int widest_label(const Ticks& ticks) {
  double width = 0;
  for (const std::string& label : ticks.labels) width = std::max(width, text_width(label, text_size));
  return int(std::ceil(width));
}

int room_for_labels(const Ticks& ticks) { return std::max(label_room, widest_label(ticks)); }

// Enough ticks to read a scale off even a low frame, though a round step may miss the range at first.
Ticks vertical_ticks(const Scale& scale, int height) {
  Ticks ticks;
  for (int target = std::max(2, height / 65); target <= std::max(2, height / 20); ++target) {
    ticks = make_ticks(scale, target);
    if (ticks.values.size() >= 3) break;
  }
  return ticks;
}

// As many ticks as there is room for their labels.
Ticks horizontal_ticks(const Scale& scale, int width) {
  Ticks ticks;
  for (int target = std::max(1, width / 80); target >= 1; --target) {
    ticks = make_ticks(scale, target);
    const double room = double(width) / std::max<double>(1, double(ticks.values.size()));
    if (widest_label(ticks) + 16 < room) break;
  }
  return ticks;
}

// Where values fall in the frame, as pixels.
struct Mapping {
  Box frame;
  Scale x_scale, y_scale;
  double x(double value) const { return frame.x + x_scale.fraction(value) * frame.width; }
  double y(double value) const { return frame.y + (1 - y_scale.fraction(value)) * frame.height; }
  // The pixels of a line, which at the far end would fall outside of the frame.
  int column(double value) const { return std::clamp(int(x(value)), frame.x, frame.x + frame.width - 1); }
  int row(double value) const { return std::clamp(int(y(value)), frame.y, frame.y + frame.height - 1); }
};

// Ticks, their labels and the axis' own one, to the left of a frame or to the right.
void draw_vertical_axis(Canvas& canvas, const Mapping& map, const Ticks& ticks, const std::string& label, Align side) {
  const Box& frame = map.frame;
  const bool left = side == Align::left;
  const int side_x = left ? frame.x : frame.x + frame.width, outwards = left ? -1 : 1;
  const Align align = left ? Align::right : Align::left;
  for (const double value : ticks.minor) canvas.fill({frame.x - 4, map.row(value), 3, 1}, axis_colour);
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    const int y = map.row(ticks.values[i]);
    canvas.fill({left ? side_x - 1 - tick_length : side_x + 1, y, tick_length, 1}, axis_colour);
    canvas.text({double(side_x + outwards * label_gap), y + 5.0}, ticks.labels[i], {.align = align});
  }
  canvas.text({double(frame.x), frame.y - 8.0}, ticks.factor, {.align = align});
  const double label_x = side_x + outwards * room_for_labels(ticks) + (left ? -25 : 35);
  canvas.text({label_x, frame.y + frame.height / 2.0}, label,
      {.size = axis_label_size, .align = Align::centre, .vertical = true, .room = frame.height + 40.0});
}

void draw_axes(Canvas& canvas, const Mapping& map, const Ticks& x_ticks, const Ticks& y_ticks,
    const std::string& x_label, const std::string& y_label, const std::string& title) {
  const Box& frame = map.frame;
  const int bottom = frame.y + frame.height, right = frame.x + frame.width;
  for (std::size_t i = 0; i < x_ticks.values.size(); ++i) {
    const int x = map.column(x_ticks.values[i]);
    canvas.fill({x, bottom + 1, 1, tick_length}, axis_colour);
    canvas.text({double(x), bottom + 22.0}, x_ticks.labels[i], {.align = Align::centre});
  }
  canvas.text({double(right), bottom + 43.0}, x_ticks.factor, {.align = Align::right});
  const double x_label_room =
      frame.width + (x_ticks.factor.empty() ? 2 * edge : -2 * text_width(x_ticks.factor, text_size));
  canvas.text({frame.x + frame.width / 2.0, bottom + 47.0}, x_label,
      {.size = axis_label_size, .align = Align::centre, .room = x_label_room});
  draw_vertical_axis(canvas, map, y_ticks, y_label, Align::left);
  // The title begins with the frame, or further left when it would not fit.
  const double title_width = text_width(title, title_size), end = canvas.width() - edge;
  const double title_x = std::max<double>(edge, std::min<double>(frame.x, end - title_width));
  canvas.text({title_x, frame.y - 30.0}, title, {.size = title_size, .room = end - title_x});
}

void draw_no_data(Canvas& canvas, Box frame) {
  canvas.text({frame.x + frame.width / 2.0, frame.y + frame.height / 2.0}, "no data",
      {.size = 18, .colour = faint_colour, .align = Align::centre});
}

// ---- heat maps

void check(const Image2D& image) {
  if (image.nx < 0 || image.ny < 0 || image.values.size() != std::size_t(image.nx) * std::size_t(image.ny))
    throw std::runtime_error("picture '" + image.title + "': " + std::to_string(image.values.size()) + " values for " +
                             std::to_string(image.nx) + " x " + std::to_string(image.ny) + " points");
  for (const double end : {image.x0, image.x1, image.y0, image.y1, image.vmin.value_or(0), image.vmax.value_or(0)})
    if (!std::isfinite(end))
      throw std::runtime_error("picture '" + image.title + "': the ends of axes and colours must be finite");
}

struct HeatmapLayout {
  int width, height;
  Mapping map;
  Box bar;
  Scale colour_scale;
  Ticks x_ticks, y_ticks, colour_ticks;
};

HeatmapLayout layout(const Image2D& image) {
  HeatmapLayout result;
  const Scale x_scale = make_scale(image.x0, image.x1), y_scale = make_scale(image.y0, image.y1);
  const ColourRange range = heatmap_range(image);
  result.colour_scale = {range.lo, range.hi};
  // A very long strip would leave nothing to see; beyond six to one the aspect ratio gives way.
  const double aspect = std::clamp((x_scale.hi - x_scale.lo) / (y_scale.hi - y_scale.lo), 1 / 6.0, 6.0);

  // The labels depend on the size of the frame and the frame on the room that labels take: the second pass settles it.
  Box frame{};
  int frame_height = image.height - top_margin - bottom_margin;
  int left = 0, right = 0;
  for (int pass = 0; pass < 2; ++pass) {
    result.y_ticks = vertical_ticks(y_scale, frame_height);
    result.colour_ticks = vertical_ticks(result.colour_scale, frame_height);
    left = edge + axis_label_height + room_for_labels(result.y_ticks) + label_gap;
    right = bar_gap + bar_width + label_gap + room_for_labels(result.colour_ticks) +
            (image.colour_label.empty() ? 0 : axis_label_height) + edge;
    const int room_x = std::max(60, image.width - left - right);
    const int room_y = std::max(60, image.height - top_margin - bottom_margin);
    frame.width = std::max(20, std::min(room_x, int(std::lround(room_y * aspect))));
    frame.height = std::max(20, std::min(room_y, int(std::lround(room_x / aspect))));
    frame_height = frame.height;
  }
  // Even sizes, because film encoders insist on them.
  const auto even = [](int n) { return n + n % 2; };
  result.width = even(std::max(left + frame.width + right, std::min(smallest_width, image.width)));
  result.height = even(top_margin + frame.height + bottom_margin);
  frame.x = left + (result.width - left - frame.width - right) / 2, frame.y = top_margin;
  result.map = {frame, x_scale, y_scale};
  result.x_ticks = horizontal_ticks(x_scale, frame.width);
  result.bar = {frame.x + frame.width + bar_gap, frame.y, bar_width, frame.height};
  return result;
}

// Which data points make up one pixel along one axis, and with which weights.
struct Sample {
  int first;
  std::vector<double> weights;
};

// Where there are more points than pixels, each pixel is the average over what it covers: fine structure must not turn
// into moiré. Otherwise it is the point it lies in, or between the two nearest ones when `smooth`.
std::vector<Sample> samples(int points, int pixels, bool smooth) {
  std::vector<Sample> result;
  const double points_per_pixel = double(points) / pixels;
  for (int i = 0; i < pixels; ++i) {
    if (points > pixels) {
      const double begin = i * points_per_pixel, end = std::min(double(points), (i + 1) * points_per_pixel);
      Sample sample{int(begin), {}};
      for (int k = sample.first; k < points && k < end - 1e-9; ++k)
        sample.weights.push_back((std::min(end, k + 1.0) - std::max(begin, double(k))) / (end - begin));
      result.push_back(std::move(sample));
    } else if (smooth && points > 1) {
      const double position = std::clamp((i + 0.5) * points_per_pixel - 0.5, 0.0, points - 1.0);
      const int first = std::min(int(position), points - 2);
      result.push_back({first, {first + 1 - position, position - first}});
    } else {
      result.push_back({std::min(int((i + 0.5) * points_per_pixel), points - 1), {1.0}});
    }
  }
  return result;
}

void draw_values(Canvas& canvas, const Image2D& image, const Box& frame, const Scale& colour_scale) {
  const ColourMap colours = image.diverging ? ColourMap::diverging : ColourMap::sequential;
  const std::vector<Sample> columns = samples(image.nx, frame.width, image.smooth);
  const std::vector<Sample> rows = samples(image.ny, frame.height, image.smooth);
  // Edges may come in either order; the axes always run to the right and upwards.
  const bool flip_x = image.x1 < image.x0, flip_y = image.y1 < image.y0;
  std::vector<Colour> pixels;
  for (int j = 0; j < frame.height; ++j) {
    const Sample& row = rows[std::size_t(flip_y ? j : frame.height - 1 - j)];
    for (int i = 0; i < frame.width; ++i) {
      const Sample& column = columns[std::size_t(flip_x ? frame.width - 1 - i : i)];
      // A single bad point makes the whole pixel bad, because it must not drown in an average.
      double value = 0;
      for (std::size_t b = 0; b < row.weights.size(); ++b) {
        const double* line = &image.values[(std::size_t(row.first) + b) * std::size_t(image.nx)];
        for (std::size_t a = 0; a < column.weights.size(); ++a)
          value += row.weights[b] * column.weights[a] * line[std::size_t(column.first) + a];
      }
      pixels.push_back(std::isfinite(value) ? colour_of(colours, colour_scale.fraction(value)) : nan_colour);
    }
  }
  canvas.image(frame, pixels);
}

void draw_colour_bar(Canvas& canvas, const Image2D& image, const HeatmapLayout& layout) {
  const Box& bar = layout.bar;
  const ColourMap colours = image.diverging ? ColourMap::diverging : ColourMap::sequential;
  for (int j = 0; j < bar.height; ++j)
    canvas.fill({bar.x, bar.y + j, bar.width, 1}, colour_of(colours, 1 - (j + 0.5) / bar.height));
  canvas.border(bar, axis_colour);
  draw_vertical_axis(canvas, {bar, {}, layout.colour_scale}, layout.colour_ticks, image.colour_label, Align::right);
}

// ---- lines

void check(const LinePlot& plot) {
  for (const Series& series : plot.series)
    if (series.t.size() != series.y.size())
      throw std::runtime_error("plot '" + plot.title + "': series '" + series.label + "' has " +
                               std::to_string(series.t.size()) + " places but " + std::to_string(series.y.size()) +
                               " values");
}

struct LinesLayout {
  Mapping map;
  Ticks x_ticks, y_ticks;
  bool empty;
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
  LinesLayout result;
  result.empty = x_range.empty();
  if (plot.ymin) y_range.lo = *plot.ymin;
  if (plot.ymax) y_range.hi = *plot.ymax;
  const Scale x_scale = result.empty ? make_scale(0, 1) : make_scale(x_range.lo, x_range.hi);
  const Scale y_scale = result.empty ? make_scale(plot.log_y ? 0.1 : 0, plot.log_y ? 10 : 1, 0, plot.log_y)
                                     : make_scale(y_range.lo, y_range.hi, 0.05, plot.log_y);
  const int height = std::max(60, plot.height - top_margin - bottom_margin);
  result.y_ticks = vertical_ticks(y_scale, height);
  const int left = edge + axis_label_height + room_for_labels(result.y_ticks) + label_gap;
  const int width = std::max(60, plot.width - left - 2 * edge);
  result.map = {{left, top_margin, width, height}, x_scale, y_scale};
  result.x_ticks = horizontal_ticks(x_scale, width);
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
void draw_legend(
    Canvas& canvas, const LinePlot& plot, const Box& frame, const std::vector<std::vector<Point>>& curves) {
  constexpr int row_height = 21, sample_length = 24, padding = 9, distance = 12;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < plot.series.size(); ++i)
    if (!plot.series[i].label.empty()) shown.push_back(i);
  if (shown.empty()) return;

  const std::size_t most = std::size_t(std::max(2, (frame.height - 2 * distance - 2 * padding) / row_height));
  const std::size_t left_out = shown.size() > most ? shown.size() - (most - 1) : 0;
  shown.resize(shown.size() - left_out);
  const std::string more = "and " + std::to_string(left_out) + " more";

  const double room = 0.45 * frame.width;
  double widest = left_out ? text_width(more, text_size) : 0;
  for (const std::size_t i : shown) widest = std::max(widest, text_width(plot.series[i].label, text_size));
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
    canvas.text({text_x, y + 5}, plot.series[i].label, {.room = room});
    y += row_height;
  }
  if (left_out) canvas.text({text_x, y + 5}, more, {.colour = faint_colour});
}

}  // namespace

ColourRange heatmap_range(const Image2D& image) {
  Range data;
  if (!image.vmin || !image.vmax)
    for (const double value : image.values)
      if (std::isfinite(value)) data.include(value);
  if (data.empty()) data = {0, image.diverging ? 0.0 : 1.0};
  if (image.diverging) {
    const double largest = image.vmax   ? std::abs(*image.vmax)
                           : image.vmin ? std::abs(*image.vmin)
                                        : std::max(std::abs(data.lo), std::abs(data.hi));
    data = largest > 0 ? Range{-largest, largest} : Range{-1, 1};
  }
  double lo = image.vmin.value_or(data.lo), hi = image.vmax.value_or(data.hi);
  // One end given and all data beyond it: the range has no extent, and grows from the end that was asked for.
  if (lo > hi) (image.vmin ? hi : lo) = image.vmin ? lo : hi;
  const Scale scale = make_scale(lo, hi);
  return {scale.lo, scale.hi};
}

Box heatmap_frame(const Image2D& image) {
  check(image);
  return layout(image).map.frame;
}

void draw_heatmap(const Image2D& image, const std::filesystem::path& path, const Notes& notes) {
  check(image);
  const HeatmapLayout plan = layout(image);
  Canvas canvas(plan.width, plan.height);
  if (image.values.empty()) draw_no_data(canvas, plan.map.frame);
  else draw_values(canvas, image, plan.map.frame, plan.colour_scale);
  canvas.border(plan.map.frame, axis_colour);
  draw_axes(canvas, plan.map, plan.x_ticks, plan.y_ticks, image.xlabel, image.ylabel, image.title);
  draw_colour_bar(canvas, image, plan);
  canvas.write_png(path, notes);
}

Box lines_frame(const LinePlot& plot) {
  check(plot);
  return layout(plot).map.frame;
}

void draw_lines(const LinePlot& plot, const std::filesystem::path& path, const Notes& notes) {
  check(plot);
  const LinesLayout plan = layout(plot);
  const Box& frame = plan.map.frame;
  Canvas canvas(std::max(plot.width, frame.x + frame.width + edge),
      std::max(plot.height, frame.y + frame.height + bottom_margin));
  draw_grid(canvas, plan);
  canvas.border(frame, axis_colour);
  std::vector<std::vector<Point>> curves;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    curves.push_back(thinned(to_pixels(plot, plot.series[i], plan.map)));
    draw_curve(canvas, curves.back(), line_colour(i), frame);
  }
  draw_legend(canvas, plot, frame, curves);
  if (plan.empty) draw_no_data(canvas, frame);
  draw_axes(canvas, plan.map, plan.x_ticks, plan.y_ticks, plot.xlabel, plot.ylabel, plot.title);
  canvas.write_png(path, notes);
}

}  // namespace IOImage
