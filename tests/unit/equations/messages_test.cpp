// Wrong texts, each with its message to the letter: wrong.txt. All mistakes of a text are said at once.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "equations/print.hpp"
#include "equations/thorn.hpp"

namespace cereus::equations {
namespace {
std::string folder() { return std::string(std::getenv("CEREUS_SOURCE")) + "/tests/unit/equations/"; }
std::string read(const std::string& name) {
  std::ifstream in(folder() + name);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}
std::string message_of(const std::string& text) {
  try {
    const auto thorn = read_thorn({"T.edl"}, text);
    print_kernels(thorn->program), print_thorn(thorn->program);
    return "";
  } catch (const Error& e) { return std::string(e.what()) + "\n"; }
}
std::vector<std::string> split(const std::string& text, const std::string& at) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(at, begin)) != std::string::npos; begin = end + at.size())
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}
}  // namespace

// wrong.txt: a text that is right; then cases, each with lines of it, what stands there instead, and the message.
TEST(Messages, AreThoseOfTheList) {
  const auto cases = split(read("wrong.txt"), "=====\n");
  ASSERT_GT(cases.size(), 60u);
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

// Tokens dropped, doubled, exchanged: a message, or a thorn; never anything else.
TEST(Messages, NoTextBreaksTheReader) {
  for (const std::string& file : {std::string("../../../thorns/BSSN/equations.edl"),
           std::string("../../../thorns/Wave/equations.edl"), std::string("../../../thorns/Maxwell/equations.edl")}) {
    const std::string text = read(file);
    const auto tokens = read_tokens(Source({"T.edl"}, text));
    std::mt19937 engine(1);
    for (int n = 0; n < (file.find("BSSN") != file.npos ? 12 : 400); ++n) {
      const auto pick = [&] { return tokens[engine() % (tokens.size() - 1)].span; };
      Span a = pick(), b = pick();
      if (a.begin > b.begin) std::swap(a, b);
      const auto of = [&](Span s) { return text.substr(s.begin, s.end - s.begin); };
      std::string mutant = text;
      switch (engine() % 4) {
        case 0: mutant.erase(a.begin, a.end - a.begin); break;
        case 1: mutant.insert(a.begin, of(b) + " "); break;
        case 2: mutant.replace(b.begin, b.end - b.begin, of(a)); break;
        default: mutant.resize(a.begin);
      }
      message_of(mutant);
    }
  }
}
}  // namespace cereus::equations
