// Large aligned allocations on the host.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
namespace cereus {
/// So many bytes from the beginning of a page, and whole pages (of `memory_page` bytes, huge ones where there is much);
/// throws Failure, which says for `what`.
std::shared_ptr<char> large_memory(std::size_t bytes, const std::string& what);
inline constexpr std::size_t memory_page = 4096;
constexpr std::size_t whole_pages(std::size_t bytes) { return (bytes + memory_page - 1) / memory_page * memory_page; }
/// Bytes of the processor's cache of a level (2, 3) for each of the logical processors that share it; 0 if nothing is
/// known.
double cache_share(int level);
}  // namespace cereus
