// A recursive-descent parser that computes while it reads; its depth and the text's length are limited.
#include "expression.hpp"

#include <cereus/error.hpp>
#include <cereus/text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace cereus {
namespace {

constexpr std::size_t longest_text = 4096;
constexpr int deepest_nesting = 200;

using Arguments = std::vector<double>;
struct Function {
  const char* name;
  std::size_t fewest, most;  // arguments
  double (*call)(const Arguments&);
};

constexpr std::size_t many = longest_text;
const Function functions[] = {
    {"sqrt", 1, 1, [](const Arguments& a) { return std::sqrt(a[0]); }},
    {"sin", 1, 1, [](const Arguments& a) { return std::sin(a[0]); }},
    {"cos", 1, 1, [](const Arguments& a) { return std::cos(a[0]); }},
    {"tan", 1, 1, [](const Arguments& a) { return std::tan(a[0]); }},
    {"asin", 1, 1, [](const Arguments& a) { return std::asin(a[0]); }},
    {"acos", 1, 1, [](const Arguments& a) { return std::acos(a[0]); }},
    {"atan", 1, 1, [](const Arguments& a) { return std::atan(a[0]); }},
    {"atan2", 2, 2, [](const Arguments& a) { return std::atan2(a[0], a[1]); }},
    {"exp", 1, 1, [](const Arguments& a) { return std::exp(a[0]); }},
    {"log", 1, 1, [](const Arguments& a) { return std::log(a[0]); }},
    {"log10", 1, 1, [](const Arguments& a) { return std::log10(a[0]); }},
    {"abs", 1, 1, [](const Arguments& a) { return std::abs(a[0]); }},
    {"min", 2, many, [](const Arguments& a) { return *std::min_element(a.begin(), a.end()); }},
    {"max", 2, many, [](const Arguments& a) { return *std::max_element(a.begin(), a.end()); }},
    {"floor", 1, 1, [](const Arguments& a) { return std::floor(a[0]); }},
    {"ceil", 1, 1, [](const Arguments& a) { return std::ceil(a[0]); }},
    {"pow", 2, 2, [](const Arguments& a) { return std::pow(a[0], a[1]); }},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  double whole() {
    const double value = sum();
    if (!at_end()) fail(at_, peek() == ')' ? "')' without '('" : "an operator is missing before " + shown());
    return value;
  }

 private:
  double sum() {
    double value = product();
    for (;;) {
      const std::size_t start = at_;
      if (accept('+')) value = finite(value + product(), start);
      else if (accept('-')) value = finite(value - product(), start);
      else return value;
    }
  }

  double product() {
    double value = signed_power();
    for (;;) {
      skip_blanks();
      const std::size_t start = at_;
      if (accept('*')) {
        value = finite(value * signed_power(), start);
      } else if (accept('/')) {
        const double divisor = signed_power();
        if (divisor == 0) fail(start, "division by zero");
        value = finite(value / divisor, start);
      } else {
        return value;
      }
    }
  }

  double signed_power() {
    const Nesting nesting(*this);
    if (accept('-')) return -signed_power();
    if (accept('+')) return signed_power();
    const double base = atom();
    skip_blanks();
    const std::size_t start = at_;
    if (!accept('^') && !accept("**")) return base;
    return finite(std::pow(base, signed_power()), start);
  }

  double atom() {
    if (at_end()) fail(at_, "the expression ends where a number is expected");
    if (accept('(')) {
      const double value = sum();
      close();
      return value;
    }
    if (is_digit(peek()) || peek() == '.') return number();
    if (is_word(peek())) return name();
    fail(at_, "a number is expected, not " + shown());
  }

  double number() {
    const std::size_t start = at_;
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail(start, "a number too large or too small for double precision");
    if (error != std::errc()) fail(start, "a number is expected, not " + shown());
    at_ = std::size_t(end - text_.data());
    if (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.'))
      fail(at_, "an operator is missing before " + shown());
    return value;
  }

  double name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (word == "pi") return std::numbers::pi;
    if (word == "e") return std::numbers::e;
    const auto* function = std::find_if(std::begin(functions), std::end(functions),
                                        [&](const Function& f) { return f.name == word; });
    if (function == std::end(functions)) fail(start, "unknown name '" + brief(word) + "'" + near(word));
    if (!accept('(')) fail(at_, std::string(word) + " needs its argument in parentheses");
    Arguments arguments{sum()};
    while (accept(',')) arguments.push_back(sum());
    close();
    if (arguments.size() < function->fewest || arguments.size() > function->most)
      fail(start, std::string(word) + " takes " + std::to_string(function->fewest) +
                      (function->most == many ? " or more" : "") + (function->most == 1 ? " argument" : " arguments") +
                      ", not " + std::to_string(arguments.size()));
    return finite(function->call(arguments), start);
  }

  // The depth of the recursion; every cycle of calls passes through signed_power().
  struct Nesting {
    explicit Nesting(Parser& p) : parser(p) {
      if (++parser.depth_ > deepest_nesting) parser.fail(parser.at_, "nested too deeply");
    }
    ~Nesting() { --parser.depth_; }
    Parser& parser;
  };

  void close() {
    if (at_end()) fail(at_, "')' is missing");
    if (!accept(')')) fail(at_, "')' is expected, not " + shown());
  }

  double finite(double value, std::size_t start) const {
    if (std::isnan(value)) fail(start, "the result is not a number");
    if (std::isinf(value)) fail(start, "the result is infinite");
    return value;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (at_end() || text_[at_] != c) return false;
    if (c == '*' && text_.substr(at_, 2) == "**") return false;  // a power, not a product
    ++at_;
    return true;
  }
  bool accept(std::string_view two) {
    if (at_end() || text_.substr(at_, two.size()) != two) return false;
    at_ += two.size();
    return true;
  }

  std::string shown() const {
    const auto c = static_cast<unsigned char>(text_[at_]);
    return c >= 0x20 && c < 0x7f ? "'" + std::string(1, text_[at_]) + "'" : "a character that is not ASCII";
  }
  static std::string brief(std::string_view word) {
    return word.size() <= 40 ? std::string(word) : std::string(word.substr(0, 37)) + "...";
  }
  static std::string near(std::string_view word) {
    std::vector<std::string> names{"pi", "e"};
    for (const Function& f : functions) names.emplace_back(f.name);
    return did_you_mean(word, names);
  }
  [[noreturn]] void fail(std::size_t where, const std::string& message) const {
    throw Error("column " + std::to_string(where + 1) + ": " + message);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

double evaluate(std::string_view text) {
  if (text.size() > longest_text)
    throw Error("column " + std::to_string(longest_text + 1) + ": the expression is too long (at most " +
                std::to_string(longest_text) + " characters)");
  return Parser(text).whole();
}

}  // namespace cereus
