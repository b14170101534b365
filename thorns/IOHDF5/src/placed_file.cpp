#include "placed_file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cereus/error.hpp>
#include <cerrno>
#include <cstring>
#include <utility>

#include "disk.hpp"

namespace IOHDF5 {
PlacedFile::PlacedFile(std::filesystem::path written, std::filesystem::path name)
    : name_(std::move(name)),
      file_(open(written.c_str(), O_WRONLY | O_CLOEXEC)) {}
PlacedFile::~PlacedFile() {
  if (file_ >= 0) close(file_);
}
void PlacedFile::fail() const { throw cereus::Failure("cannot write " + name_.string() + ": " + std::strerror(errno)); }

bool PlacedFile::there(std::uint64_t bytes) const {
  return file_ >= 0 && lseek(file_, 0, SEEK_END) == static_cast<off_t>(bytes);
}

bool PlacedFile::on_nfs() const {
  struct statfs system {};
  return file_ >= 0 && fstatfs(file_, &system) == 0 && system.f_type == NFS_SUPER_MAGIC;
}

void PlacedFile::write(std::uint64_t at, std::string_view bytes) {
  if (!write_all(file_, bytes, at)) fail();
  // The disk begins while more is copied.
  sync_file_range(file_, static_cast<off_t>(at), static_cast<off_t>(bytes.size()), SYNC_FILE_RANGE_WRITE);
}

void PlacedFile::finish() {
  if (!sync(file_)) fail();
  const int file = std::exchange(file_, -1);
  if (close(file) != 0) fail();
}
}  // namespace IOHDF5
