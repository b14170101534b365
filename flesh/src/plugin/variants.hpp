// Loops of a thorn lie in a library apart for each dimension and scalar type, beside NAME.so (cereus/kernel_loops.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cereus {
struct Plugin;

/// "d3f64": three dimensions, double.
std::string variant_name(int dim, bool single);

/// Whether a file is such a library: NAME.d3f64.so.
bool is_variant(const std::filesystem::path& file);

/// Builds these thorns' libraries of loops, all in one go, as build_libraries() does.
void prepare_variants(const std::vector<const Plugin*>& thorns, int dim, bool single);

}  // namespace cereus
