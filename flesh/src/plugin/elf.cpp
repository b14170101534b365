#include "elf.hpp"

#include <cereus/error.hpp>

#include <elf.h>
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>
#include <type_traits>

namespace cereus {
namespace {

static_assert(std::endian::native == std::endian::little, "headers are copied as they lie in the file");

/// An image in which nothing is read before it is known to lie inside.
class Image {
 public:
  Image(std::span<const std::byte> bytes, const std::filesystem::path& file) : bytes_{bytes}, file_{file} {}

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(fmt::format("{}: {}; rebuild it", file_.string(), what));
  }

  /// Written so that no sum can overflow: all three numbers come from a file that may hold anything.
  std::span<const std::byte> range(std::uint64_t offset, std::uint64_t length, const std::string& what) const {
    if (offset > bytes_.size() || length > bytes_.size() - offset) {
      refuse(fmt::format("the file is cut short or damaged: {} (offset {}, {} bytes) does not fit into its {} bytes",
          what, offset, length, bytes_.size()));
    }
    return bytes_.subspan(offset, length);
  }

  /// `count` entries from `offset` on. Copied, because nothing promises that a table is aligned.
  template <class T> std::vector<T> table(std::uint64_t offset, std::uint16_t count, const std::string& what) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto from = range(offset, count * sizeof(T), what);
    std::vector<T> entries(count);
    std::memcpy(entries.data(), from.data(), from.size());
    return entries;
  }

 private:
  std::span<const std::byte> bytes_;
  const std::filesystem::path& file_;
};

Elf64_Ehdr checked_header(const Image& image, std::span<const std::byte> bytes) {
  if (bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) image.refuse("this is no ELF file");
  const auto header = image.table<Elf64_Ehdr>(0, 1, "the ELF header").front();
  const auto need = [&](bool good, const std::string& what) {
    if (!good) image.refuse(what);
  };
  need(header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB,
      "this is no 64-bit little-endian ELF file");
  need(header.e_ident[EI_VERSION] == EV_CURRENT && header.e_version == EV_CURRENT,
      fmt::format("its ELF version is {}, and this build reads {}", header.e_version, EV_CURRENT));
  need(header.e_machine == EM_X86_64,
      fmt::format("it is for ELF machine {}, and this build is for x86-64 ({})", header.e_machine, EM_X86_64));
  need(header.e_type == ET_DYN, fmt::format("its ELF type is {}, and a shared library has {}", header.e_type, ET_DYN));
  need(header.e_ehsize == sizeof(Elf64_Ehdr), "its ELF header has an unknown size");
  need(header.e_phnum != 0 && header.e_phnum != PN_XNUM && header.e_phentsize == sizeof(Elf64_Phdr),
      "it has no usable table of segments");
  need(header.e_shnum != 0 && header.e_shentsize == sizeof(Elf64_Shdr) && header.e_shstrndx < header.e_shnum,
      "it has no usable table of sections (stripped by force, or damaged)");
  return header;
}

void check_segments(const Image& image, const Elf64_Ehdr& header) {
  bool loadable = false;
  const auto segments = image.table<Elf64_Phdr>(header.e_phoff, header.e_phnum, "the table of segments");
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Elf64_Phdr& segment = segments[i];
    image.range(segment.p_offset, segment.p_filesz, fmt::format("segment {}", i));
    if (segment.p_type != PT_LOAD) continue;
    loadable = true;
    if (segment.p_memsz < segment.p_filesz || segment.p_vaddr + segment.p_memsz < segment.p_vaddr) {
      image.refuse(fmt::format("segment {} has an impossible size in memory", i));
    }
  }
  if (!loadable) image.refuse("it has no segment to load");
}

}  // namespace

std::vector<std::byte> read_file(const std::filesystem::path& file) {
  std::error_code error;
  // Asked first, because opening a pipe would wait for ever.
  if (!std::filesystem::is_regular_file(file, error)) {
    throw Error(fmt::format("{}: this is no regular file; give the shared library of a thorn", file.string()));
  }
  const auto size = std::filesystem::file_size(file, error);
  if (!error && size == 0) throw Error(fmt::format("{}: the file is empty; rebuild it", file.string()));
  std::vector<std::byte> bytes(error ? 0 : size);
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (error || !in) {
    throw Error(fmt::format(
        "{}: the file cannot be read; check its permissions, and that no build is writing it", file.string()));
  }
  return bytes;
}

std::span<const std::byte> find_section(
    std::span<const std::byte> bytes, std::string_view section, const std::filesystem::path& file) {
  const Image image{bytes, file};
  const Elf64_Ehdr header = checked_header(image, bytes);
  check_segments(image, header);

  const auto sections = image.table<Elf64_Shdr>(header.e_shoff, header.e_shnum, "the table of sections");
  const auto content = [&](std::size_t i) {
    return image.range(sections[i].sh_offset, sections[i].sh_size, fmt::format("section {}", i));
  };
  const auto names = content(header.e_shstrndx);
  const std::string wanted = std::string(section) + '\0';
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const std::uint32_t at = sections[i].sh_name;
    if (at < names.size() && names.size() - at >= wanted.size() &&
        std::memcmp(names.data() + at, wanted.data(), wanted.size()) == 0)
      return content(i);
  }
  throw Error(
      fmt::format("{}: this library has no section {}, so it is no thorn; build it with add_thorn and "
                  "CEREUS_THORN",
          file.string(), section));
}

}  // namespace cereus
