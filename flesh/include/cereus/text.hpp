// Small helpers for text that people read: near words, lists, patterns, numbers with units.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cereus {

/// The candidate most like `word` (Damerau–Levenshtein; a difference in case counts little), or "" if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// `; did you mean 'x'?`, or "" if nothing is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

std::string join(const std::vector<std::string>& list, std::string_view separator);

/// Does the whole text match a pattern with * (any text) and ? (any one character)?
bool glob_match(std::string_view pattern, std::string_view text);

/// Does the whole text match a regular expression (of ECMAScript)? std::regex_error if that is none.
bool matches(const std::string& text, const std::string& expression);

/// The text with all that matches replaced; in `by`, $1 is what the first brackets took.
std::string replaced(const std::string& text, const std::string& expression, const std::string& by);

/// Letters, digits and underscores, beginning with a letter: what thorns, parameters and variables are called.
bool is_name(std::string_view text);

/// With control characters as '?': what strangers wrote does nothing to a terminal.
std::string printable(std::string_view text);

/// How a group's struct is written: "WaveToy::State" for typeid(WaveToy::State<int>).name(), which names the group.
std::string name_of_struct(const std::string& key);

std::string format_bytes(double bytes);      ///< 1536 → "1.5 KiB"
std::string format_seconds(double seconds);  ///< 0.0123 → "12.3 ms", 3720 → "1 h 02 min"
std::string format_double(double x);         ///< the shortest text that reads back to the same double

}  // namespace cereus
