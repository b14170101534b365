// As much of HDF5 as our files need, with handles that close themselves and errors that are one sentence.
#pragma once

#include <hdf5.h>

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "safe_file.hpp"

namespace IOHDF5 {
class Handle {  // of whatever HDF5 hands out
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& h) noexcept : id_(std::exchange(h.id_, -1)), close_(h.close_) {}
  Handle& operator=(Handle&& h) noexcept {
    std::swap(id_, h.id_), std::swap(close_, h.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// A file that is written. A new one gets its name when it is finished: until then it is called NAME.tmp; destroyed
// before, it leaves nothing. One that is added to changes when it is finished; destroyed before, it stays as it was.
// All throw cereus::Failure.
class File {
 public:
  enum class Mode { create, append };
  File(std::filesystem::path path, Mode mode);
  ~File();
  void flush();   // what HDF5 has of a new one can be seen by others
  void finish();  // once others have filled their places, too

  Handle group(const std::string& path);  // made if missing, its parents too
  bool exists(const std::string& path);
  void replace(const std::string& path, const std::string& by);     // which then has that path
  void link(const std::string& existing, const std::string& path);  // a second name for the same dataset

  struct Shape {
    std::vector<hsize_t> extent;
    hsize_t chunk = 0;  // 0: contiguous, in a place of its own at once; else elements of a chunk of one dimension
    int level = 1;      // of packed()
  };
  Handle dataset(const std::string& path, hid_t type, const Shape& shape);
  haddr_t place_of(hid_t dataset) const { return H5Dget_offset(dataset); }  // of a contiguous one, in bytes
  // Of the chunk that begins with element `first`: others write its bytes, which packed() made, to this place.
  haddr_t place_of_chunk(hid_t dataset, hsize_t first, std::size_t bytes);
  // `count` elements at `start`; from memory where they lie `stride` apart, beginning with number `first`.
  void write(hid_t dataset, hid_t type, const std::vector<hsize_t>& start, const std::vector<hsize_t>& count,
      const void* data, int stride = 1, int first = 0);
  // An array that holds no data of its own: each box of it is a run of elements of a one-dimensional dataset.
  struct Part {
    std::vector<hsize_t> start, count;
    hsize_t source;
  };
  Handle view(const std::string& path, hid_t type, const std::vector<hsize_t>& extent, const std::string& source,
      hsize_t source_size, const std::vector<Part>& parts);

  void text(const std::string& path, const std::string& content);
  void attribute(hid_t where, const char* name, const std::string& value);
  void attribute(hid_t where, const char* name, const std::vector<std::string>& values);  // of equal lengths
  void attribute(hid_t where, const char* name, double value);
  void attribute(hid_t where, const char* name, std::int32_t value);
  void attribute(hid_t where, const char* name, const std::vector<double>& values);
  void attribute(hid_t where, const char* name, const std::vector<std::int32_t>& values);
  void attribute(hid_t where, const char* name, hid_t type, const std::vector<hsize_t>& extent, const void* data);

  [[noreturn]] void fail() const;  // with HDF5's reason, or the system's
  hid_t check(hid_t id) const {
    if (id < 0) fail();
    return id;
  }
  void done(herr_t status) const {
    if (status < 0 || !fate_.error.empty()) fail();
  }

 private:
  Fate fate_;  // before the file: it must be alive when that closes
  std::filesystem::path path_, written_;
  Mode mode_;
  Handle file_;
};
}  // namespace IOHDF5
