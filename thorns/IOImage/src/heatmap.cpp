// First the layout, which makes room for the labels; then the data; then axes and text on top.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "colours.hpp"
#include "frame.hpp"
#include "plots.hpp"

namespace IOImage {

namespace {

constexpr int bar_gap = 24, bar_width = 18;
constexpr int smallest_width = 480;  // of a picture that is narrow itself: its title needs some room

void check(const Image2D& image) {
  if (image.nx < 0 || image.ny < 0 || image.values.size() != std::size_t(image.nx) * std::size_t(image.ny))
    throw std::runtime_error("picture '" + image.title + "': " + std::to_string(image.values.size()) + " values for " +
                             std::to_string(image.nx) + " x " + std::to_string(image.ny) + " points");
  for (const double end : {image.x0, image.x1, image.y0, image.y1, image.vmin.value_or(0), image.vmax.value_or(0)})
    if (!std::isfinite(end))
      throw std::runtime_error("picture '" + image.title + "': the ends of axes and colours must be finite");
}

// What panels beside each other have in common: room to the right of the frame, and how wide a frame is for its height.
struct Shared {
  int right = 0;
  double aspect = 0;
};

struct HeatmapLayout {
  Sizes sizes;
  int width = 0, height = 0;
  Mapping map{};
  Rectangle bar{};
  Scale colour_scale{};
  Ticks x_ticks{}, y_ticks{}, colour_ticks{};
  Shared shared{};
};

HeatmapLayout layout(const Image2D& image, const Shared& shared = {}) {
  HeatmapLayout result{.sizes = Sizes(image.font_size)};
  const Sizes& sizes = result.sizes;
  const Scale x_scale = make_scale(image.x0, image.x1), y_scale = make_scale(image.y0, image.y1);
  const ColourRange range = heatmap_range(image);
  result.colour_scale = {range.lo, range.hi};
  // A very long strip would leave nothing to see; beyond six to one the aspect ratio gives way.
  const double own = std::clamp((x_scale.hi - x_scale.lo) / (y_scale.hi - y_scale.lo), 1 / 6.0, 6.0);
  const double aspect = shared.aspect > 0 ? shared.aspect : own;

  // The labels depend on the size of the frame and the frame on the room that labels take: the second pass settles it.
  Rectangle frame{};
  int frame_height = image.height - sizes.top_margin - sizes.bottom_margin;
  int left = 0, right = 0;
  for (int pass = 0; pass < 2; ++pass) {
    result.y_ticks = vertical_ticks(y_scale, frame_height, sizes);
    result.colour_ticks = vertical_ticks(result.colour_scale, frame_height, sizes);
    left = sizes.edge + sizes.axis_label_height + room_for_labels(result.y_ticks, sizes) + sizes.label_gap;
    right = bar_gap + bar_width + sizes.label_gap + room_for_labels(result.colour_ticks, sizes) +
            (image.colour_label.empty() ? 0 : sizes.axis_label_height) + sizes.edge;
    right = std::max(right, shared.right);
    const int room_x = std::max(60, image.width - left - right);
    const int room_y = std::max(60, image.height - sizes.top_margin - sizes.bottom_margin);
    frame.width = std::max(20, std::min(room_x, int(std::lround(room_y * aspect))));
    frame.height = std::max(20, std::min(room_y, int(std::lround(room_x / aspect))));
    frame_height = frame.height;
  }
  result.width = even(std::max(left + frame.width + right, std::min(smallest_width, image.width)));
  result.height = even(sizes.top_margin + frame.height + sizes.bottom_margin);
  frame.x = left + (result.width - left - frame.width - right) / 2, frame.y = sizes.top_margin;
  result.shared = {right, aspect};
  result.map = {frame, x_scale, y_scale};
  result.x_ticks = horizontal_ticks(x_scale, frame.width, sizes);
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

const Palette& palette_of(const Image2D& image) {
  return Palette::named(!image.palette.empty() ? image.palette : image.diverging ? "diverging" : "sequential");
}

// Whether a value counts: what is NaN because there is solid does not.
bool counts(const Image2D& image, std::size_t i, std::size_t j) {
  if (!image.solid || !std::isnan(image.values[j * std::size_t(image.nx) + i])) return true;
  const double dx = (image.x1 - image.x0) / image.nx, dy = (image.y1 - image.y0) / image.ny;
  return !lies_in(image.solid, {image.x0 + (double(i) + 0.5) * dx, image.y0 + (double(j) + 0.5) * dy}, dx, dy);
}

// Nothing where there is solid only. A single bad point makes the whole pixel bad, because it must not drown in an
// average.
std::optional<double> average(const Image2D& image, const Sample& column, const Sample& row) {
  double value = 0, weights = 0;
  for (std::size_t b = 0; b < row.weights.size(); ++b)
    for (std::size_t a = 0; a < column.weights.size(); ++a) {
      const std::size_t i = std::size_t(column.first) + a, j = std::size_t(row.first) + b;
      if (!counts(image, i, j)) continue;
      value += row.weights[b] * column.weights[a] * image.values[j * std::size_t(image.nx) + i];
      weights += row.weights[b] * column.weights[a];
    }
  if (weights == 0) return std::nullopt;
  return image.solid ? value / weights : value;
}

void draw_values(Canvas& canvas, const Image2D& image, const Rectangle& frame, const Scale& colour_scale) {
  const Palette& palette = palette_of(image);
  const std::vector<Sample> columns = samples(image.nx, frame.width, image.smooth);
  const std::vector<Sample> rows = samples(image.ny, frame.height, image.smooth);
  // Edges may come in either order; the axes always run to the right and upwards.
  const bool flip_x = image.x1 < image.x0, flip_y = image.y1 < image.y0;
  const auto [low_x, high_x] = std::minmax(image.x0, image.x1);
  const auto [low_y, high_y] = std::minmax(image.y0, image.y1);
  std::vector<Colour> pixels;
  pixels.reserve(std::size_t(frame.width) * std::size_t(frame.height));
  for (int j = 0; j < frame.height; ++j) {
    const Sample& row = rows[std::size_t(flip_y ? j : frame.height - 1 - j)];
    for (int i = 0; i < frame.width; ++i) {
      const Sample& column = columns[std::size_t(flip_x ? frame.width - 1 - i : i)];
      const Point place{
          low_x + (i + 0.5) * (high_x - low_x) / frame.width, high_y - (j + 0.5) * (high_y - low_y) / frame.height};
      const bool in_solid = image.solid && image.solid(place.x, place.y);
      const auto value = in_solid ? std::nullopt : average(image, column, row);
      pixels.push_back(value ? palette.at(colour_scale.fraction(*value)) : solid_colour);
    }
  }
  canvas.image(frame, pixels);
}

void draw_stroke(Canvas& canvas, const Stroke& stroke, const Mapping& map) {
  std::vector<Point> pixels;
  for (const Point p : stroke.points) pixels.push_back({map.x(p.x), map.y(p.y)});
  canvas.polyline(pixels, stroke.width, stroke.colour, map.frame);
}

void draw_colour_bar(Canvas& canvas, const Image2D& image, const HeatmapLayout& layout) {
  const Rectangle& bar = layout.bar;
  const Palette& palette = palette_of(image);
  for (int j = 0; j < bar.height; ++j)
    canvas.fill({bar.x, bar.y + j, bar.width, 1}, palette.at(1 - (j + 0.5) / bar.height));
  canvas.border(bar, axis_colour);
  draw_vertical_axis(
      canvas, {bar, {}, layout.colour_scale}, layout.colour_ticks, image.colour_label, Align::right, layout.sizes);
}

}  // namespace

bool lies_in(const Solid& solid, Point p, double dx, double dy) {
  constexpr double hair = 1e-6;  // of a cell
  return solid(p.x - hair * dx, p.y - hair * dy) && solid(p.x + hair * dx, p.y - hair * dy) &&
         solid(p.x - hair * dx, p.y + hair * dy) && solid(p.x + hair * dx, p.y + hair * dy);
}

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

Rectangle heatmap_frame(const Image2D& image) {
  check(image);
  return layout(image).map.frame;
}

namespace {
void draw(Canvas& canvas, const Image2D& image, const HeatmapLayout& plan) {
  if (image.values.empty()) draw_no_data(canvas, plan.map.frame, plan.sizes);
  else draw_values(canvas, image, plan.map.frame, plan.colour_scale);
  for (const Stroke& stroke : image.strokes) draw_stroke(canvas, stroke, plan.map);
  canvas.border(plan.map.frame, axis_colour);
  draw_axes(canvas, plan.map, plan.x_ticks, plan.y_ticks, image.xlabel, image.ylabel, image.title, plan.sizes);
  draw_colour_bar(canvas, image, plan);
}

struct Arrangement {
  int columns = 1, width = 0, height = 0;  // of a panel
  std::vector<HeatmapLayout> panels{};
};

// So many columns; all frames are of one size, so that they stand in rows.
Arrangement arranged(std::vector<Image2D>& images, int columns, int width, int height) {
  const int rows = (int(images.size()) + columns - 1) / columns;
  Arrangement all{.columns = columns};
  Shared shared;
  for (Image2D& image : images) {
    image.width = width / columns, image.height = height / rows;
    const Shared own = layout(image).shared;
    shared = {std::max(shared.right, own.right), shared.aspect > 0 ? shared.aspect : own.aspect};
  }
  for (const Image2D& image : images) {
    const HeatmapLayout& panel = all.panels.emplace_back(layout(image, shared));
    all.width = std::max(all.width, panel.width), all.height = std::max(all.height, panel.height);
  }
  return all;
}

Arrangement with_largest_frames(std::vector<Image2D>& images, int width, int height) {
  Arrangement best;
  int largest = 0;
  for (int columns = 1; columns <= int(images.size()); ++columns) {
    Arrangement all = arranged(images, columns, width, height);
    if (const int size = all.panels[0].map.frame.height * all.panels[0].map.frame.width; size > largest)
      largest = size, best = std::move(all);
  }
  return best;
}
}  // namespace

void draw_heatmap(const Image2D& image, const std::filesystem::path& path, const Notes& notes) {
  check(image);
  const HeatmapLayout plan = layout(image);
  Canvas canvas(plan.width, plan.height);
  draw(canvas, image, plan);
  canvas.write_png(path, notes);
}

void draw_panels(std::vector<Image2D> images, const std::string& title, int width, int height,
    const std::filesystem::path& path, const Notes& notes) {
  for (const Image2D& image : images) check(image);
  const Sizes sizes(images.front().font_size);
  const int header = sizes(40);
  Arrangement all = with_largest_frames(images, width, height - header);
  const int rows = (int(images.size()) + all.columns - 1) / all.columns;
  Canvas canvas(all.columns * all.width, even(header + rows * all.height));
  const double x = all.panels[0].map.frame.x;
  canvas.text({x, double(sizes(30))}, title, {.size = sizes.title, .room = canvas.width() - x - sizes.edge});
  for (std::size_t n = 0; n < images.size(); ++n) {
    all.panels[n].sizes.title = sizes.axis_label;
    canvas.part({int(n) % all.columns * all.width, header + int(n) / all.columns * all.height, all.width, all.height});
    draw(canvas, images[n], all.panels[n]);
  }
  canvas.write_png(path, notes);
}

}  // namespace IOImage
