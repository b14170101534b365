// A disk that fails, or is slow, to be loaded before the C library. Of the calls that open, write, sync or rename
// something whose path contains FAIL_BELOW the FAIL_AT-th returns FAIL_WITH, an errno, or, if that is 0 and it writes,
// writes a part, or, if that is `kill`, ends the process before it does anything; FAIL_COUNT.failed is made when that
// has happened. With SLOW_LOG, a pipe, each such call says itself there, as a line `PROCESS CALL PATH`, and takes
// SLOW_BY microseconds longer. With READ_LOG each process leaves a file READ_LOG.PROCESS with the number of bytes that
// it has read of files below FAIL_BELOW.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {
std::atomic<int> calls{0};
std::atomic<long long> bytes_read{0};
template <class F> F* real(const char* name) { return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name)); }
bool concerns(const std::string& path) {
  const char* below = std::getenv("FAIL_BELOW");
  return below && path.find(below) != std::string::npos;
}
std::string path_of(int file) {
  char path[4096];
  const auto n = readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof path - 1);
  return n > 0 ? std::string(path, static_cast<std::size_t>(n)) : "";
}
bool fails(const char* call, const std::string& path) {
  if (const char* log = std::getenv("SLOW_LOG"), *by = std::getenv("SLOW_BY"); log && by) {
    static auto* const next_open = real<int(const char*, int, ...)>("open");
    static auto* const next_write = real<ssize_t(int, const void*, size_t)>("write");
    static const int pipe = next_open(log, O_WRONLY | O_CLOEXEC);
    const std::string line = std::to_string(getpid()) + " " + call + " " + path + "\n";
    if (pipe >= 0 && next_write(pipe, line.data(), line.size()) > 0) usleep(static_cast<useconds_t>(std::atoi(by)));
  }
  const char *at = std::getenv("FAIL_AT"), *with = std::getenv("FAIL_WITH"), *count = std::getenv("FAIL_COUNT");
  if (!at || !with || ++calls != std::atoi(at)) return false;
  if (count) {
    static auto* const open_file = real<int(const char*, int, ...)>("open");
    const int file = open_file((std::string(count) + ".failed").c_str(), O_CREAT | O_WRONLY, 0644);
    if (file >= 0) close(file);
  }
  if (with == std::string("kill")) raise(SIGKILL);
  errno = std::atoi(with);
  return errno != 0 || std::string(call) == "write";
}
[[gnu::destructor]] void say_what_was_read() {
  if (const char* log = std::getenv("READ_LOG"))
    if (std::FILE* file = std::fopen((std::string(log) + "." + std::to_string(getpid())).c_str(), "w")) {
      std::fprintf(file, "%lld", bytes_read.load());
      std::fclose(file);
    }
}
}  // namespace

extern "C" {
ssize_t pread(int file, void* data, size_t bytes, off_t offset) {
  static auto* const next = real<ssize_t(int, void*, size_t, off_t)>("pread");
  const auto n = next(file, data, bytes, offset);
  if (n > 0 && concerns(path_of(file))) bytes_read += n;
  return n;
}
int open(const char* path, int flags, ...) {
  static auto* const next = real<int(const char*, int, ...)>("open");
  va_list list;
  va_start(list, flags);
  const int mode = flags & O_CREAT ? va_arg(list, int) : 0;
  va_end(list);
  if ((flags & (O_CREAT | O_DIRECTORY)) && concerns(path) && fails("open", path)) return -1;
  return next(path, flags, mode);
}
ssize_t write(int file, const void* data, size_t bytes) {
  static auto* const next = real<ssize_t(int, const void*, size_t)>("write");
  if (const std::string path = path_of(file); concerns(path) && fails("write", path)) {
    if (errno != 0 || bytes < 2) return -1;
    bytes /= 2;
  }
  return next(file, data, bytes);
}
ssize_t pwrite(int file, const void* data, size_t bytes, off_t offset) {
  static auto* const next = real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  if (const std::string path = path_of(file); concerns(path) && fails("write", path)) {
    if (errno != 0 || bytes < 2) return -1;
    bytes /= 2;
  }
  return next(file, data, bytes, offset);
}
int fsync(int file) {
  static auto* const next = real<int(int)>("fsync");
  if (const std::string path = path_of(file) + "/"; concerns(path) && fails("fsync", path)) return -1;
  return next(file);
}
int rename(const char* from, const char* to) {
  static auto* const next = real<int(const char*, const char*)>("rename");
  if (concerns(from) && fails("rename", from)) return -1;
  return next(from, to);
}
int mkdir(const char* path, mode_t mode) {
  static auto* const next = real<int(const char*, mode_t)>("mkdir");
  if (concerns(path) && fails("mkdir", path)) return -1;
  return next(path, mode);
}
}
