#include "disk.hpp"

#include <unistd.h>

#include <cerrno>

namespace IOHDF5 {
bool write_all(int file, std::string_view bytes, std::uint64_t at) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (n == 0) errno = ENOSPC;  // no file system does that, and a loop would never end
    if (n == 0 || (n < 0 && errno != EINTR)) return false;
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n)), at += static_cast<std::uint64_t>(n);
  }
  return true;
}

bool sync(int file) {
  while (::fsync(file) != 0)
    if (errno != EINTR) return errno == EINVAL || errno == EROFS;
  return true;
}
}  // namespace IOHDF5
