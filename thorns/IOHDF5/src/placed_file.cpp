#include "placed_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cereus/error.hpp>
#include <cerrno>
#include <cstring>
#include <utility>

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

void PlacedFile::write(std::uint64_t at, std::string_view bytes) {
  const auto begin = static_cast<off_t>(at), length = static_cast<off_t>(bytes.size());
  while (!bytes.empty()) {
    const auto n = pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (n == 0) errno = ENOSPC;  // no file system does that, and a loop would never end
    if (n == 0 || (n < 0 && errno != EINTR)) fail();
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n)), at += static_cast<std::uint64_t>(n);
  }
  sync_file_range(file_, begin, length, SYNC_FILE_RANGE_WRITE);  // the disk begins while more is copied
}

void PlacedFile::finish() {
  while (fsync(file_) != 0)
    if (errno == EROFS || errno == EINVAL) break;
    else if (errno != EINTR) fail();
  const int file = std::exchange(file_, -1);
  if (close(file) != 0) fail();
}
}  // namespace IOHDF5
