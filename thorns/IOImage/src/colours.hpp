// From numbers to colours: palettes for fields, and colours for lines that colour-blind readers can tell apart.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "canvas.hpp"

namespace IOImage {

// What is not a number (or infinite) must be seen at once: a grey that no palette contains.
inline constexpr Colour nan_colour{140, 140, 140};
inline constexpr Colour solid_colour{180, 180, 180};

class Palette {
 public:
  // Anchors at equal distances, with a smooth curve through them.
  Palette(std::span<const Colour> anchors, bool diverging);
  // viridis, magma, inferno, plasma, cividis: lightness grows evenly; bluered, coolwarm: for signed data, palest in the
  // middle. `sequential` is viridis, `diverging` bluered. Throws std::runtime_error for any other name.
  static const Palette& named(const std::string& name);

  // `fraction` runs from zero to one; what lies outside is clamped.
  Colour at(double fraction) const;
  bool diverging() const { return diverging_; }

 private:
  std::vector<Colour> colours_;
  bool diverging_;
};

// Colours of Okabe and Ito, the yellow left out because it vanishes on white; repeats after seven.
Colour line_colour(std::size_t index);

}  // namespace IOImage
