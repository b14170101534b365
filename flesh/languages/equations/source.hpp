// The text of a thorn's equations, places in it, and what is wrong at them.
#pragma once
#include <string>
#include <vector>

#include "cereus/error.hpp"
namespace cereus::equations {
struct Span {  // bytes of the text
  int begin = 0, end = 0;
};

class Source {
 public:
  // `start`: the file, and the line and column of the text's first character; 0: it is all of the file.
  Source(Where start, std::string text);
  const std::string& name() const { return start_.file; }
  const std::string& text() const { return text_; }
  int line(int byte) const;  // counts from 1, in the text
  Where where(int byte) const;
  // Adds a mistake with its line of the text; `mend` stands below the place.
  void add(Span, const std::string& what, const std::string& mend = "") const;
  Problems& problems() const { return problems_; }

 private:
  Where start_;
  std::string text_;
  std::vector<int> line_begins_;
  mutable Problems problems_;
};
// How many characters a terminal shows for these bytes of UTF-8.
int width(std::string_view);
}  // namespace cereus::equations
