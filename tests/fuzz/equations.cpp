// A text of equations: the sources of a thorn, or messages with a place.
#include <cereus/error.hpp>

#include "equations/print.hpp"
#include "equations/thorn.hpp"
#include "fuzz.hpp"

void cereus_fuzz(std::string_view text) {
  try {
    const auto thorn = cereus::equations::read_thorn({"T.edl"}, std::string(text));
    if (text.size() > 4000) return;  // BSSN: with sanitizers its order is searched for 10 s
    if (print_kernels(thorn->program).empty() || print_thorn(thorn->program).empty()) cereus_fuzz_failed("no sources");
    const auto one = cereus::equations::read_thorn({"T.edl"}, std::string(text), cereus::equations::Target{});
    if (print_graph(one->program).empty()) cereus_fuzz_failed("an empty stage");
  } catch (const cereus::Error& e) {
    if (!std::string_view(e.what()).starts_with("T.edl:")) cereus_fuzz_failed("a message without a place");
  }
}
