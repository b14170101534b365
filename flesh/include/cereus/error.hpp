// What goes wrong, said so that a person can mend it: a place in a file, and a sentence.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cereus {

/// A place in the input; line and column count from 1, 0 means unknown.
struct Where {
  std::string file;
  int line = 0, column = 0;
  bool operator==(const Where&) const = default;
};

/// `file:line:column`, as far as known; empty for a place that is not known at all.
std::string to_string(const Where& where);

/// One mistake; its text is `place: message`, or the message alone.
struct Problem {
  Where where;
  std::string message;
  bool operator==(const Problem&) const = default;
  std::string text() const;
};

/// A mistake in what the user gave, which the user can mend: exit code 1.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
  Error(const Where& where, const std::string& message);
};

/// Something failed while running: exit code 3.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message) : std::runtime_error(message) {}
  Failure(const Where& where, const std::string& message);
};

/// Collects all mistakes of the input, so that they are reported in one go.
class Problems {
 public:
  void add(Where where, std::string message) { found_.push_back({std::move(where), std::move(message)}); }
  void add(std::string message) { add({}, std::move(message)); }

  bool empty() const { return found_.empty(); }
  std::size_t count() const { return list().size(); }

  /// Sorted by position, without repetitions; files come in the order in which they were first complained about,
  /// what has no place comes last.
  std::vector<Problem> list() const;

  void throw_if_any() const;

 private:
  std::vector<Problem> found_;
};

}  // namespace cereus
