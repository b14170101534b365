// A machine without compilers, to be loaded before the C library: the path NO_FILE is not there.
#include <dlfcn.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <string>

extern "C" int stat(const char* path, struct stat* found) noexcept {
  static auto* const real = reinterpret_cast<int (*)(const char*, struct stat*)>(dlsym(RTLD_NEXT, "stat"));
  if (const char* hidden = std::getenv("NO_FILE"); hidden && std::string(path) == hidden) return errno = ENOENT, -1;
  return real(path, found);
}
