// A recursive-descent parser that writes down what to compute; its depth and the text's length are limited.
#include "expression.hpp"

#include <cereus/error.hpp>
#include <cereus/formula.hpp>
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
constexpr int largest_seed = 1 << 24;  // all up to it are exact in single precision, too
using enum Operation;

struct Function {
  const char* name;
  Operation operation;
  std::size_t fewest, most;  // arguments
};
constexpr std::size_t many = longest_text;
constexpr Function functions[] = {{"sqrt", Operation::sqrt, 1, 1}, {"sin", Operation::sin, 1, 1},
    {"cos", Operation::cos, 1, 1}, {"tan", Operation::tan, 1, 1}, {"asin", Operation::asin, 1, 1},
    {"acos", Operation::acos, 1, 1}, {"atan", Operation::atan, 1, 1}, {"atan2", Operation::atan2, 2, 2},
    {"sinh", Operation::sinh, 1, 1}, {"cosh", Operation::cosh, 1, 1}, {"tanh", Operation::tanh, 1, 1},
    {"erf", Operation::erf, 1, 1}, {"noise", Operation::noise, 1, 1}, {"exp", Operation::exp, 1, 1},
    {"log", Operation::log, 1, 1}, {"log10", Operation::log10, 1, 1}, {"abs", Operation::abs, 1, 1},
    {"min", Operation::min, 2, many}, {"max", Operation::max, 2, many}, {"floor", Operation::floor, 1, 1},
    {"ceil", Operation::ceil, 1, 1}, {"pow", Operation::power, 2, 2}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Parser {
 public:
  Parser(std::string_view text, bool names) : text_(text), names_(names) {}

  Formula whole() {
    choice();
    if (!at_end()) fail(at_, peek() == ')' ? "')' without '('" : "an operator is missing before " + shown());
    return std::move(formula_);
  }

 private:
  void choice() {
    comparison();
    skip_blanks();
    const std::size_t start = at_;
    if (!accept('?')) return;
    choice();
    if (!accept(':')) fail(at_, "':' is missing: C ? A : B is A where C is not 0, else B");
    choice();
    put(choose, start);
  }

  void comparison() {
    sum();
    skip_blanks();
    const std::size_t start = at_;
    const bool less_than = accept('<');
    if (!less_than && !accept('>')) return;
    const bool equal = at_ < text_.size() && text_[at_] == '=' && ++at_;
    sum();
    put(less_than ? equal ? less_equal : less : equal ? greater_equal : greater, start);
  }

  void sum() {
    product();
    for (;;) {
      const std::size_t start = at_;
      if (accept('+')) product(), put(add, start);
      else if (accept('-')) product(), put(subtract, start);
      else return;
    }
  }

  void product() {
    signed_power();
    for (;;) {
      skip_blanks();
      const std::size_t start = at_;
      if (accept('*')) signed_power(), put(multiply, start);
      else if (accept('/')) signed_power(), put(divide, start);
      else return;
    }
  }

  void signed_power() {
    const Nesting nesting(*this);
    skip_blanks();
    const std::size_t sign = at_;
    if (accept('-')) return signed_power(), put(negate, sign);
    if (accept('+')) return signed_power();
    atom();
    skip_blanks();
    const std::size_t start = at_;
    if (!accept('^') && !accept("**")) return;
    signed_power();
    auto& exponent = formula_.steps.back();
    if (exponent.operation != number || exponent.number != 2) return put(power, start);
    formula_.steps.pop_back(), --stack_;
    put(square, start);
  }

  void atom() {
    if (at_end()) fail(at_, "the expression ends where a number is expected");
    if (accept('(')) return choice(), close();
    if (is_digit(peek()) || peek() == '.') return literal();
    if (is_word(peek())) return word();
    fail(at_, "a number is expected, not " + shown());
  }

  void literal() {
    const std::size_t start = at_;
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail(start, "a number too large or too small for double precision");
    if (error != std::errc()) fail(start, "a number is expected, not " + shown());
    at_ = std::size_t(end - text_.data());
    if (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.'))
      fail(at_, "an operator is missing before " + shown());
    put(number, start, value);
  }

  void word() {
    const std::size_t start = at_;
    const auto letters = [&] {
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    };
    letters();
    if (names_ && text_.substr(at_, 2) == "::" && at_ + 2 < text_.size() && is_word(text_[at_ + 2]))
      at_ += 2, letters();
    const std::string_view word = text_.substr(start, at_ - start);
    if (word == "pi") return put(number, start, std::numbers::pi);
    if (word == "e") return put(number, start, std::numbers::e);
    const auto* function =
        std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return f.name == word; });
    if (function == std::end(functions)) {
      if (!names_ || peek() == '(') fail(start, "unknown name '" + brief(word) + "'" + near(word));
      return named(word, start);
    }
    if (function->operation == Operation::noise && !names_) fail(start, "noise is known at the points of a grid only");
    if (!accept('(')) fail(at_, std::string(word) + " needs its argument in parentheses");
    skip_blanks();
    const std::size_t inside = at_;
    std::size_t arguments = 1;
    for (choice(); accept(','); ++arguments) {
      choice();
      if (function->most == many) put(function->operation, start);  // of two, and so on
    }
    close();
    if (arguments < function->fewest || arguments > function->most)
      fail(start, std::string(word) + " takes " + std::to_string(function->fewest) +
                      (function->most == many ? " or more" : "") + (function->most == 1 ? " argument" : " arguments") +
                      ", not " + std::to_string(arguments));
    if (function->operation == Operation::noise && !ends_with_seed())
      fail(inside, "noise takes a whole number from 0 to " + std::to_string(largest_seed) + ", as in noise(1)");
    if (function->most != many) put(function->operation, start);
  }

  // What ends with a number is that number alone.
  bool ends_with_seed() const {
    const auto& last = formula_.steps.back();
    return last.operation == number && last.number <= largest_seed && last.number == std::floor(last.number);
  }

  void named(std::string_view word, std::size_t start) {
    auto& names = formula_.names;
    const auto n = std::find(names.begin(), names.end(), word) - names.begin();
    if (n == std::ssize(names)) names.emplace_back(word);
    put(name, start, 0, static_cast<int>(n));
  }

  void put(Operation o, std::size_t start, double value = 0, int which = 0) {
    formula_.steps.push_back({o, value, which, static_cast<int>(start) + 1});
    stack_ += 1 - operands(o);
    formula_.depth = std::max(formula_.depth, stack_);
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
    if (!accept(')')) fail(at_, "')' is expected, not " + shown() + "; a product has its '*', 2*pi*x");
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
  bool names_;
  std::size_t at_ = 0;
  int depth_ = 0, stack_ = 0;
  Formula formula_;
};

}  // namespace

