// Text helpers: edit distance for "did you mean", glob patterns, numbers as people write them.
#include <cereus/text.hpp>

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <regex>

namespace cereus {
namespace {

constexpr std::size_t longest_word = 64;
constexpr int wrong_case = 1;  // cost of a letter in the wrong case; a whole word of them costs less than one edit
constexpr int edit = 100;      // cost of one insertion, deletion, swap or substitution

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

int substitution(char a, char b) { return a == b ? 0 : lower(a) == lower(b) ? wrong_case : edit; }

int distance(std::string_view a, std::string_view b) {
  using Row = std::array<int, longest_word + 1>;
  Row before{}, previous{}, current{};  // rows i - 2, i - 1, i of the table
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = int(j) * edit;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = int(i) * edit;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] =
          std::min({previous[j] + edit, current[j - 1] + edit, previous[j - 1] + substitution(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        current[j] = std::min(current[j], before[j - 2] + edit);
    }
    before = previous;
    previous = current;
  }
  return previous[b.size()];
}

std::string print(const char* format, double x, const char* unit) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, x, unit);
  return buffer;
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > longest_word) return "";
  // A candidate must cost less than this. A word of one letter that needs an edit is another word.
  int best = std::min(std::max(1, int(word.size()) / 3) * edit + edit / 2, int(word.size()) * edit);
  std::string found;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest_word) continue;
    if (const int d = distance(word, candidate); d < best) {
      best = d;
      found = candidate;
    }
  }
  return found;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

std::string join(const std::vector<std::string>& list, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += separator;
    text += list[i];
  }
  return text;
}

bool glob_match(std::string_view pattern, std::string_view text) {
  // Only the latest star ever needs another try, so the time is at most the product of both lengths.
  std::size_t p = 0, t = 0, star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool matches(const std::string& text, const std::string& expression) {
  return std::regex_match(text, std::regex(expression));
}

std::string replaced(const std::string& text, const std::string& expression, const std::string& by) {
  return std::regex_replace(text, std::regex(expression), by);
}

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const auto c = static_cast<unsigned char>(text[n]);
    const bool upper =
        c == 0xc2 && n + 1 < text.size() && static_cast<unsigned char>(text[n + 1]) < 0xa0;  // U+0080 … U+009F
    out += c < ' ' || c == 0x7f || upper ? '?' : text[n];
    n += upper;
  }
  return out;
}

std::string name_of_struct(const std::string& key) {
  const std::unique_ptr<char, void (*)(void*)> whole(
      abi::__cxa_demangle(key.c_str(), nullptr, nullptr, nullptr), std::free);
  const std::string name = whole ? whole.get() : key;
  return name.ends_with("<int>") ? name.substr(0, name.size() - 5) : name;
}

std::string format_bytes(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (std::abs(bytes) >= 1023.5 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  return print(unit == 0 || std::abs(bytes) >= 99.95 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
}

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds)) return format_double(seconds) + " s";
  if (seconds < 0) return "-" + format_seconds(-seconds);
  if (seconds == 0) return "0 s";
  if (seconds < 1e-6) return print("%.3g %s", seconds * 1e9, "ns");
  if (seconds < 1e-3) return print("%.3g %s", seconds * 1e6, "µs");
  if (seconds < 1) return print("%.3g %s", seconds * 1e3, "ms");
  if (seconds < 59.95) return print("%.3g %s", seconds, "s");
  const bool hours = seconds >= 3570;
  const double small = std::round(hours ? seconds / 60 : seconds), large = std::floor(small / 60);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, hours ? "%.0f h %02.0f min" : "%.0f min %02.0f s", large, small - 60 * large);
  return buffer;
}

std::string format_double(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

}  // namespace cereus
