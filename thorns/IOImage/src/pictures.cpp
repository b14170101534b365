#include "pictures.hpp"

#include <cmath>
#include <tuple>

#include "colours.hpp"

namespace IOImage {
namespace {
struct Look {
  double low = HUGE_VAL, high = -HUGE_VAL;  // low > high: as the picture's own data are
  bool log = false, given = false;          // given: by the parameter `range`, and so left as it is
};

// What the last picture before this one says of the range so far, for a run that goes on from a checkpoint.
std::pair<double, double> range_before(const std::filesystem::path& picture, const std::string& range_note) {
  const std::string name = picture.filename(), same = name.substr(0, name.rfind(".it") + 3);
  const auto place = [](const std::string& n) { return std::pair(n.size(), n); };  // in the order of iterations
  std::string last;
  for (const auto& entry : std::filesystem::directory_iterator(picture.parent_path()))
    if (const std::string other = entry.path().filename(); other.starts_with(same) && other.ends_with(".png"))
      if (place(other) < place(name) && place(other) > place(last)) last = other;
  std::pair<double, double> range{HUGE_VAL, -HUGE_VAL};
  if (last.empty()) return range;
  const Notes notes = notes_in(picture.parent_path() / last);
  if (const auto note = notes.find(range_note); note != notes.end())
    std::sscanf(note->second.c_str(), "%lf %lf", &range.first, &range.second);
  return range;
}

// Turns values into magnitudes if their logarithm is wanted.
Look look_at(const Parameters& par, Picture& p, Kept& kept) {
  Look look{.log = par.boolean("log")};
  if (look.log)
    for (double& v : p.values) v = std::abs(v);
  if (const auto range = par.reals("range"); !range.empty()) {
    look.low = range[0], look.high = range[1], look.given = true;
  } else if (par.boolean("keep_range")) {
    if (!kept.contains(p.name)) kept[p.name] = range_before(p.path, p.range_note);
    auto& [low, high] = kept[p.name];
    for (const double v : p.values)
      if (std::isfinite(v) && (!look.log || v > 0)) low = std::min(low, v), high = std::max(high, v);
    look.low = low, look.high = high;
    char note[64];
    std::snprintf(note, sizeof note, "%.17g %.17g", low, high);
    p.notes[p.range_note] = note;
  }
  return look;
}

std::string with_unit(const std::string& text, const std::string& unit) {
  return unit.empty() ? text : text + " [" + unit + "]";
}

// Of a picture by itself: of panels the time stands above all.
std::string when(const Picture& p, const Parameters& par) {
  const std::string& unit = par.string("time_unit");
  return "t = " + number(p.time) + (unit.empty() ? "" : " " + unit) + p.slice.where;
}

std::string title_of(const Picture& p, const Parameters& par, const std::string& usual) {
  if (p.panel) return usual;
  const std::string& title = par.string("title");
  return (title.empty() ? usual : title) + ",  " + when(p, par);
}

std::string title_of_panels(const Picture& first, const Parameters& par) {
  const std::string& title = par.string("title");
  return (title.empty() ? "" : title + ",  ") + when(first, par);
}

std::pair<int, int> size_of(const Parameters& par, int width, int height) {
  if (!par.was_set("size")) return {width, height};
  const auto size = par.integers("size");
  return {static_cast<int>(size[0]), static_cast<int>(size[1])};
}

// What numbers beside the picture are; empty if nobody says more than the title does.
std::string quantity(const Parameters& par, const std::string& usual) {
  const std::string& label = par.string("label");
  return with_unit(label.empty() ? usual : label, par.string("unit"));
}

std::string axis(const Slice& slice, std::size_t n, const Parameters& par) {
  return with_unit(slice.names.substr(n, 1), par.string("length_unit"));
}

LinePlot profile_of(Picture& p, const Look& look, const Parameters& par) {
  LinePlot plot;
  plot.log_y = look.log;
  if (look.low <= look.high) plot.ymin = look.low, plot.ymax = look.high;
  plot.title = title_of(p, par, p.name);
  plot.xlabel = axis(p.slice, 0, par);
  plot.ylabel = quantity(par, p.name);
  plot.font_size = par.real("font_size");
  plot.xends = p.slice.along[0].ends;
  std::tie(plot.width, plot.height) = size_of(par, plot.width, plot.height);
  Series line;
  line.t = p.slice.along[0].at;
  line.y = std::move(p.values);
  plot.series = {std::move(line)};
  return plot;
}

// Sets the range of the colours, and which they are.
void choose_colours(Image2D& image, const Look& look, const Parameters& par, const std::vector<double>& values) {
  auto [low, high] = std::pair(look.low, look.high);
  if (low <= high) {
    if (look.log) low = std::log10(low), high = std::log10(high);
    image.vmin = low, image.vmax = high;
  } else {
    for (const double v : values)
      if (!std::isnan(v)) low = std::min(low, v), high = std::max(high, v);
  }
  const std::string& colours = par.string("colours");
  // A sign counts from a thousandth of the range on: what a scheme leaves below 0 does not.
  const bool both = low < 0 && high > 0 && (look.given ? low == -high : std::min(-low, high) > 1e-3 * (high - low));
  image.diverging = colours == "auto" ? both && !look.log : Palette::named(colours).diverging();
  if (colours != "auto") image.palette = colours;
  if (image.diverging && image.vmin && !look.given)
    image.vmax = std::max(-*image.vmin, *image.vmax), image.vmin = -*image.vmax;
}

bool is_smooth(const Picture& p, const Parameters& par) {
  constexpr std::size_t enough = 128;
  const std::string& smooth = par.string("smooth");
  return smooth == "true" ||
         (smooth == "auto" && !p.whole && std::min(p.slice.along[0].at.size(), p.slice.along[1].at.size()) < enough);
}

Image2D plane_picture_of(Picture& p, const Look& look, const Parameters& par) {
  if (look.log)
    for (double& v : p.values) v = std::log10(v);
  const auto logarithm = [&](const std::string& of) { return look.log && !of.empty() ? "log₁₀ |" + of + "|" : of; };
  Image2D image;
  Plane plane = plane_of(p.slice, p.values);
  image.nx = plane.nx, image.ny = plane.ny;
  image.x0 = plane.x - 0.5 * plane.dx,
  image.x1 = p.slice.along[0].last + 0.5 * plane.dx;  // a point fills a cell around it
  image.y0 = plane.y - 0.5 * plane.dy, image.y1 = p.slice.along[1].last + 0.5 * plane.dy;
  image.title = title_of(p, par, logarithm(p.name));
  image.xlabel = axis(p.slice, 0, par), image.ylabel = axis(p.slice, 1, par);
  const bool labelled = !par.string("label").empty() || !par.string("unit").empty();
  if (labelled) image.colour_label = logarithm(quantity(par, p.name.substr(p.name.rfind(':') + 1)));
  choose_colours(image, look, par, plane.values);
  if (!p.all) image.solid = p.overlays->solid;
  image.strokes = strokes_upon(plane, par, *p.overlays);
  image.smooth = is_smooth(p, par);
  image.font_size = par.real("font_size");
  std::tie(image.width, image.height) = size_of(par, image.width, image.height);
  image.values = std::move(plane.values);
  return image;
}

Look prepared(Picture& p, const Parameters& par, Kept& kept) {
  p.all = p.all || !p.overlays->solid;
  if (!p.all) leave_out(p.overlays->solid, p.slice, p.values);
  return look_at(par, p, kept);
}
}  // namespace

void declare_looks(Declaration& d) {
  d.parameter("range", std::vector<double>{}, any(),
      "Lowest and highest value of the colours, or of a profile's axis; []: those of each picture");
  d.parameter("keep_range", false, any(),
      "The range grows with the data of a run and never shrinks, so that pictures can be compared");
  d.parameter("colours", "auto",
      one_of({{"auto",
                  "diverging for data of both signs, of which the lesser has more than a thousandth of the range, and "
                  "for a range that is symmetric about 0; else sequential"},
          {"sequential", "viridis"}, {"diverging", "bluered: the range is symmetric about 0 unless it is given"},
          {"viridis"}, {"magma"}, {"inferno"}, {"plasma"}, {"cividis"}, {"bluered", "diverging"},
          {"coolwarm", "diverging"}}),
      "The palette of a plane");
  d.parameter("log", false, any(), "Draw the logarithm of the magnitude");
  d.parameter("smooth", "auto",
      one_of({{"auto", "of real numbers, with fewer than 128 points along an axis"}, {"true"}, {"false"}}),
      "Interpolate between points instead of showing each as a cell");
  d.parameter("title", "", any(), "Stands above a picture, before the time, instead of the variable's name");
  d.parameter("label", "", any(), "Stands beside the numbers of the colours, or of a profile's axis");
  d.parameter("unit", "", any(), "Of the values, after the label");
  d.parameter("length_unit", "", any(), "Of coordinates");
  d.parameter("time_unit", "", any(), "Of the time");
  d.parameter("font_size", 13.0, between(6, 100), "Height of the font of numbers, in pixels; the rest grows with it");
  d.parameter("size", {900, 750}, between(100, 10000), "Width and height in pixels: a plane has at most these")
      .length(2);
}

void check_looks(const Parameters& par) {
  Problems problems;
  const auto range = par.reals("range"), levels = par.reals("contour_levels");
  if (!range.empty() && (range.size() != 2 || !(range[0] < range[1]) || (par.boolean("log") && range[0] <= 0)))
    problems.add(par.where("range"),
        std::string("IOImage.range is [lowest, highest]") + (par.boolean("log") ? ", above 0 for a logarithm" : ""));
  if (par.boolean("log") && par.strings("contours_of").empty() &&
      std::ranges::any_of(levels, [](double level) { return level <= 0; }))
    problems.add(par.where("contour_levels"), "IOImage.contour_levels are above 0 for a logarithm");
  problems.throw_if_any();
}

void draw(Picture p, const Parameters& par, Kept& kept) {
  const Look look = prepared(p, par, kept);
  if (p.slice.axes.size() == 1) draw_lines({profile_of(p, look, par)}, p.path, p.notes);
  else draw_heatmap(plane_picture_of(p, look, par), p.path, p.notes);
}

void draw_panels(std::vector<Picture> pictures, const Parameters& par, Kept& kept) {
  const bool planes = pictures[0].slice.axes.size() == 2;
  std::vector<LinePlot> profiles;
  std::vector<Image2D> images;
  Notes notes;
  for (std::size_t n = 0; n < pictures.size(); ++n) {
    Picture& p = pictures[n];
    p.panel = true, p.path = pictures[0].path, p.range_note += " " + std::to_string(n);
    const Look look = prepared(p, par, kept);
    if (planes) images.push_back(plane_picture_of(p, look, par));
    else profiles.push_back(profile_of(p, look, par));
    notes.merge(p.notes);
  }
  const std::string title = title_of_panels(pictures[0], par);
  const auto& path = pictures[0].path;
  const auto count = static_cast<int>(pictures.size());
  if (planes) {
    const auto [width, height] = size_of(par, 1400, 900);
    return draw_panels(std::move(images), title, width, height, path, notes);
  }
  profiles[0].title = title;
  std::tie(profiles[0].width, profiles[0].height) = size_of(par, 900, height_of_panels(count));
  draw_lines(profiles, path, notes);
}
}  // namespace IOImage
