// What a machine's owner likes on a screen (hinting, subpixels, language) is set here, so that all machines with this
// font draw the same letters. No hinting: it can be turned off for all programs of a machine, but not on. Without the
// font fontconfig chooses another one, and without any font the letters are boxes.
#include "canvas.hpp"

#include <pango/pangocairo.h>
#include <png.h>
#include <cereus/file.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

namespace IOImage {

namespace {

constexpr const char* font_family = "DejaVu Sans";

template <class T, auto release> struct Releaser {
  void operator()(T* object) const { release(object); }
};
template <class T, auto release> using Handle = std::unique_ptr<T, Releaser<T, release>>;
using Layout = Handle<PangoLayout, g_object_unref>;

void set_font(PangoLayout* layout, double size) {
  const Handle<PangoFontDescription, pango_font_description_free> font(pango_font_description_new());
  pango_font_description_set_family_static(font.get(), font_family);
  pango_font_description_set_absolute_size(font.get(), size * PANGO_SCALE);
  pango_layout_set_font_description(layout, font.get());
}

Layout make_layout(const std::string& text, double size) {
  // Pango keeps a font map for each thread.
  const Handle<PangoContext, g_object_unref> context(pango_font_map_create_context(pango_cairo_font_map_get_default()));
  const Handle<cairo_font_options_t, cairo_font_options_destroy> options(cairo_font_options_create());
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_ON);
  pango_cairo_context_set_font_options(context.get(), options.get());
  pango_context_set_language(context.get(), pango_language_from_string("en"));

  Layout layout(pango_layout_new(context.get()));
  set_font(layout.get(), size);
  pango_layout_set_single_paragraph_mode(layout.get(), true);
  const Handle<char, g_free> valid(g_utf8_make_valid(text.data(), static_cast<gssize>(text.size())));
  pango_layout_set_text(layout.get(), valid.get(), -1);
  return layout;
}

double width_of(PangoLayout* layout) {
  int width, height;
  pango_layout_get_size(layout, &width, &height);
  return static_cast<double>(width) / PANGO_SCALE;
}

void set_colour(cairo_t* cairo, Colour colour, double opacity = 1) {
  cairo_set_source_rgba(cairo, colour.r / 255.0, colour.g / 255.0, colour.b / 255.0, opacity);
}

}  // namespace

Canvas::Canvas(int width, int height) : width_(width) {
  const Handle<cairo_surface_t, cairo_surface_destroy> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  cairo_.reset(cairo_create(surface.get()));
  set_colour(cairo_.get(), {255, 255, 255});
  cairo_paint(cairo_.get());
}

void Canvas::part(Rectangle box) {
  cairo_identity_matrix(cairo_.get());
  cairo_translate(cairo_.get(), box.x, box.y);
  width_ = box.width;
}

void Canvas::image(Rectangle box, std::span<const Colour> pixels) {
  std::vector<std::uint32_t> words;
  words.reserve(pixels.size());
  for (const Colour c : pixels) words.push_back(std::uint32_t{c.r} << 16 | std::uint32_t{c.g} << 8 | c.b);
  const Handle<cairo_surface_t, cairo_surface_destroy> surface(cairo_image_surface_create_for_data(
      reinterpret_cast<unsigned char*>(words.data()), CAIRO_FORMAT_RGB24, box.width, box.height, 4 * box.width));
  cairo_set_source_surface(cairo_.get(), surface.get(), box.x, box.y);
  cairo_paint(cairo_.get());
}

void Canvas::fill(Rectangle box, Colour colour, double opacity) {
  set_colour(cairo_.get(), colour, opacity);
  cairo_rectangle(cairo_.get(), box.x, box.y, box.width, box.height);
  cairo_fill(cairo_.get());
}

void Canvas::border(Rectangle box, Colour colour) {
  set_colour(cairo_.get(), colour);
  cairo_set_line_width(cairo_.get(), 1);
  cairo_rectangle(cairo_.get(), box.x - 0.5, box.y - 0.5, box.width + 1, box.height + 1);
  cairo_stroke(cairo_.get());
}

