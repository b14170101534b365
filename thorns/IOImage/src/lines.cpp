#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "colours.hpp"
#include "frame.hpp"
#include "plots.hpp"

namespace IOImage {

namespace {

constexpr Colour grid_colour{228, 228, 228}, minor_grid_colour{243, 243, 243}, frame_colour{190, 190, 190};

void check(const LinePlot& plot) {
  for (const Series& series : plot.series)
    if (series.t.size() != series.y.size())
      throw std::runtime_error("plot '" + plot.title + "': series '" + series.label + "' has " +
                               std::to_string(series.t.size()) + " places but " + std::to_string(series.y.size()) +
                               " values");
}

// A panel has its own values, and the x axis of all.
struct Panel {
  Mapping map{};
  Ticks y_ticks{};
  bool empty = false;
};

struct LinesLayout {
  Sizes sizes;
  std::vector<Panel> panels{};
  Ticks x_ticks{};
};

bool is_shown(const LinePlot& plot, double t, double y) {
  return std::isfinite(t) && std::isfinite(y) && (!plot.log_y || y > 0);
}

struct Ranges {
  Range x, y;
};

Ranges ranges_of(const LinePlot& plot) {
  Ranges ranges;
  for (const Series& series : plot.series)
    for (std::size_t i = 0; i < series.t.size(); ++i)
      if (is_shown(plot, series.t[i], series.y[i])) {
        ranges.x.include(series.t[i]);
        ranges.y.include(series.y[i]);
      }
  return ranges;
}

Scale y_scale_of(const LinePlot& plot, Range range) {
  if (range.empty()) return make_scale(plot.log_y ? 0.1 : 0, plot.log_y ? 10 : 1, 0, plot.log_y);
  return make_scale(plot.ymin.value_or(range.lo), plot.ymax.value_or(range.hi), 0.05, plot.log_y);
}

constexpr int row_height = 21, sample_length = 24, legend_gap = 14, text_gap = 9;

// Which series the legend names: those with a label, as far as there is room, and how many more there are.
struct Legend {
  std::vector<std::size_t> shown{};
  std::string more{};
};

Legend legend_of(const LinePlot& plot, int height, const Sizes& sizes) {
  Legend legend;
  for (std::size_t i = 0; i < plot.series.size(); ++i)
    if (!plot.series[i].label.empty()) legend.shown.push_back(i);
  const std::size_t rows = std::size_t(std::max(2, height / sizes(row_height))), all = legend.shown.size();
  if (all <= rows) return legend;
  legend.shown.resize(rows - 1);
  legend.more = "and " + std::to_string(all - legend.shown.size()) + " more";
  return legend;
}

// Beside the frame, so that the curves stay free.
int legend_width(const LinePlot& plot, int height, const Sizes& sizes) {
  const Legend legend = legend_of(plot, height, sizes);
  double widest = text_width(legend.more, sizes.text);
  for (const std::size_t i : legend.shown) widest = std::max(widest, text_width(plot.series[i].label, sizes.text));
  const int text = int(std::min(std::ceil(widest), 0.3 * plot.width));
  return text > 0 ? sizes(legend_gap + sample_length + text_gap) + 2 + text - sizes.edge : 0;
}

LinesLayout layout(const std::vector<LinePlot>& plots) {
  LinesLayout result{.sizes = Sizes(plots.front().font_size)};
  const Sizes& sizes = result.sizes;
  const int count = int(plots.size()), between = sizes(30);
  const int room = plots.front().height - sizes.top_margin - sizes.bottom_margin - (count - 1) * between;
  const int height = std::max(60, room / count);
  Range x_range;
  int labels = 0, legend = 0;
  for (const LinePlot& plot : plots) {
    const auto [x, y] = ranges_of(plot);
    if (!x.empty()) x_range.include(x.lo), x_range.include(x.hi);
    Panel& panel = result.panels.emplace_back();
    panel.empty = x.empty();
    panel.map.y_scale = y_scale_of(plot, y);
    panel.y_ticks = vertical_ticks(panel.map.y_scale, height, sizes);
    labels = std::max(labels, room_for_labels(panel.y_ticks, sizes));
    legend = std::max(legend, legend_width(plot, height, sizes));
  }
  const auto ends = plots.front().xends;
  const Scale x_scale = ends              ? make_scale(ends->first, ends->second)
                        : x_range.empty() ? make_scale(0, 1)
                                          : make_scale(x_range.lo, x_range.hi);
  const int left = sizes.edge + sizes.axis_label_height + labels + sizes.label_gap;
  const int width = std::max(60, plots.front().width - left - legend - 2 * sizes.edge);
  for (int n = 0; n < count; ++n) {
    Mapping& map = result.panels[std::size_t(n)].map;
    map.frame = {left, sizes.top_margin + n * (height + between), width, height};
    map.x_scale = x_scale;
  }
  result.x_ticks = ends ? ticks_to_ends(x_scale, width, sizes) : horizontal_ticks(x_scale, width, sizes);
  return result;
}

void draw_grid(Canvas& canvas, const Panel& panel, const Ticks& x_ticks) {
  const Mapping& map = panel.map;
  const Rectangle& frame = map.frame;
  for (const double value : panel.y_ticks.minor)
    canvas.fill({frame.x, map.row(value), frame.width, 1}, minor_grid_colour);
  for (const double value : panel.y_ticks.values) canvas.fill({frame.x, map.row(value), frame.width, 1}, grid_colour);
  for (const double value : x_ticks.values) canvas.fill({map.column(value), frame.y, 1, frame.height}, grid_colour);
}

// The series as pixels, with pen up where a value is missing.
std::vector<Point> to_pixels(const LinePlot& plot, const Series& series, const Mapping& map) {
  constexpr double far = 1e4;  // only values beyond a Scale's are farther outside; Cairo counts in 32 bits
  std::vector<Point> points;
  for (std::size_t i = 0; i < series.t.size(); ++i)
    points.push_back(is_shown(plot, series.t[i], series.y[i])
                         ? Point{std::clamp(map.x(series.t[i]), -far, far), std::clamp(map.y(series.y[i]), -far, far)}
                         : gap);
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

void draw_curve(Canvas& canvas, const std::vector<Point>& points, Colour colour, const Rectangle& frame) {
  canvas.polyline(points, 2, colour, frame);
  // A value between two gaps would be a speck as wide as the line; it becomes a dot, which may stick out of the frame.
  const Rectangle around{frame.x - 4, frame.y - 4, frame.width + 8, frame.height + 8};
  const auto missing = [&](std::size_t i) { return i >= points.size() || std::isnan(points[i].x); };
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!missing(i) && missing(i - 1) && missing(i + 1)) canvas.polyline({&points[i], 1}, 7, colour, around);
}

void draw_legend(
    Canvas& canvas, const LinePlot& plot, std::size_t first_colour, const Rectangle& frame, const Sizes& sizes) {
  const Legend legend = legend_of(plot, frame.height, sizes);
  const double x = frame.x + frame.width + sizes(legend_gap), text_x = x + sizes(sample_length + text_gap);
  double y = frame.y + sizes(row_height) / 2.0;
  const auto write = [&](const std::string& text, TextStyle style) {
    style.size = sizes.text, style.room = canvas.width() - sizes.edge - text_x;
    canvas.text({text_x, y + 5 * sizes.scale}, text, style);
    y += sizes(row_height);
  };
  for (const std::size_t i : legend.shown) {
    const std::array<Point, 2> sample = {{{x, y}, {x + sizes(sample_length), y}}};
    canvas.polyline(sample, 2.2, line_colour(first_colour + i), {0, frame.y, canvas.width(), frame.height});
    write(plot.series[i].label, {});
  }
  write(legend.more, {.colour = faint_colour});
}

}  // namespace

Rectangle lines_frame(const std::vector<LinePlot>& plots, std::size_t panel) {
  return layout(plots).panels.at(panel).map.frame;
}

void draw_lines(const std::vector<LinePlot>& plots, const std::filesystem::path& path, const Notes& notes) {
  for (const LinePlot& plot : plots) check(plot);
  const LinesLayout plan = layout(plots);
  const Rectangle& last = plan.panels.back().map.frame;
  Canvas canvas(even(std::max(plots.front().width, last.x + last.width + plan.sizes.edge)),
      even(std::max(plots.front().height, last.y + last.height + plan.sizes.bottom_margin)));
  Ticks unlabelled = plan.x_ticks;
  std::ranges::fill(unlabelled.labels, "");
  unlabelled.factor.clear();
  std::size_t colour = 0;
  for (std::size_t n = 0; n < plots.size(); ++n) {
    const LinePlot& plot = plots[n];
    const Panel& panel = plan.panels[n];
    const Rectangle& frame = panel.map.frame;
    const bool lowest = n + 1 == plots.size();
    draw_grid(canvas, panel, plan.x_ticks);
    canvas.border(frame, axis_colour);
    draw_legend(canvas, plot, colour, frame, plan.sizes);
    for (const Series& series : plot.series)
      draw_curve(canvas, thinned(to_pixels(plot, series, panel.map)), line_colour(colour++), frame);
    if (panel.empty) draw_no_data(canvas, frame, plan.sizes);
    draw_axes(canvas, panel.map, lowest ? plan.x_ticks : unlabelled, panel.y_ticks, lowest ? plot.xlabel : "",
        plot.ylabel, n == 0 ? plot.title : "", plan.sizes);
  }
  canvas.write_png(path, notes);
}

}  // namespace IOImage
