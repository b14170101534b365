#include "store.hpp"

#include <algorithm>
#include <cereus/hash.hpp>
#include <charconv>

namespace Checkpoint {
namespace {
constexpr std::size_t largest_text = std::size_t{256} << 20, at_once = std::size_t{16} << 20;  // bytes
constexpr const char *unfinished_mark = ".unfinished", *replaced_mark = ".replaced";
int number_of(const std::string& name) {  // −1: not the name of a checkpoint
  int n = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), n);
  return error == std::errc() && end == name.data() + name.size() ? n : -1;
}
}  // namespace

fs::path Store::path_of(int iteration) const {
  const std::string digits = std::to_string(iteration);
  return folder_ / (std::string(digits.size() < 8 ? 8 - digits.size() : 0, '0') + digits);
}
fs::path Store::unfinished(int iteration) const { return path_of(iteration).string() + unfinished_mark; }

std::vector<int> Store::iterations() const {
  std::vector<int> list;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error))
    if (const int n = number_of(entry.path().filename().string()); n >= 0) list.push_back(n);
  std::ranges::sort(list, std::greater{});
  return list;
}

void Store::begin(int iteration) const {
  give_up(iteration);
  make_folder(unfinished(iteration));
}
void Store::add(int iteration, int process, Image& image) const {
  const fs::path folder = unfinished(iteration);
  NewFile data(folder / data_name(process));
  std::uint64_t written = 0;
  for (Piece& p : image.pieces) {
    p.hash = hash_of({image.data.get() + p.offset, p.bytes});
    const std::uint64_t end = p.offset + whole_pages(p.bytes);
    if (end - written < at_once && end < image.bytes) continue;
    data.write({image.data.get() + written, end - written});
    written = end;
  }
  data.finish();
  write_file(folder / list_name(process), text_of(image.pieces));
}
std::string Store::checksum_of_list(int iteration, int process) const {
  return hash_of(read_file(unfinished(iteration) / list_name(process), largest_text));
}
void Store::commit(int iteration, const Manifest& m) const {
  const fs::path folder = unfinished(iteration), output = folder_.parent_path();
  for (const auto& [series, bytes] : m.growing) sync_existing(output / series);
  write_file(folder / manifest_name, text_of(m));
  sync_existing(folder);
  const fs::path replaced = path_of(iteration).string() + replaced_mark;  // of a run that went on from an older one
  std::error_code error;
  fs::remove_all(replaced, error);
  fs::rename(path_of(iteration), replaced, error);
  rename_folder(folder, path_of(iteration));
  sync_existing(output);
}
void Store::give_up(int iteration) const {
  std::error_code error;
  fs::remove_all(unfinished(iteration), error);
}
void Store::prune(int keep, int newest) const {
  auto list = iterations();
  std::error_code error;
  for (; !list.empty() && list.front() > newest; list.erase(list.begin())) fs::remove_all(path_of(list.front()), error);
  for (std::size_t n = static_cast<std::size_t>(keep); n < list.size(); ++n) fs::remove_all(path_of(list[n]), error);
  for (const auto& entry : fs::directory_iterator(folder_, error))
    if (entry.path().extension() == unfinished_mark || entry.path().extension() == replaced_mark)
      fs::remove_all(entry.path(), error);
}

Manifest Store::manifest(int iteration) const {
  return manifest_from(read_file(path_of(iteration) / manifest_name, largest_text));
}
std::string Store::list(int iteration, const Manifest& m, int process) const {
  std::string text = read_file(path_of(iteration) / list_name(process), largest_text);
  if (hash_of(text) != m.lists.at(static_cast<std::size_t>(process)))
    throw Failure(list_name(process) + " differs from its checksum");
  return text;
}

// Pieces lie one behind another, and zeros fill their last pages: each bit of the file belongs to a piece.
Data::Data(const fs::path& path, const std::vector<Piece>& pieces) : name_(path.filename().string()), file_(path) {
  std::uint64_t end = 0;
  for (const Piece& p : pieces) {
    if (p.offset != end || p.bytes > file_.size() || whole_pages(p.bytes) > file_.size() - end)
      throw Failure(name_ + " is shorter than what it should hold");
    end += whole_pages(p.bytes);
  }
  if (end != file_.size()) throw Failure(name_ + " is longer than what it should hold");
}
std::string_view Data::read(const Piece& p) {
  const std::string_view all = file_.read(p.offset, whole_pages(p.bytes));
  if (hash_of(all.substr(0, p.bytes)) != p.hash || all.find_first_not_of('\0', p.bytes) != std::string_view::npos)
    throw Failure(name_ + ": " + p.variable + " differs from its checksum");
  return all.substr(0, p.bytes);
}
}  // namespace Checkpoint
