#include "cereus/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "cereus/error.hpp"

namespace cereus {
std::shared_ptr<char> large_memory(std::size_t bytes, const std::string& what) {
  // Stencils walk along many rows at a time, each on a page of its own if pages are small.
  constexpr std::size_t huge = std::size_t{2} << 20;
  const std::size_t page = bytes >= 32 * huge ? huge : memory_page, whole = (bytes + page - 1) / page * page;
  void* p = std::aligned_alloc(page, whole);
  if (!p) throw Failure("out of memory: cannot allocate " + std::to_string(bytes) + " bytes for " + what);
  if (page == huge) madvise(p, whole, MADV_HUGEPAGE);  // a wish; without it all is as it was
  return {static_cast<char*>(p), [](char* q) { std::free(q); }};
}

double cache_share(int level) {
  const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(level) + "/";
  double kilobytes = 0;
  int sharing = 0;
  std::ifstream(folder + "size") >> kilobytes;
  std::ifstream in(folder + "shared_cpu_list");  // as 0-3,8-11
  for (std::string text; std::getline(in, text, ',');) {
    int first = 0, last = 0;
    sharing += std::sscanf(text.c_str(), "%d-%d", &first, &last) == 2 ? last - first + 1 : 1;
  }
  return 1024 * kilobytes / std::max(1, sharing);
}
}  // namespace cereus
