// Files that are cut short, damaged or no libraries at all are refused with a reason; nothing reads outside the image.
#include "plugin/elf.hpp"

#include "elf_image.hpp"

#include <cereus/error.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace cereus {
namespace {

using namespace test;

const std::string content = "descriptor";
const std::string_view wanted = ".cereus_abi";

Bytes raw(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string refusal(const Bytes& image) {
  return message_of<Error>([&] { find_section(image, wanted, "X.so"); });
}

class Elf : public FolderTest {};

TEST_F(Elf, ReadsASection) {
  const auto file = write("Good.so", ElfImage(raw(content)).bytes());
  const Bytes image = read_file(file);
  EXPECT_TRUE(std::ranges::equal(find_section(image, wanted, file), raw(content)));
}

TEST_F(Elf, RefusesSixtyCutLengths) {
  const Bytes whole = ElfImage(raw(content)).bytes();
  for (std::size_t i = 0; i < 60; ++i) {
    const auto file = write("Cut.so", std::span(whole).first(whole.size() * i / 60));
    EXPECT_THROW(find_section(read_file(file), wanted, file), Error) << i;
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {  // in memory: every single length
    EXPECT_THROW(find_section(std::span(whole).first(size), wanted, "X.so"), Error) << size;
  }
}

TEST_F(Elf, RefusesSixtyCutLengthsOfARealLibrary) {
  Dl_info info{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(static_cast<double (*)(double)>(&std::sin)), &info), 0);
  const Bytes whole = read_file(info.dli_fname);  // libm, or a test executable (PIE): both are ET_DYN
  EXPECT_FALSE(find_section(whole, ".text", info.dli_fname).empty());
  EXPECT_TRUE(contains(refusal(whole), "no section .cereus_abi"));
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_THROW(find_section(std::span(whole).first(whole.size() * i / 60), ".text", "X.so"), Error) << i;
  }
}

TEST_F(Elf, RefusesWhatIsNoLibrary) {
  EXPECT_TRUE(contains(message_of<Error>([&] { read_file(write("E.so", "")); }), "empty"));
  EXPECT_TRUE(contains(message_of<Error>([&] { read_file(folder); }), "no regular file"));
  EXPECT_TRUE(contains(message_of<Error>([&] { read_file(folder / "None.so"); }), "None.so"));
  EXPECT_TRUE(
      contains(refusal(raw("#!/bin/sh\necho this is a script, longer than any ELF header would ever be\n")), "no ELF"));
  ASSERT_EQ(mkfifo((folder / "Pipe.so").c_str(), 0600), 0);
  EXPECT_THROW(read_file(folder / "Pipe.so"), Error);  // and does not wait for a writer
}

TEST_F(Elf, RefusesEveryWrongHeader) {
  const auto with = [](auto change) {
    ElfImage image(raw(content));
    change(image);
    return refusal(image.bytes());
  };
  constexpr auto huge = std::numeric_limits<std::uint64_t>::max();
  EXPECT_TRUE(contains(with([](auto& i) { i.header.e_ident[EI_CLASS] = ELFCLASS32; }), "64-bit"));
  EXPECT_TRUE(contains(with([](auto& i) { i.header.e_ident[EI_DATA] = ELFDATA2MSB; }), "little-endian"));
  EXPECT_TRUE(contains(with([](auto& i) { i.header.e_machine = EM_AARCH64; }), "x86-64"));
  EXPECT_TRUE(contains(with([](auto& i) { i.header.e_type = ET_REL; }), "shared library"));
  EXPECT_TRUE(contains(with([](auto& i) { i.header.e_version = 7; }), "version is 7"));
  EXPECT_TRUE(contains(with([](auto& i) { i.header.e_phnum = 0; }), "segments"));
  EXPECT_TRUE(contains(with([](auto& i) { i.header.e_phnum = 60000; }), "table of segments"));
  EXPECT_TRUE(contains(with([](auto& i) { i.header.e_phoff = huge - 8; }), "table of segments"));
  EXPECT_TRUE(contains(with([](auto& i) { i.header.e_phentsize = 1; }), "segments"));
  EXPECT_TRUE(contains(with([](auto& i) { i.header.e_shnum = 0; }), "sections"));
  EXPECT_TRUE(contains(with([](auto& i) { i.header.e_shnum = 60000; }), "table of sections"));
  EXPECT_TRUE(contains(with([](auto& i) { i.header.e_shoff = huge - 8; }), "table of sections"));
  EXPECT_TRUE(contains(with([](auto& i) { i.header.e_shstrndx = 9; }), "sections"));
  EXPECT_TRUE(contains(with([](auto& i) { i.segment.p_filesz = huge; }), "segment 0"));
  EXPECT_TRUE(contains(with([](auto& i) { i.segment.p_offset = huge; }), "segment 0"));
  EXPECT_TRUE(contains(with([](auto& i) { i.segment.p_memsz = 1; }), "segment 0"));
  EXPECT_TRUE(contains(with([](auto& i) { i.segment.p_vaddr = huge; }), "segment 0"));
  EXPECT_TRUE(contains(with([](auto& i) { i.segment.p_type = PT_NOTE; }), "no segment to load"));
  EXPECT_TRUE(contains(with([](auto& i) { i.abi.sh_offset = huge; }), "section 1"));
  EXPECT_TRUE(contains(with([](auto& i) { i.abi.sh_size = huge - 100; }), "section 1"));
  EXPECT_TRUE(contains(with([](auto& i) { i.strings.sh_size = huge; }), "section 2"));
  EXPECT_TRUE(contains(with([](auto& i) { i.strings.sh_size = 5; }), "no section .cereus_abi"));
  EXPECT_TRUE(contains(with([](auto& i) { i.abi.sh_name = 4000; }), "no section .cereus_abi"));
  EXPECT_TRUE(contains(with([](auto& i) { i.abi.sh_name = 15; }), "no section .cereus_abi"));
}

TEST_F(Elf, SurvivesRandomDamage) {
  const Bytes whole = ElfImage(raw(content)).bytes();
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    Bytes damaged = whole;
    for (int n = 0; n < 4; ++n) damaged[random() % damaged.size()] = std::byte(random() % 256);
    try {
      find_section(damaged, wanted, "X.so");  // refused or read; the sanitisers watch
    } catch (const Error&) {}
  }
}

}  // namespace
}  // namespace cereus
