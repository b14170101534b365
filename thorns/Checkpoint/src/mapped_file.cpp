#include "mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cereus/error.hpp>
#include <cerrno>
#include <cstring>
namespace Checkpoint {
MappedFile::MappedFile(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  bool good = file >= 0 && fstat(file, &about) == 0;
  if (good && about.st_size > 0) {
    size_ = static_cast<std::size_t>(about.st_size);
    void* const place = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    good = place != MAP_FAILED;
    if (good) begin_ = static_cast<const char*>(place);
  }
  const int reason = errno;
  if (file >= 0) close(file);
  if (!good) throw cereus::Failure("cannot read " + path.string() + ": " + std::strerror(reason));
}
MappedFile::~MappedFile() {
  if (begin_) munmap(const_cast<char*>(begin_), size_);
}
}  // namespace Checkpoint
