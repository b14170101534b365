#include "load.hpp"

#include "elf.hpp"

#include <cereus/error.hpp>
#include <cereus/hash.hpp>
#include <cereus/thorn.hpp>

#include <dlfcn.h>
#include <fmt/format.h>
#include <boost/dll/shared_library.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace cereus {
namespace fs = std::filesystem;
namespace {

/// Texts come from files that may hold anything, and go to somebody's terminal.
template <std::size_t n> std::string printable(const char (&array)[n]) {
  std::string text{text_of(array)};
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 32 || c > 126; }, '?');
  return text;
}

AbiDescriptor descriptor_in(std::span<const std::byte> image, const fs::path& file) {
  const auto section = find_section(image, abi_section, file);
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("{}: {}; rebuild it against this installation", file.string(), what));
  };

  // An older or newer descriptor may be shorter or longer: only its beginning is trusted until its number is known.
  AbiDescriptor d{};
  std::memcpy(&d, section.data(), std::min(section.size(), sizeof d));
  if (section.size() < offsetof(AbiDescriptor, facts) || std::string_view(d.magic, sizeof d.magic) != abi_magic) {
    refuse(fmt::format("its section {} holds no descriptor of a thorn", abi_section));
  }
  if (d.abi != abi_number || d.size != sizeof d) {
    refuse(
        fmt::format("thorn {} was built for another version of Cereus\n  ABI number: {} in the thorn, {} here\n"
                    "  size of the descriptor: {} in the thorn, {} here\n ",
            printable(d.name), d.abi, abi_number, d.size, sizeof d));
  }
  if (section.size() < sizeof d) {
    refuse(fmt::format("its descriptor has {} bytes, not {}", section.size(), sizeof d));
  }
  // A sanitiser may pad with zeros; anything else is a second CEREUS_THORN.
  const auto rest = section.subspan(sizeof d);
  if (std::any_of(rest.begin(), rest.end(), [](std::byte b) { return b != std::byte{0}; })) {
    refuse("it holds more than one descriptor, and a library is one thorn: use CEREUS_THORN once");
  }
  return d;
}

/// The dynamic linker itself is told never to unload the library, so nobody has to keep a handle, and no order of
/// destruction at exit matters. Local symbols: two thorns may define the same names.
template <class Function> Function* function_in(const fs::path& library, const char* symbol) {
  namespace dll = boost::dll;
  const auto mode =
      dll::load_mode::rtld_now | dll::load_mode::rtld_local | static_cast<dll::load_mode::type>(RTLD_NODELETE);
  try {
    return &dll::shared_library(library, mode).get<Function>(symbol);
  } catch (const dll::fs::system_error& error) {
    // The text is the dynamic linker's own; the code beside it ("Bad file descriptor") says nothing.
    throw Error(
        fmt::format("{}: the thorn cannot be loaded: {}; check the libraries that it links, and that it uses "
                    "CEREUS_THORN (of code in a cache: remove its folder, and it is compiled again)",
            library.string(), error.what()));
  }
}

/// Of a file whose place is good; throws unless it fits this executable.
AbiDescriptor checked_descriptor(
    std::span<const std::byte> image, const fs::path& real, const ThornFile& file, const AbiFacts& here) {
  const AbiDescriptor descriptor = descriptor_in(image, real);
  std::string wrong = differences(descriptor.facts, here);
  if (text_of(descriptor.name) != file.name) {
    wrong += fmt::format("  name: '{}' in CEREUS_THORN, '{}' of the file\n", printable(descriptor.name), file.name);
  }
  if (!wrong.empty()) {
    throw Error(
        fmt::format("{}: this thorn does not fit the running executable\n{}  rebuild it with the compiler and "
                    "options of this installation",
            real.string(), wrong));
  }
  return descriptor;
}

const ThornEntry* entry_in(const fs::path& real) {
  const ThornEntry* entry = function_in<const ThornEntry*()>(real, thorn_symbol)();
  if (entry == nullptr) throw Error(fmt::format("{}: {}() returned nothing; rebuild it", real.string(), thorn_symbol));
  return entry;
}