Formula parse_formula(std::string_view text, bool names) {
  if (text.size() > longest_text)
    throw Error("column " + std::to_string(longest_text + 1) + ": the expression is too long (at most " +
                std::to_string(longest_text) + " characters)");
  return Parser(text, names).whole();
}

Steps steps_of(const Formula& f, std::span<const int> values) {
  if (f.steps.size() > Steps::most || f.depth > Steps::deepest)
    throw Error("it is too long: at most " + std::to_string(Steps::most) + " operations and numbers, nested " +
                std::to_string(Steps::deepest) + " deep");
  Steps all{static_cast<int>(f.steps.size()), {}, {}};
  for (std::size_t n = 0; n < f.steps.size(); ++n) {
    const auto& step = f.steps[n];
    all.operation[n] = step.operation;
    all.number[n] = step.operation == Operation::name ? values[static_cast<std::size_t>(step.name)] : step.number;
  }
  return all;
}

std::optional<double> number_of(const Steps& s) {
  constexpr double none[1] = {};
  constexpr struct {
    int index(int) const { return 0; }
  } nowhere;
  const auto varies = [](Operation o) { return o == Operation::name || o == Operation::noise; };
  if (std::any_of(s.operation, s.operation + s.count, varies)) return std::nullopt;
  return run(s, none, nowhere);
}

Steps steps_of(std::string_view text, const std::vector<std::string>& known) {
  const Formula f = parse_formula(text, true);
  std::vector<int> values;
  for (const std::string& name : f.names) {
    const auto at = std::ranges::find(known, name);
    if (at == known.end()) {
      const auto is_it = [&](const auto& s) { return s.operation == Operation::name && f.names[s.name] == name; };
      throw Error("column " + std::to_string(std::ranges::find_if(f.steps, is_it)->column) + ": unknown name '" + name +
                  "'" + did_you_mean(name, known) + "; there are " + join(known, " "));
    }
    values.push_back(static_cast<int>(at - known.begin()));
  }
  return steps_of(f, values);
}

double evaluate(std::string_view text) {
  std::vector<double> stack;
  for (const auto& step : parse_formula(text, false).steps) {
    const auto fail = [&](const char* why) { throw Error("column " + std::to_string(step.column) + ": " + why); };
    if (step.operation == Operation::number) {
      stack.push_back(step.number);
      continue;
    }
    double operand[3] = {};
    const int n = operands(step.operation);
    std::copy(stack.end() - n, stack.end(), operand);
    stack.resize(stack.size() - static_cast<std::size_t>(n));
    if (step.operation == Operation::divide && operand[1] == 0) fail("division by zero");
    stack.push_back(apply(step.operation, operand[0], operand[1], operand[2]));
    if (std::isnan(stack.back())) fail("the result is not a number");
    if (std::isinf(stack.back())) fail("the result is infinite");
  }
  return stack.back();
}
}  // namespace cereus
