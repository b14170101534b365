// From numbers to colours: maps for fields, and a palette for lines that colour-blind readers can tell apart.
#pragma once

#include "canvas.hpp"

namespace IOImage {

enum class ColourMap {
  sequential,  // dark violet over green to yellow, lightness grows evenly
  diverging,   // blue, white, red: for signed data, with zero in the middle
};

// What is not a number (or infinite) must be seen at once: a grey that no map contains.
inline constexpr Colour nan_colour{140, 140, 140};

// `fraction` runs from zero to one; what lies outside is clamped.
Colour colour_of(ColourMap map, double fraction);

// Colours of Okabe and Ito, the yellow left out because it vanishes on white; repeats after seven.
Colour line_colour(std::size_t index);

}  // namespace IOImage
