// A text file that grows: lines are appended and belong to the system before the call returns, so that a run can be
// watched, and one that crashes loses none; a power cut may cost lines.
#pragma once
#include <filesystem>
#include <string>
namespace cereus {
// The header goes first into a new file. Throws Failure where the file cannot be written.
void append_lines(const std::filesystem::path&, const std::string& header, const std::string& lines);
std::string all_digits(double);  // 17 significant ones: reads back to the same double
}  // namespace cereus
