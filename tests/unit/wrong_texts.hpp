// A list of wrong texts: a text that is right; then cases, each with lines of it, what stands there instead, and the
// message to the letter.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

namespace cereus {
inline std::string read_source(const std::string& name) {
  std::ifstream in(std::string(std::getenv("CEREUS_SOURCE")) + "/" + name);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}
inline std::vector<std::string> split(const std::string& text, const std::string& at) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(at, begin)) != std::string::npos; begin = end + at.size())
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}
// `message_of` a text: "" if it is right.
inline void check_wrong_texts(
    const std::string& list, std::size_t least, const std::function<std::string(const std::string&)>& message_of) {
  const auto cases = split(read_source(list), "=====\n");
  ASSERT_GT(cases.size(), least);
  const std::string& right = cases[0];
  EXPECT_EQ(message_of(right), "");
  for (std::size_t n = 1; n < cases.size(); ++n) {
    const auto parts = split(cases[n], "-----\n");  // what is replaced, by what, the message
    ASSERT_EQ(parts.size(), 3u) << cases[n];
    const std::string old = parts[0].substr(0, parts[0].size() - 1), with = parts[1].substr(0, parts[1].size() - 1);
    const std::size_t at = right.find(old);
    ASSERT_NE(at, std::string::npos) << old;
    std::string text = right;
    text.replace(at, old.size(), with);
    EXPECT_EQ(message_of(text), parts[2]) << "after\n" << with;
  }
}
// A text with a token dropped, doubled or exchanged, or cut off before one.
template <class Token>
std::string mutant_of(const std::string& text, const std::vector<Token>& tokens, std::mt19937& engine) {
  const auto pick = [&] { return tokens[engine() % (tokens.size() - 1)].span; };
  auto a = pick(), b = pick();
  if (a.begin > b.begin) std::swap(a, b);
  const auto of = [&](auto s) { return text.substr(s.begin, s.end - s.begin); };
  switch (std::string mutant = text; engine() % 4) {
    case 0: return mutant.erase(a.begin, a.end - a.begin);
    case 1: return mutant.insert(a.begin, of(b) + " ");
    case 2: return mutant.replace(b.begin, b.end - b.begin, of(a));
    default: return mutant.substr(0, a.begin);
  }
}
}  // namespace cereus
