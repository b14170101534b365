// Text that is safe to hand to a parser.
#pragma once

#include <cereus/error.hpp>

#include <string>

namespace cereus {

/// The content of a file of at most 1 MiB, or "" and a problem.
std::string read_text(const std::string& path, Problems& problems);

/// Says in one clear sentence what would only puzzle a YAML parser: too much text, no text, tabs in the indentation.
void check_text(const std::string& text, const std::string& file, Problems& problems);

}  // namespace cereus
