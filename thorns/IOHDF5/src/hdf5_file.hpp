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

// A file that is written. A new one gets its name when it is complete: until publish() it is called NAME.tmp; destroyed
// before, it leaves nothing. A file that is added to is changed in place. All throw cereus::Failure.
class File {
 public:
  enum class Mode { create, append };
  File(std::filesystem::path path, Mode mode);
  ~File();
  void close();    // what HDF5 has of it is on the disk
  void publish();  // gives a new one its name, once others have filled their places, too
  void finish() { close(), publish(); }

  Handle group(const std::string& path);  // made if missing, its parents too
  bool exists(const std::string& path);
  void remove(const std::string& path);
  void link(const std::string& existing, const std::string& path);  // a second name for the same dataset

  struct Shape {
    std::vector<hsize_t> extent;
    int compression = 0;  // 0: contiguous, in a place of its own at once; 1…9: compressed in chunks, with a checksum
  };
  Handle dataset(const std::string& path, hid_t type, const Shape& shape);
  haddr_t place_of(hid_t dataset) const { return H5Dget_offset(dataset); }  // of a contiguous one, in bytes
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
