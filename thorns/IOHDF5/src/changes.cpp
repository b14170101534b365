#include "changes.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cereus/file.hpp>
#include <cereus/hash.hpp>

#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

#include "disk.hpp"

namespace IOHDF5 {
namespace {
constexpr std::string_view magic = "cereus changes 1\n";  // 1: the version

std::string head_of(std::string_view text) { return std::string(magic) + cereus::hash_of(text); }

std::string system_reason() { return std::strerror(errno); }

std::string to_disk(int file) { return sync(file) ? "" : system_reason(); }

// The length, then of each change its place, its length and its bytes. In the file magic and a checksum come first.
std::string listed(const std::vector<Change>& changes, std::uint64_t length) {
  std::string text;
  const auto number = [&](std::uint64_t n) { text.append(reinterpret_cast<const char*>(&n), sizeof n); };
  number(length);
  for (const Change& c : changes) number(c.at), number(c.bytes.size()), text.append(c.bytes.data(), c.bytes.size());
  return text;
}

// What was listed, if the file has all of it and nothing else.
std::optional<std::string_view> whole(std::string_view file) {
  const std::size_t head = head_of({}).size();
  if (file.size() < head || !file.starts_with(head_of(file.substr(head)))) return {};
  return file.substr(head);
}

std::string folder_to_disk(const std::filesystem::path& file) {  // the names in it
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return system_reason();
  const std::string wrong = to_disk(opened);
  ::close(opened);
  return wrong;
}

std::string save(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path partial = path.string() + ".tmp";
  const int file = ::open(partial.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return system_reason();
  const std::string head = head_of(text);
  std::string wrong;
  if (!write_all(file, head, 0) || !write_all(file, text, head.size())) wrong = system_reason();
  if (wrong.empty()) wrong = to_disk(file);
  ::close(file);
  std::error_code error;
  if (wrong.empty()) std::filesystem::rename(partial, path, error);
  if (error) wrong = error.message();
  if (!wrong.empty()) std::filesystem::remove(partial, error);
  return wrong.empty() ? folder_to_disk(path) : wrong;
}

std::string make(int file, std::string_view text) {
  const auto number = [&] {
    std::uint64_t n = 0;
    std::memcpy(&n, text.data(), sizeof n);
    return text.remove_prefix(sizeof n), n;
  };
  const std::uint64_t length = number();
  while (!text.empty()) {
    const std::uint64_t at = number(), bytes = number();
    if (!write_all(file, text.substr(0, bytes), at)) return system_reason();
    text.remove_prefix(bytes);
  }
  return ::ftruncate(file, static_cast<off_t>(length)) != 0 ? system_reason() : to_disk(file);
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
  const std::filesystem::path changes = changes_of(name);
  std::error_code ignored;
  if (!std::filesystem::exists(changes, ignored)) return "";
  const auto content = cereus::content_of(changes, std::numeric_limits<std::size_t>::max());
  const auto text = content ? whole(*content) : std::nullopt;
  if (!text)
    return changes.string() + " is not whole; remove it if " + name.filename().string() +
           " can be read, else move both away";
  const int file = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return system_reason();
  const std::string wrong = make(file, *text);
  ::close(file);
  if (wrong.empty()) std::filesystem::remove(changes, ignored);
  return wrong;
}
}  // namespace IOHDF5