void Canvas::polyline(std::span<const Point> points, double width, Colour colour, Rectangle clip) {
  constexpr int most = 100;  // a path that crosses itself takes time that grows with the square of its points
  cairo_t* const cairo = cairo_.get();
  cairo_save(cairo);
  cairo_rectangle(cairo, clip.x, clip.y, clip.width, clip.height);
  cairo_clip(cairo);
  set_colour(cairo, colour);
  cairo_set_line_width(cairo, width);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
  int count = 0;
  for (const Point p : points) {
    if (std::isnan(p.x) || std::isnan(p.y)) {
      cairo_new_sub_path(cairo);
      continue;
    }
    if (!cairo_has_current_point(cairo)) cairo_move_to(cairo, p.x, p.y);
    cairo_line_to(cairo, p.x, p.y);
    if (++count % most == 0) {
      cairo_stroke(cairo);
      cairo_move_to(cairo, p.x, p.y);
    }
  }
  cairo_stroke(cairo);
  cairo_restore(cairo);
}

void Canvas::text(Point origin, const std::string& text, const TextStyle& style) {
  const Layout layout = make_layout(text, style.size);
  constexpr double smallest = 0.75;
  if (const double width = width_of(layout.get()); width > style.room) {
    set_font(layout.get(), style.size * std::max(smallest, style.room / width));
    pango_layout_set_width(layout.get(), static_cast<int>(style.room * PANGO_SCALE));
    pango_layout_set_ellipsize(layout.get(), PANGO_ELLIPSIZE_END);
  }
  cairo_t* const cairo = cairo_.get();
  cairo_save(cairo);
  set_colour(cairo, style.colour);
  cairo_translate(cairo, std::floor(origin.x), std::floor(origin.y));
  if (style.vertical) cairo_rotate(cairo, -std::numbers::pi / 2);
  cairo_move_to(cairo, -std::round(width_of(layout.get()) * static_cast<int>(style.align) / 2),
      -static_cast<double>(pango_layout_get_baseline(layout.get())) / PANGO_SCALE);
  pango_cairo_show_layout(cairo, layout.get());
  cairo_restore(cairo);
}

// Less tightly than Cairo does it, and in a quarter of the time: runs wait for pictures.
std::string Canvas::png() const {
  cairo_surface_t* const surface = cairo_get_target(cairo_.get());
  cairo_surface_flush(surface);
  if (const cairo_status_t status = cairo_status(cairo_.get()))
    throw std::runtime_error(cairo_status_to_string(status));
  const auto width = static_cast<unsigned>(cairo_image_surface_get_width(surface)),
             height = static_cast<unsigned>(cairo_image_surface_get_height(surface));
  std::string rgb;
  rgb.reserve(std::size_t{3} * width * height);
  const unsigned char* row = cairo_image_surface_get_data(surface);
  for (unsigned j = 0; j < height; ++j, row += cairo_image_surface_get_stride(surface))
    for (unsigned i = 0; i < width; ++i) {
      const std::uint32_t word = reinterpret_cast<const std::uint32_t*>(row)[i];
      for (int shift = 16; shift >= 0; shift -= 8) rgb += static_cast<char>(word >> shift & 0xff);
    }
  png_image image{};
  image.version = PNG_IMAGE_VERSION, image.width = width, image.height = height;
  image.format = PNG_FORMAT_RGB, image.flags = PNG_IMAGE_FLAG_FAST;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, rgb.data(), 0, nullptr))
    throw std::runtime_error(image.message);
  bytes.resize(size);
  return bytes;
}

void Canvas::write_png(const std::filesystem::path& path, const Notes& notes) const {
  const std::string wrong = cereus::replace_file(path, with_notes(png(), notes));
  if (!wrong.empty()) throw std::runtime_error("cannot write picture '" + path.string() + "': " + wrong);
}

double text_width(const std::string& text, double size) { return width_of(make_layout(text, size).get()); }

}  // namespace IOImage
