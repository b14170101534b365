// What a target is: it takes any bytes, and ends. Errors of the kind that users see are fine; anything else is a
// finding.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

void cereus_fuzz(std::string_view bytes);

[[noreturn]] inline void cereus_fuzz_failed(const char* what) {
  std::fprintf(stderr, "found: %s\n", what);
  std::abort();
}
