// Expressions of the text as formulas of LaTeX.
#pragma once
#include "equations/tree.hpp"
namespace cereus::equations {
std::string latex(const Source&, const Expression&);
// A name with its indices: "\gamma_{ij}", "A^{i}{}_{j}".
std::string latex(const std::string& name, const std::vector<Index>&);
// The terms of a sum, with their signs: where a long formula may go on in another line.
std::vector<std::string> latex_terms(const Source&, const Expression&);
// Words of an author, with letters that pdflatex does not know as formulas.
std::string latex_words(const std::string&);
}  // namespace cereus::equations
