#include "ring.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cereus/error.hpp>
#include <cerrno>
#include <cstring>
#include <string>
namespace CaKernel {
std::size_t Ring::page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

Ring::Ring(std::size_t bytes) : bytes_(bytes) {
  const int file = memfd_create("cereus planes", MFD_CLOEXEC);
  bool there = file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0;
  void* const place = there ? mmap(nullptr, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
  there = place != MAP_FAILED;
  for (std::size_t half = 0; half < 2 && there; ++half)
    there = mmap(static_cast<char*>(place) + half * bytes, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                0) != MAP_FAILED;
  const std::string why = std::strerror(errno);
  if (file >= 0) close(file);
  if (there) begin_ = static_cast<char*>(place);
  else if (place != MAP_FAILED) munmap(place, 2 * bytes);
  if (!there)
    throw cereus::Failure("no memory for " + std::to_string(bytes) + " bytes of planes of a time tile: " + why);
}
Ring::~Ring() {
  if (begin_) munmap(begin_, 2 * bytes_);
}
}  // namespace CaKernel
