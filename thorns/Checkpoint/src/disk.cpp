#include "disk.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cereus/error.hpp>
#include <cereus/text.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>
namespace Checkpoint {
namespace {
// How much there may be, if that is the reason.
std::string room(int reason, const fs::path& path) {
  std::error_code error;
  rlimit limit{};
  if (reason == EFBIG && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) return "; a file may have at most " + cereus::format_bytes(static_cast<double>(limit.rlim_cur)) + " (ulimit -f)";
  if (const auto space = fs::space(path.parent_path(), error); !error && (reason == ENOSPC || reason == EDQUOT)) return "; " + cereus::format_bytes(static_cast<double>(space.available)) + " are free";
  return "";
}
[[noreturn]] void fail(const char* what, const fs::path& path) {
  const int reason = errno;
  throw cereus::Failure(std::string("cannot ") + what + " " + path.string() + ": " + std::strerror(reason) + room(reason, path));
}
void sync(int file, const fs::path& path) {
  while (fsync(file) != 0)
    if (errno != EINTR) fail("bring to the disk", path);
}
}  // namespace

NewFile::NewFile(const fs::path& path) : path_(path), file_(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) {
  if (file_ < 0) fail("create", path);
}
NewFile::~NewFile() {
  if (file_ >= 0) close(file_);
}
void NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::write(file_, bytes.data(), std::min(bytes.size(), std::size_t{64} << 20));
    if (n < 0 && errno != EINTR) fail("write", path_);
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}
void NewFile::finish() {
  sync(file_, path_);
  const int file = std::exchange(file_, -1);
  if (close(file) != 0) fail("close", path_);
}

void write_file(const fs::path& path, std::string_view bytes) {
  NewFile file(path);
  file.write(bytes);
  file.finish();
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw cereus::Failure("cannot create the folder " + path.string() + ": " + error.message());
}
void sync_folder(const fs::path& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) fail("open", path);
  try {
    sync(folder, path);
  } catch (...) {
    close(folder);
    throw;
  }
  close(folder);
}
void rename_folder(const fs::path& from, const fs::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail("rename", from);
  sync_folder(to.parent_path());
}

std::string read_file(const fs::path& path, std::size_t most) {
  std::error_code error;
  const auto bytes = fs::file_size(path, error);
  if (error) throw cereus::Failure("cannot read " + path.string() + ": " + error.message());
  if (bytes > most) throw cereus::Failure(path.string() + " is larger than it can be");
  std::string text(bytes, '\0');
  std::ifstream in(path, std::ios::binary);
  if (!in.read(text.data(), static_cast<std::streamsize>(bytes))) throw cereus::Failure("cannot read " + path.string());
  return text;
}
}  // namespace Checkpoint
