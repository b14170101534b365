#include "disk.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cereus/error.hpp>
#include <cereus/memory.hpp>
#include <cereus/text.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
namespace Checkpoint {
namespace {
// How much there may be, if that is the reason.
std::string room(int reason, const fs::path& path) {
  std::error_code error;
  rlimit limit{};
  if (reason == EFBIG && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    return "; a file may have at most " + cereus::format_bytes(static_cast<double>(limit.rlim_cur)) + " (ulimit -f)";
  if (const auto space = fs::space(path.parent_path(), error); !error && (reason == ENOSPC || reason == EDQUOT))
    return "; " + cereus::format_bytes(static_cast<double>(space.available)) + " are free";
  return "";
}
[[noreturn]] void fail(const char* what, const fs::path& path) {
  const int reason = errno;
  throw cereus::Failure(
      std::string("cannot ") + what + " " + path.string() + ": " + std::strerror(reason) + room(reason, path));
}
void sync(int file, const fs::path& path) {
  while (fsync(file) != 0)
    if (errno != EINTR) fail("bring to the disk", path);
}
}  // namespace

NewFile::NewFile(const fs::path& path)
    : path_(path),
      file_(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) {
  if (file_ < 0) fail("create", path);
  direct(true);
}
void NewFile::direct(bool wanted) {
  const int now = fcntl(file_, F_GETFL);
  direct_ = fcntl(file_, F_SETFL, wanted ? now | O_DIRECT : now & ~O_DIRECT) == 0 && wanted;
}
NewFile::~NewFile() {
  if (file_ >= 0) close(file_);
}
void NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    if (direct_ && (reinterpret_cast<std::uintptr_t>(bytes.data()) | bytes.size()) % cereus::memory_page) direct(false);
    const auto n = ::write(file_, bytes.data(), std::min(bytes.size(), std::size_t{64} << 20));
    if (n < 0 && errno == EINVAL && direct_) direct(false);
    else if (n < 0 && errno != EINTR) fail("write", path_);
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}
void NewFile::finish() {
  sync(file_, path_);
  const int file = std::exchange(file_, -1);
  if (close(file) != 0) fail("close", path_);
}

OldFile::OldFile(const fs::path& path) : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  const off_t end = file_ < 0 ? -1 : lseek(file_, 0, SEEK_END);
  if (end < 0) fail("read", path);
  size_ = static_cast<std::uint64_t>(end);
}
OldFile::~OldFile() { close(file_); }
std::string_view OldFile::read(std::uint64_t offset, std::uint64_t bytes) {
  if (bytes > room_) buffer_.reset(new char[bytes]), room_ = bytes;
  for (std::uint64_t done = 0; done < bytes;) {
    const auto n = pread(file_, buffer_.get() + done, std::min<std::uint64_t>(bytes - done, 64 << 20),
        static_cast<off_t>(offset + done));
    if (n < 0 && errno != EINTR) fail("read", path_);
    if (n == 0) throw cereus::Failure(path_.string() + " ends too early");
    if (n > 0) done += static_cast<std::uint64_t>(n);
  }
  return {buffer_.get(), bytes};
}

void write_file(const fs::path& path, std::string_view bytes) {
  NewFile file(path);
  file.write(bytes);
  file.finish();
}

void sync_existing(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail("open", path);
  try {
    sync(file, path);
  } catch (...) {
    close(file);
    throw;
  }
  close(file);
}
void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw cereus::Failure("cannot create the folder " + path.string() + ": " + error.message());
}
void rename_folder(const fs::path& from, const fs::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail("rename", from);
  sync_existing(to.parent_path());
}

std::string read_file(const fs::path& path, std::size_t most) {
  OldFile file(path);
  if (file.size() > most) throw cereus::Failure(path.string() + " is larger than it can be");
  return std::string(file.read(0, file.size()));
}
}  // namespace Checkpoint