Plugin checked(const ThornFile& file, const AbiFacts& here) {  // nothing of it has run
  const fs::path real = check_place(file);
  const auto image = read_file(real);
  const AbiDescriptor descriptor = checked_descriptor(image, real, file, here);
  const std::string_view text(reinterpret_cast<const char*>(image.data()), image.size());
  return {.name = file.name, .path = real, .hash = hash_of(text), .descriptor = descriptor, .entry = nullptr};
}

}  // namespace

std::string differences(const AbiFacts& thorn, const AbiFacts& here) {
  std::string lines;
  const auto differ = [&](std::string_view what, const auto& there, const auto& mine) {
    if (there != mine) lines += fmt::format("  {}: {} in the thorn, {} here\n", what, there, mine);
  };
  const auto yes = [](std::uint32_t v) { return v == 0 ? std::string("no") : v == 1 ? "yes" : std::to_string(v); };
  const auto text = [](const auto& array) { return fmt::format("'{}'", printable(array)); };
  const auto sanitisers = [](std::uint32_t v) {
    if (v == 0) return std::string("none");
    return fmt::format("{}{}{}({})", v & 1 ? "address " : "", v & 2 ? "thread " : "", v & 4 ? "memory " : "", v);
  };
  const auto cuda = [](std::uint32_t v) { return v == 0 ? std::string("no CUDA") : std::to_string(v); };

  differ("C++ level (__cplusplus)", thorn.cplusplus, here.cplusplus);
  // All releases of a compiler that know this C++ level share an ABI. What a thorn wants of a newer libstdc++ than the
  // flesh's the dynamic linker asks for by its version.
  const auto family = [](const auto& array) { return text_of(array).substr(0, text_of(array).find(' ')); };
  if (family(thorn.compiler) != family(here.compiler)) differ("compiler", text(thorn.compiler), text(here.compiler));
  differ("C++11 ABI of libstdc++ (_GLIBCXX_USE_CXX11_ABI)", yes(thorn.cxx11_abi), yes(here.cxx11_abi));
  differ("debug containers (_GLIBCXX_DEBUG)", yes(thorn.library_debug), yes(here.library_debug));
  differ("sanitisers (-fsanitize)", sanitisers(thorn.sanitisers), sanitisers(here.sanitisers));
  differ("strict build (CEREUS_STRICT)", yes(thorn.strict), yes(here.strict));
  differ("CUDA runtime (CUDART_VERSION)", cuda(thorn.cudart), cuda(here.cudart));
  if (!text_of(thorn.mpi).empty()) differ("MPI", text(thorn.mpi), text(here.mpi));
  differ("headers of Cereus (a hash)", text(thorn.headers), text(here.headers));
  return lines;
}

AbiDescriptor read_descriptor(const fs::path& file) { return descriptor_in(read_file(file), file); }

Plugin load_thorn(const ThornFile& file, const AbiFacts& here) {
  Plugin plugin = checked(file, here);
  plugin.entry = entry_in(plugin.path);
  return plugin;
}

Plugin load_kernels(const ThornFile& file, const AbiFacts& here) {
  Plugin plugin = checked(file, here);
  plugin.kernels = {function_in<void(KernelTable*)>(plugin.path, "cereus_tables"),
      function_in<void(int, void*, const double*)>(plugin.path, "cereus_fill")};
  return plugin;
}

const detail::RegisteredLoops* load_loops(const ThornFile& file, const AbiFacts& here, std::string_view sources) {
  const fs::path real = check_program(file.path);
  checked_descriptor(read_file(real), real, file, here);
  const detail::LibraryOfLoops library = function_in<detail::LibraryOfLoops()>(real, "cereus_loops")();
  if (!library.thorn || sources != library.thorn->hash)
    throw Error(
        fmt::format("{}: it was built from other sources than {}.so; build both again", real.string(), file.name));
  return library.loops;
}

}  // namespace cereus
