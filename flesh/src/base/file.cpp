#include "cereus/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace cereus {
std::optional<std::string> content_of(const std::filesystem::path& path, std::size_t most) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return {};
  struct stat facts {};
  std::optional<std::string> text;
  if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && static_cast<std::size_t>(facts.st_size) <= most) {
    text.emplace(static_cast<std::size_t>(facts.st_size), '\0');
    std::size_t got = 0;
    for (ssize_t n = 1; got < text->size() && n > 0; got += n > 0 ? static_cast<std::size_t>(n) : 0)
      n = pread(file, text->data() + got, text->size() - got, static_cast<off_t>(got));
    text->resize(got);
  }
  close(file);
  return text;
}

namespace {
// Else a power cut after the renaming leaves a file of length 0.
std::string bring_to_disk(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::strerror(errno);
  // Some file systems cannot, and say so by EINVAL.
  const std::string wrong = fsync(file) == 0 || errno == EINVAL ? "" : std::strerror(errno);
  close(file);
  return wrong;
}
}  // namespace

std::string replace_file(const std::filesystem::path& path, const std::string& bytes) {
  const std::filesystem::path partial = path.string() + ".tmp";
  std::string wrong;
  errno = 0;
  std::ofstream file(partial, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) wrong = std::strerror(errno ? errno : EIO);
  if (wrong.empty()) wrong = bring_to_disk(partial);
  std::error_code error;
  if (wrong.empty()) std::filesystem::rename(partial, path, error);
  if (error) wrong = error.message();
  if (!wrong.empty()) std::filesystem::remove(partial, error);
  return wrong;
}
}  // namespace cereus
