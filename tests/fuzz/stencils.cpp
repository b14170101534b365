// A stencil program: the sources of a thorn, or messages with a place.
#include <cereus/error.hpp>

#include "fuzz.hpp"
#include "stencils/print.hpp"

void cereus_fuzz(std::string_view text) {
  using namespace cereus::stencils;
  try {
    const Program program(cereus::equations::Source({"T.stencil"}, std::string(text)), "T", {});
    program.source.problems().throw_if_any();
    if (print_kernels(program).empty() || print_thorn(program).empty()) cereus_fuzz_failed("no sources");
  } catch (const cereus::Error& e) {
    if (!std::string_view(e.what()).starts_with("T.stencil:")) cereus_fuzz_failed("a message without a place");
  }
}
