// Wrong texts, each with its message to the letter: wrong.txt. All mistakes of a text are said at once.
#include "equations/print.hpp"
#include "equations/thorn.hpp"
#include "unit/wrong_texts.hpp"

namespace cereus::equations {
namespace {
std::string message_of(const std::string& text) {
  try {
    const auto thorn = read_thorn({"T.edl"}, text);
    print_kernels(thorn->program), print_thorn(thorn->program);
    return "";
  } catch (const Error& e) { return std::string(e.what()) + "\n"; }
}
}  // namespace

TEST(Messages, AreThoseOfTheList) { check_wrong_texts("tests/unit/equations/wrong.txt", 60, message_of); }

// A large kernel is not arranged where its text is wrong.
TEST(Messages, ALargeTextWithoutOperators) {
  std::string text = read_source("thorns/BSSN/equations.edl");
  const std::size_t at = text.find("\noperators ");
  text.erase(at, text.find('\n', at + 1) - at);
  EXPECT_NE(message_of(text).find("no upwinded operator is chosen"), std::string::npos);
}

// Tokens dropped, doubled, exchanged: a message, or a thorn; never anything else.
TEST(Messages, NoTextBreaksTheReader) {
  for (const std::string& file : {std::string("thorns/BSSN/equations.edl"), std::string("thorns/Wave/equations.edl"),
           std::string("thorns/Maxwell/equations.edl")}) {
    const std::string text = read_source(file);
    const auto tokens = read_tokens(Source({"T.edl"}, text));
    std::mt19937 engine(1);
    for (int n = 0; n < (file.find("BSSN") != file.npos ? 12 : 400); ++n) message_of(mutant_of(text, tokens, engine));
  }
}
}  // namespace cereus::equations
