#include "provenance.hpp"

namespace IOHDF5 {
void write_provenance(File& f, const cereus::Simulation& s, const std::string& group) {
  f.text("/" + group + "/parameters", s.resolved_parameters);
  f.text("/" + group + "/build", s.provenance);
}

namespace {
std::optional<std::string> text_in(hid_t file, const std::string& path) {
  const Handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (set < 0) return {};
  const Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  // One string, or, as Silo writes it, many bytes.
  const auto element = static_cast<hssize_t>(H5Tget_size(type)), n = H5Sget_simple_extent_npoints(space);
  const bool string = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) <= 0 && n == 1;
  const bool bytes = H5Tget_class(type) == H5T_INTEGER && element == 1 && n >= 0;
  constexpr hssize_t most = hssize_t{1} << 24;
  if (!(string || bytes) || element > most || n > most) return {};
  const auto size = static_cast<std::size_t>(element * n);
  std::string text(size, '\0');
  if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return {};
  return text.substr(0, text.find('\0'));
}
}  // namespace

std::optional<cereus::Provenance> provenance_of(const std::filesystem::path& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // what is no file of ours is no error
  if (!std::filesystem::is_regular_file(path) || H5Fis_hdf5(path.c_str()) <= 0) return {};
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file < 0) return {};
  for (const std::string group : {"/provenance", "/Parameters and Global Attributes"}) {
    const auto parameters = text_in(file, group + "/parameters"), build = text_in(file, group + "/build");
    if (parameters && build) return cereus::Provenance{*parameters, *build};
  }
  return {};
}
}  // namespace IOHDF5
