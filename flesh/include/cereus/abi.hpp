// A thorn may be loaded only by a flesh that was built the same way. What "the same way" means is one block of plain
// bytes, filled at compile time by the same expression on both sides: the thorn keeps its block in an ELF section of
// its own, so that the flesh reads and compares it from the file, before the first line of the thorn runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <cereus/abi_headers.hpp>  // made when CMake configures
namespace cereus {

inline constexpr std::uint32_t abi_number = 3;                  // changes with AbiDescriptor itself, and nothing else
inline constexpr std::string_view abi_section = ".cereus_abi";  // CEREUS_THORN puts the descriptor here
inline constexpr const char* thorn_symbol = "cereus_thorn";     // the one symbol that NAME.so exports
inline constexpr std::string_view abi_magic{"CEREUS\0\1", 8};

/// What thorn and flesh must agree on. Fixed-size integers and text only, no padding.
struct AbiFacts {
  std::uint32_t cplusplus;      // __cplusplus
  char compiler[64];            // "gcc 12.2.0"; of nvcc, the host compiler; another release of the same one will do
  std::uint32_t cxx11_abi;      // std::string and std::list of C++11 (libstdc++)
  std::uint32_t library_debug;  // _GLIBCXX_DEBUG: other containers under the same names
  std::uint32_t sanitisers;     // bit 0: address, bit 1: thread, bit 2: memory
  std::uint32_t strict;         // built for the same bits everywhere
  std::uint32_t cudart;         // CUDART_VERSION, 13000 for CUDA 13.0; 0: built without CUDA
  char mpi[64];                 // "Open MPI 4.1.4"; empty in a thorn: it uses no MPI, any will do
  char headers[36];             // hash of the headers in include/cereus: all that both sides see
};

/// The content of section `.cereus_abi`. What stands before `facts` never changes its place, so that a thorn of any
/// age can be named in an error message.
struct AbiDescriptor {
  char magic[8];
  std::uint32_t size;  // sizeof(AbiDescriptor)
  std::uint32_t abi;   // abi_number
  char name[64];
  char version[32];
  char license[32];
  AbiFacts facts;
  char reads[64];  // names of files that d.reads_provenance() is for: patterns between spaces; a folder ends in /
};
static_assert(std::is_trivially_copyable_v<AbiDescriptor> && std::is_standard_layout_v<AbiDescriptor>);
static_assert(std::has_unique_object_representations_v<AbiDescriptor>, "no padding: every byte is compared");

/// A thorn's name is a C++ identifier without leading underscore: it names a folder, a file and a namespace.
constexpr bool is_thorn_name(std::string_view name) {
  const auto letter = [](char c) { return ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z'); };
  if (name.empty() || name.size() >= sizeof(AbiDescriptor::name) || !letter(name[0])) return false;
  for (char c : name) {
    if (!letter(c) && !('0' <= c && c <= '9') && c != '_') return false;
  }
  return true;
}

/// The text in a fixed array, also if a broken file lacks the closing zero.
template <std::size_t n> constexpr std::string_view text_of(const char (&array)[n]) {
  std::size_t length = 0;
  while (length < n && array[length] != '\0') ++length;
  return {array, length};
}

namespace abi_detail {

/// Too long a text does not compile: a throw is no constant expression.
template <std::size_t n> consteval void assign(char (&to)[n], std::string_view from) {
  if (from.size() >= n) throw "a text of the ABI descriptor is too long";
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i];
}

}  // namespace abi_detail

/// The facts of the code that is being compiled. `consteval`, because an ordinary inline function could be merged by
/// the linker across differing flags.
consteval AbiFacts this_build() {
  AbiFacts facts{};
  facts.cplusplus = static_cast<std::uint32_t>(__cplusplus);
#if defined(__clang__)
  abi_detail::assign(facts.compiler, "clang " __clang_version__);
#elif defined(__GNUC__)
  abi_detail::assign(facts.compiler, "gcc " __VERSION__);
#else
#error "cereus/abi.hpp knows gcc and clang only"
#endif
#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI
  facts.cxx11_abi = 1;
#endif
#if defined(_GLIBCXX_DEBUG)
  facts.library_debug = 1;
#endif
#if defined(__SANITIZE_ADDRESS__)
  facts.sanitisers |= 1;
#endif
#if defined(__SANITIZE_THREAD__)
  facts.sanitisers |= 2;
#endif
#if defined(__has_feature)
  if constexpr (__has_feature(address_sanitizer)) facts.sanitisers |= 1;
  if constexpr (__has_feature(thread_sanitizer)) facts.sanitisers |= 2;
  if constexpr (__has_feature(memory_sanitizer)) facts.sanitisers |= 4;
#endif
#if defined(CEREUS_STRICT) && CEREUS_STRICT
  facts.strict = 1;
#endif
  // nvcc knows for itself. The flesh and plain tests are compiled by g++ and are told by the build.
#if defined(CUDART_VERSION)
  facts.cudart = CUDART_VERSION;
#elif defined(CEREUS_CUDART_VERSION)
  facts.cudart = CEREUS_CUDART_VERSION;
#endif
#if defined(CEREUS_MPI_FLAVOUR)
  abi_detail::assign(facts.mpi, CEREUS_MPI_FLAVOUR);
#endif
  abi_detail::assign(facts.headers, abi_headers);
  return facts;
}

/// The descriptor of one thorn. A name that is none does not compile.
consteval AbiDescriptor make_abi_descriptor(std::string_view name, const AbiFacts& facts, std::string_view version = "",
    std::string_view license = "", std::string_view reads = "") {
  if (!is_thorn_name(name)) throw "a thorn's name is a letter, then letters, digits and underscores, 63 at most";
  AbiDescriptor d{};
  for (std::size_t i = 0; i < sizeof d.magic; ++i) d.magic[i] = abi_magic[i];
  d.size = sizeof(AbiDescriptor);
  d.abi = abi_number;
  abi_detail::assign(d.name, name);
  abi_detail::assign(d.version, version);
  abi_detail::assign(d.license, license);
  abi_detail::assign(d.reads, reads);
  d.facts = facts;
  return d;
}

}  // namespace cereus
