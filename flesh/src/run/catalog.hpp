// Which thorns and arrangements there are, and what each thorn declares.
#pragma once
#include "cereus/thorn.hpp"
#include "parameter/resolve.hpp"
#include "plugin/load.hpp"
#include "plugin/place.hpp"
namespace cereus {
struct LoadedThorn {
  Plugin plugin;
  ThornRecord record;
  std::function<void(Schedule&, const Parameters&)> schedule{};  // of one without a ThornEntry
};
struct Catalog {
  std::vector<ThornFile> files;  // of thorns
  std::map<std::string, std::filesystem::path> arrangements;
  const ThornFile* find(const std::string& thorn) const;
  std::vector<std::string> thorn_names() const;
};
std::filesystem::path executable_folder();
Catalog make_catalog(const std::vector<std::filesystem::path>& thorn_folders);
LoadedThorn load_and_declare(const ThornFile&);
LoadedThorn declared(const Plugin&);
std::vector<ParameterSpec> flesh_parameters();  // of the block Cereus
}  // namespace cereus
