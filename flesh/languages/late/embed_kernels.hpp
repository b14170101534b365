// What devices compile the kernels of a late thorn from, as C++: what flesh/cmake/embed.cmake writes for all others.
#pragma once
#include <filesystem>
#include <string>
#include <vector>
namespace cereus {
// thorn_source (cereus/embedded.hpp): the text of kernels.hpp and of all headers of ours that it includes. Without a
// text it is empty.
std::string print_thorn_source(const std::string& kernels, const std::vector<std::filesystem::path>& include_folders);
}  // namespace cereus
