#include <cereus/error.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace cereus {

std::string to_string(const Where& where) {
  std::string text = where.file;
  if (where.line > 0) text += ":" + std::to_string(where.line);
  if (where.line > 0 && where.column > 0) text += ":" + std::to_string(where.column);
  return text;
}

std::string Problem::text() const {
  const std::string place = to_string(where);
  return place.empty() ? message : place + ": " + message;
}

Error::Error(const Where& where, const std::string& message) : std::runtime_error(Problem{where, message}.text()) {}

Failure::Failure(const Where& where, const std::string& message) : std::runtime_error(Problem{where, message}.text()) {}

std::vector<Problem> Problems::list() const {
  std::map<std::string, std::size_t> rank;
  for (const Problem& p : found_) rank.emplace(p.where.file, p.where.file.empty() ? found_.size() : rank.size());
  const auto place = [&](const Problem& p) { return std::tuple(rank.at(p.where.file), p.where.line, p.where.column); };
  std::vector<Problem> sorted = found_;
  std::stable_sort(
      sorted.begin(), sorted.end(), [&](const Problem& a, const Problem& b) { return place(a) < place(b); });
  std::vector<Problem> unique;
  std::set<std::string> seen;
  for (Problem& p : sorted)
    if (seen.insert(p.text()).second) unique.push_back(std::move(p));
  return unique;
}

void Problems::throw_if_any() const {
  if (empty()) return;
  std::string all;
  for (const Problem& p : list()) all += (all.empty() ? "" : "\n") + p.text();
  throw Error(all);
}

}  // namespace cereus
