// A thorn of equations, from its text to its program.
#pragma once
#include <memory>

#include "equations/kernel.hpp"
namespace cereus::equations {
struct Thorn {
  Source source;
  ThornText text;
  Model model;
  Program program;
  Thorn(Source s) : source(std::move(s)), text(parse(source)), model(source, text) {
    if (source.problems().empty()) program = make_program(model);
  }
  Thorn(const Thorn&) = delete;  // the parts refer to each other
};
// Throws one Error with all mistakes of the text. `start`: where the text begins in its file.
std::unique_ptr<Thorn> read_thorn(const Where& start, const std::string& text);
}  // namespace cereus::equations
