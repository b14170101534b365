// Makes the smallest ELF64 shared library that can carry a descriptor, byte by byte, so that tests can spoil it.
#pragma once

#include <cereus/abi.hpp>

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cereus::test {

using Bytes = std::vector<std::byte>;

template <class T> Bytes bytes_of(const T& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  return {bytes.begin(), bytes.end()};
}

/// The parts of an image, in the order in which they lie in the file; a test changes some, then writes it.
struct ElfImage {
  explicit ElfImage(Bytes content) : section(std::move(content)) {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_DYN;
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_ehsize = sizeof(Elf64_Ehdr);
    header.e_phoff = sizeof(Elf64_Ehdr);
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 1;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 3;
    header.e_shstrndx = 2;

    const std::size_t start = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);
    segment.p_type = PT_LOAD;
    segment.p_filesz = segment.p_memsz = start + section.size();
    abi.sh_name = 1;
    abi.sh_type = SHT_PROGBITS;
    abi.sh_flags = SHF_ALLOC;
    abi.sh_offset = start;
    abi.sh_size = section.size();
    strings.sh_name = 13;
    strings.sh_type = SHT_STRTAB;
    strings.sh_offset = start + section.size();
    strings.sh_size = sizeof names;
    header.e_shoff = strings.sh_offset + sizeof names;
  }

  Bytes bytes() const {
    Bytes all;
    const auto add = [&](const Bytes& more) { all.insert(all.end(), more.begin(), more.end()); };
    add(bytes_of(header));
    add(bytes_of(segment));
    add(section);
    add(bytes_of(names));
    add(bytes_of(null));
    add(bytes_of(abi));
    add(bytes_of(strings));
    return all;
  }

  Elf64_Ehdr header{};
  Elf64_Phdr segment{};
  Bytes section;
  char names[24] = "\0.cereus_abi\0.shstrtab";
  Elf64_Shdr null{}, abi{}, strings{};
};

/// A folder of its own for each test, closed to others whatever the umask says.
class FolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "cereus_plugin_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = std::filesystem::canonical(name);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::filesystem::path write(const std::string& name, std::span<const std::byte> content) {
    const auto file = folder / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
    for (auto p = file; p != folder; p = p.parent_path()) chmod(p.c_str(), 0755);
    return file;
  }
  std::filesystem::path write(const std::string& name, const std::string& content) {
    return write(name, std::as_bytes(std::span(content)));
  }

  std::filesystem::path folder;
};

/// The message of the exception that `f` has to throw.
template <class Exception> std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Exception& error) { return error.what(); }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace cereus::test
