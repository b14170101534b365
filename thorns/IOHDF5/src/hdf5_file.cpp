// Strings are of fixed length and ASCII everywhere: openPMD's validator and kuibit refuse the other kind.
#include "hdf5_file.hpp"

#include <cereus/error.hpp>
#include <limits>

#include "changes.hpp"

namespace IOHDF5 {
namespace {
Handle space_of(const std::vector<hsize_t>& extent) {
  return extent.empty() ? Handle(H5Screate(H5S_SCALAR), H5Sclose)
                        : Handle(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
}
Handle string_type(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, length ? length : 1);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  return type;
}
// The deepest message of HDF5's error stack says what really happened.
std::string reason() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned n, const H5E_error2_t* e, void* to) -> herr_t {
        if (n == 0 && e->desc) *static_cast<std::string*>(to) = e->desc;
        return 0;
      },
      &text);
  return text.empty() ? "HDF5 gives no reason" : "HDF5: " + text;
}
}  // namespace

File::File(std::filesystem::path path, Mode mode) : path_(std::move(path)), written_(path_), mode_(mode) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  if (mode == Mode::append && !std::filesystem::exists(path_)) mode_ = Mode::create;
  std::error_code ignored;
  if (mode_ == Mode::append) fate_.error = mend(path_);
  if (!fate_.error.empty()) fail();
  if (mode_ == Mode::create) written_ += ".tmp", std::filesystem::remove(changes_of(path_), ignored);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  use_safe_driver(access, fate_);
  // V18 allows attributes of any size and marks no file as open; V110 allows virtual datasets.
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110);
  file_ = Handle(mode_ == Mode::create ? H5Fcreate(written_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)
                                       : H5Fopen(written_.c_str(), H5F_ACC_RDWR, access),
      H5Fclose);
  check(file_);
  if (mode_ == Mode::append) fate_.settled = fate_.end;
}

File::~File() {
  if (file_ >= 0 && fate_.error.empty()) fate_.error = "it was not finished";
  file_ = Handle();
  std::error_code ignored;
  if (mode_ == Mode::create) std::filesystem::remove(written_, ignored);  // it is not there any more if all went well
}

void File::fail() const {
  throw cereus::Failure("cannot write " + path_.string() + ": " + (fate_.error.empty() ? reason() : fate_.error));
}

void File::flush() { done(H5Fflush(file_, H5F_SCOPE_LOCAL)); }

void File::finish() {
  flush();
  file_ = Handle();
  if (!fate_.error.empty()) fail();
  if (mode_ == Mode::append) return;
  std::error_code error;
  std::filesystem::rename(written_, path_, error);
  if (error) fate_.error = error.message(), fail();
}

Handle File::group(const std::string& path) {
  if (path == "/") return {check(H5Gopen2(file_, "/", H5P_DEFAULT)), H5Gclose};
  if (exists(path)) return {check(H5Gopen2(file_, path.c_str(), H5P_DEFAULT)), H5Gclose};
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  return {check(H5Gcreate2(file_, path.c_str(), links, H5P_DEFAULT, H5P_DEFAULT)), H5Gclose};
}

bool File::exists(const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {  // HDF5 asks for each parent first
    if (H5Lexists(file_, path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

void File::replace(const std::string& path, const std::string& by) {
  done(H5Ldelete(file_, path.c_str(), H5P_DEFAULT));
  done(H5Lmove(file_, by.c_str(), file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT));
}

void File::link(const std::string& existing, const std::string& path) {
  done(H5Lcreate_hard(file_, existing.c_str(), file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT));
}

Handle File::dataset(const std::string& path, hid_t type, const Shape& shape) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose), creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  if (shape.chunk == 0) {
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  } else {  // what packed() does
    H5Pset_chunk(creation, 1, &shape.chunk);
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, static_cast<unsigned>(shape.level));
    H5Pset_fletcher32(creation);
  }
  return {check(H5Dcreate2(file_, path.c_str(), type, space_of(shape.extent), links, creation, H5P_DEFAULT)), H5Dclose};
}

haddr_t File::place_of_chunk(hid_t dataset, hsize_t first, std::size_t bytes) {
  done(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &first, bytes, fate_.by_others()));
  return fate_.place;
}

void File::write(hid_t dataset, hid_t type, const std::vector<hsize_t>& start, const std::vector<hsize_t>& count,
    const void* data, int stride, int first) {
  hsize_t n = 1;
  for (hsize_t c : count) n *= c;
  const Handle there(check(H5Dget_space(dataset)), H5Sclose), here = space_of({n * static_cast<hsize_t>(stride)});
  if (!start.empty()) done(H5Sselect_hyperslab(there, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
  const auto begin = static_cast<hsize_t>(first), step = static_cast<hsize_t>(stride);
  done(H5Sselect_hyperslab(here, H5S_SELECT_SET, &begin, &step, &n, nullptr));
  done(H5Dwrite(dataset, type, here, there, H5P_DEFAULT, data));
}

Handle File::view(const std::string& path, hid_t type, const std::vector<hsize_t>& extent, const std::string& source,
    hsize_t source_size, const std::vector<Part>& parts) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose), creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  const Handle all = space_of(extent);
  for (const Part& part : parts) {
    const Handle to = space_of(extent), from = space_of({source_size});
    hsize_t n = 1;
    for (hsize_t c : part.count) n *= c;
    done(H5Sselect_hyperslab(to, H5S_SELECT_SET, part.start.data(), nullptr, part.count.data(), nullptr));
    done(H5Sselect_hyperslab(from, H5S_SELECT_SET, &part.source, nullptr, &n, nullptr));
    done(H5Pset_virtual(creation, to, ".", source.c_str(), from));
  }
  if (H5Tget_class(type) == H5T_FLOAT) {  // what no block covers
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    done(H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &nothing));
  }
  return {check(H5Dcreate2(file_, path.c_str(), type, all, links, creation, H5P_DEFAULT)), H5Dclose};
}

void File::text(const std::string& path, const std::string& content) {
  const Handle type = string_type(content.size());
  write(dataset(path, type, {}), type, {}, {}, content.empty() ? "-" : content.data());
}

void File::attribute(hid_t where, const char* name, hid_t type, const std::vector<hsize_t>& extent, const void* data) {
  const Handle a(check(H5Acreate2(where, name, type, space_of(extent), H5P_DEFAULT, H5P_DEFAULT)), H5Aclose);
  done(H5Awrite(a, type, data));
}
void File::attribute(hid_t where, const char* name, const std::string& value) {
  attribute(where, name, string_type(value.size()), {}, value.empty() ? "-" : value.data());
}
void File::attribute(hid_t where, const char* name, const std::vector<std::string>& values) {
  std::string all;
  for (const auto& v : values) all += v;
  attribute(where, name, string_type(values.at(0).size()), {values.size()}, all.data());
}
void File::attribute(hid_t where, const char* name, double value) {
  attribute(where, name, H5T_NATIVE_DOUBLE, {}, &value);
}
void File::attribute(hid_t where, const char* name, std::int32_t value) {
  attribute(where, name, H5T_NATIVE_INT32, {}, &value);
}
void File::attribute(hid_t where, const char* name, const std::vector<double>& values) {
  attribute(where, name, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
}
void File::attribute(hid_t where, const char* name, const std::vector<std::int32_t>& values) {
  attribute(where, name, H5T_NATIVE_INT32, {values.size()}, values.data());
}
}  // namespace IOHDF5
