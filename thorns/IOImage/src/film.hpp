// Films of the pictures in a folder, by the program ffmpeg.
#pragma once

#include <filesystem>

namespace IOImage {

bool has_ffmpeg();
// NAME.mp4 of all NAME.it????????.png, in the order of their names, `rate` pictures a second; for each NAME that has
// two pictures or more. Throws std::runtime_error if ffmpeg fails.
void make_films(const std::filesystem::path& folder, double rate);

}  // namespace IOImage
