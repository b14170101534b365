#include "frame.hpp"

#include <algorithm>
#include <cmath>

namespace IOImage {

namespace {

constexpr int tick_length = 5;
constexpr int label_room = 36;  // kept for tick labels even if they are shorter: frames of a film must not jump

int widest_label(const Ticks& ticks, const Sizes& sizes) {
  double width = 0;
  for (const std::string& label : ticks.labels) width = std::max(width, text_width(label, sizes.text));
  return int(std::ceil(width));
}

}  // namespace

int room_for_labels(const Ticks& ticks, const Sizes& sizes) {
  return std::max(sizes(label_room), widest_label(ticks, sizes));
}

// A round step may miss the range at first.
Ticks vertical_ticks(const Scale& scale, int height, const Sizes& sizes) {
  height = int(height / sizes.scale);
  Ticks ticks;
  for (int target = std::max(2, height / 65); target <= std::max(2, height / 20); ++target) {
    ticks = make_ticks(scale, target);
    if (ticks.values.size() >= 3) break;
  }
  return ticks;
}

namespace {
bool has_room(const Ticks& ticks, int width, const Sizes& sizes) {
  return widest_label(ticks, sizes) + sizes(16) < double(width) / std::max<double>(1, double(ticks.values.size()));
}
int most_ticks(int width, const Sizes& sizes) { return std::max(1, width / sizes(80)); }
}  // namespace

Ticks horizontal_ticks(const Scale& scale, int width, const Sizes& sizes) {
  Ticks ticks;
  for (int target = most_ticks(width, sizes); target >= 1; --target) {
    ticks = make_ticks(scale, target);
    if (has_room(ticks, width, sizes)) break;
  }
  return ticks;
}

Ticks ticks_to_ends(const Scale& scale, int width, const Sizes& sizes) {
  constexpr double hair = 1e-6;
  for (int target = most_ticks(width, sizes); target >= 1; --target) {
    Ticks ticks = make_ticks(scale, target);
    if (ticks.values.size() >= 3 && has_room(ticks, width, sizes) && scale.fraction(ticks.values.front()) < hair &&
        scale.fraction(ticks.values.back()) > 1 - hair)
      return ticks;
  }
  return horizontal_ticks(scale, width, sizes);
}

void draw_vertical_axis(
    Canvas& canvas, const Mapping& map, const Ticks& ticks, const std::string& label, Align side, const Sizes& sizes) {
  const Rectangle& frame = map.frame;
  const bool left = side == Align::left;
  const int side_x = left ? frame.x : frame.x + frame.width, outwards = left ? -1 : 1;
  const Align align = left ? Align::right : Align::left;
  for (const double value : ticks.minor) canvas.fill({frame.x - 4, map.row(value), 3, 1}, axis_colour);
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    const int y = map.row(ticks.values[i]);
    canvas.fill({left ? side_x - 1 - tick_length : side_x + 1, y, tick_length, 1}, axis_colour);
    canvas.text({double(side_x + outwards * sizes.label_gap), y + 5 * sizes.scale}, ticks.labels[i],
        {.size = sizes.text, .align = align});
  }
  canvas.text({double(frame.x), frame.y - 8.0 * sizes.scale}, ticks.factor, {.size = sizes.text, .align = align});
  const double label_x = side_x + outwards * (room_for_labels(ticks, sizes) + sizes(left ? 25 : 35));
  canvas.text({label_x, frame.y + frame.height / 2.0}, label,
      {.size = sizes.axis_label, .align = Align::centre, .vertical = true, .room = frame.height + 40.0});
}

void draw_axes(Canvas& canvas, const Mapping& map, const Ticks& x_ticks, const Ticks& y_ticks,
    const std::string& x_label, const std::string& y_label, const std::string& title, const Sizes& sizes) {
  const Rectangle& frame = map.frame;
  const int bottom = frame.y + frame.height, right = frame.x + frame.width;
  for (std::size_t i = 0; i < x_ticks.values.size(); ++i) {
    const int x = map.column(x_ticks.values[i]);
    canvas.fill({x, bottom + 1, 1, tick_length}, axis_colour);
    canvas.text(
        {double(x), bottom + 22.0 * sizes.scale}, x_ticks.labels[i], {.size = sizes.text, .align = Align::centre});
  }
  canvas.text(
      {double(right), bottom + 43.0 * sizes.scale}, x_ticks.factor, {.size = sizes.text, .align = Align::right});
  const double x_label_room =
      frame.width + (x_ticks.factor.empty() ? 2 * sizes.edge : -2 * text_width(x_ticks.factor, sizes.text));
  canvas.text({frame.x + frame.width / 2.0, bottom + 47.0 * sizes.scale}, x_label,
      {.size = sizes.axis_label, .align = Align::centre, .room = x_label_room});
  draw_vertical_axis(canvas, map, y_ticks, y_label, Align::left, sizes);
  // The title begins with the frame, or further left when it would not fit.
  const double title_width = text_width(title, sizes.title), end = canvas.width() - sizes.edge;
  const double title_x = std::max<double>(sizes.edge, std::min<double>(frame.x, end - title_width));
  canvas.text({title_x, frame.y - 30.0 * sizes.scale}, title, {.size = sizes.title, .room = end - title_x});
}

void draw_no_data(Canvas& canvas, Rectangle frame, const Sizes& sizes) {
  canvas.text({frame.x + frame.width / 2.0, frame.y + frame.height / 2.0}, "no data",
      {.size = 18 * sizes.scale, .colour = faint_colour, .align = Align::centre});
}

}  // namespace IOImage
