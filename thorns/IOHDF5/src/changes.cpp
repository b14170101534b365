#include "changes.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cereus/file.hpp>

#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>
#include <system_error>

namespace IOHDF5 {
namespace {
std::string reason() { return std::strerror(errno); }

std::string put(int file, std::string_view bytes, std::uint64_t at) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return reason();
    bytes.remove_prefix(static_cast<std::size_t>(n)), at += static_cast<std::uint64_t>(n);
  }
  return "";
}

std::string to_disk(int file) { return ::fsync(file) != 0 && errno != EINVAL && errno != EROFS ? reason() : ""; }

// The length, then of each change its place, its length and its bytes.
std::string listed(const std::vector<Change>& changes, std::uint64_t length) {
  std::string text;
  const auto number = [&](std::uint64_t n) { text.append(reinterpret_cast<const char*>(&n), sizeof n); };
  number(length);
  for (const Change& c : changes) number(c.at), number(c.bytes.size()), text.append(c.bytes.data(), c.bytes.size());
  return text;
}

std::string save(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path partial = path.string() + ".tmp";
  const int file = ::open(partial.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return reason();
  std::string wrong = put(file, text, 0);
  if (wrong.empty()) wrong = to_disk(file);
  ::close(file);
  std::error_code error;
  if (wrong.empty()) std::filesystem::rename(partial, path, error);
  if (error) wrong = error.message();
  if (!wrong.empty()) std::filesystem::remove(partial, error);
  return wrong;
}

std::string make(int file, std::string_view text) {
  const auto number = [&] {
    std::uint64_t n = 0;
    std::memcpy(&n, text.data(), sizeof n);
    return text.remove_prefix(sizeof n), n;
  };
  std::string wrong;
  const std::uint64_t length = number();
  while (wrong.empty() && !text.empty()) {
    const std::uint64_t at = number(), bytes = number();
    wrong = put(file, text.substr(0, bytes), at);
    text.remove_prefix(bytes);
  }
  if (wrong.empty() && ::ftruncate(file, static_cast<off_t>(length)) != 0) wrong = reason();
  return wrong.empty() ? to_disk(file) : wrong;
}
}  // namespace

std::filesystem::path changes_of(const std::filesystem::path& file) { return file.string() + ".changes"; }

std::string change(
    int file, const std::filesystem::path& name, const std::vector<Change>& changes, std::uint64_t length) {
  const std::string text = listed(changes, length);
  std::string wrong = to_disk(file);  // what is new, before something refers to it
  if (wrong.empty()) wrong = save(changes_of(name), text);
  if (wrong.empty()) wrong = make(file, text);
  std::error_code ignored;
  if (wrong.empty()) std::filesystem::remove(changes_of(name), ignored);
  return wrong;
}

std::string mend(const std::filesystem::path& name) {
  const auto text = cereus::content_of(changes_of(name), std::numeric_limits<std::size_t>::max());
  if (!text) return "";
  const int file = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return reason();
  const std::string wrong = make(file, *text);
  ::close(file);
  std::error_code ignored;
  if (wrong.empty()) std::filesystem::remove(changes_of(name), ignored);
  return wrong;
}
}  // namespace IOHDF5
