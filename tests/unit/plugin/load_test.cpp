// A thorn from another build is refused with every difference named, before any of its code runs; one that fits loads.
#include "plugin/load.hpp"

#include "plugin/elf.hpp"

#include "elf_image.hpp"

#include <cereus/error.hpp>
#include <cereus/hash.hpp>

#include <cstdlib>

namespace cereus {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr AbiFacts here = this_build();
constexpr AbiDescriptor good = make_abi_descriptor("Tiny", here, "1.2", "BSD-3-Clause");
static_assert(text_of(here.headers).size() == 32);
static_assert(is_thorn_name("WaveToy") && is_thorn_name("a_1") && !is_thorn_name("") && !is_thorn_name("_a"));
static_assert(!is_thorn_name("1a") && !is_thorn_name("a-b") && !is_thorn_name("../a"));

class Load : public FolderTest {
 protected:
  ThornFile thorn(const Bytes& section) {
    const auto path = write("Tiny.so", ElfImage(section).bytes());
    return {.name = "Tiny", .path = path, .folder = folder};
  }
  std::string refusal(const ThornFile& file, const AbiFacts& facts = here) {
    return message_of<Error>([&] { load_thorn(file, facts); });
  }
  std::string refusal(const AbiDescriptor& d) { return refusal(thorn(bytes_of(d))); }
};

TEST_F(Load, LeavesWhatFitsToTheDynamicLinker) {
  const ThornFile file = thorn(bytes_of(good));
  EXPECT_EQ(differences(here, here), "");
  // The image has no dynamic section: it passes all checks of ours, and the dynamic linker's reason is passed on.
  EXPECT_TRUE(contains(refusal(file), "cannot be loaded")) << refusal(file);
}

TEST_F(Load, NamesEveryDifferenceWithBothValues) {
  AbiDescriptor d = good;
  const auto expect_both = [&](const std::string& there, const std::string& mine) {
    const std::string message = refusal(d);
    EXPECT_TRUE(contains(message, ": " + there + " in the thorn, " + mine + " here")) << message;
    EXPECT_TRUE(contains(message, "Tiny.so") && contains(message, "rebuild")) << message;
    d = good;
  };
  d.abi = 77;
  expect_both("77", std::to_string(abi_number));
  d.size = 123;
  expect_both("123", std::to_string(sizeof d));
  d.facts.cplusplus = 201703;
  expect_both("201703", std::to_string(__cplusplus));
  std::strcpy(d.facts.compiler, "gcj 9.4.0");
  expect_both("'gcj 9.4.0'", "'" + std::string(text_of(here.compiler)) + "'");
  d.facts.cxx11_abi ^= 1;
  expect_both(here.cxx11_abi ? "no" : "yes", here.cxx11_abi ? "yes" : "no");
  d.facts.library_debug ^= 1;
  expect_both(here.library_debug ? "no" : "yes", here.library_debug ? "yes" : "no");
  d.facts.sanitisers ^= 2;
  EXPECT_TRUE(contains(refusal(d), "thread"));
  d = good;
  d.facts.strict ^= 1;
  expect_both(here.strict ? "no" : "yes", here.strict ? "yes" : "no");
  d.facts.cudart = 12040;
  expect_both("12040", here.cudart ? std::to_string(here.cudart) : "no CUDA");
  std::strcpy(d.facts.mpi, "MPICH 4.0.2");
  expect_both("'MPICH 4.0.2'", "'" + std::string(text_of(here.mpi)) + "'");
  std::strcpy(d.facts.headers, "of another day");
  expect_both("'of another day'", "'" + std::string(text_of(here.headers)) + "'");
  std::strcpy(d.name, "Other");
  EXPECT_TRUE(contains(refusal(d), "'Other'") && contains(refusal(d), "'Tiny'"));

  d.facts.strict ^= 1;
  d.facts.cplusplus = 201703;
  std::strcpy(d.facts.compiler, "gcj 9.4.0");
  const std::string all = refusal(d);
  for (const char* part : {"'Other'", "strict", "201703", "gcj 9.4.0"}) EXPECT_TRUE(contains(all, part)) << all;
}

TEST_F(Load, AnotherReleaseOfTheCompilerFits) {
  AbiFacts thorn = here;
  const auto compiler = text_of(here.compiler);
  const std::string other = std::string(compiler.substr(0, compiler.find(' '))) + " 99.1.0";
  std::strcpy(thorn.compiler, other.c_str());
  EXPECT_EQ(differences(thorn, here), "");
}

TEST_F(Load, AThornWithoutMpiFitsAny) {
  AbiFacts thorn = here, flesh = here;
  std::strcpy(flesh.mpi, "Open MPI 4.1.4");
  std::memset(thorn.mpi, 0, sizeof thorn.mpi);
  EXPECT_EQ(differences(thorn, flesh), "");
  EXPECT_NE(differences(flesh, thorn), "");
}

TEST_F(Load, RefusesWhatIsNoDescriptor) {
  AbiDescriptor d = good;
  d.magic[7] = 2;
  EXPECT_TRUE(contains(refusal(d), "no descriptor"));
  EXPECT_TRUE(contains(refusal(thorn(Bytes(sizeof d, std::byte{0xff}))), "no descriptor"));
  EXPECT_TRUE(contains(refusal(thorn({})), "no descriptor"));
  Bytes bytes = bytes_of(good);
  bytes.pop_back();
  EXPECT_TRUE(contains(refusal(thorn(bytes)), "bytes"));
  bytes = bytes_of(good);
  bytes.resize(bytes.size() + 24);
  EXPECT_TRUE(contains(refusal(thorn(bytes)), "cannot be loaded"));  // padding of zeros passes
  const Bytes twice = bytes_of(good);
  bytes.insert(bytes.end(), twice.begin(), twice.end());
  EXPECT_TRUE(contains(refusal(thorn(bytes)), "more than one"));
  d = good;
  std::memset(d.name, '\033', sizeof d.name);  // no end, and would speak to the terminal
  EXPECT_FALSE(contains(refusal(d), "\033"));
}

TEST_F(Load, RefusesAHostilePlace) {
  const ThornFile file = thorn(bytes_of(good));
  chmod(file.path.c_str(), 0666);
  EXPECT_TRUE(contains(refusal(file), "chmod go-w"));
}

/// With a real compiler: the constructor leaves a file behind when it runs.
TEST_F(Load, LoadsARealThornAndRunsNothingOfARefusedOne) {
  const char* build_folder = std::getenv("CEREUS_BUILD");
  if (!build_folder) GTEST_SKIP() << "CEREUS_BUILD does not say where headers are made";
  const fs::path include = fs::path(build_folder) / "flesh/include";
  const fs::path source = write("Tiny.cpp", std::string(R"(
#include <cereus/abi.hpp>
#include <cstdio>
namespace cereus { struct ThornEntry { const char* name; }; }
__attribute__((section(".cereus_abi"), used, retain)) static constexpr cereus::AbiDescriptor descriptor =
    cereus::make_abi_descriptor("Tiny", cereus::this_build(), "1.0", "BSD-3-Clause");
__attribute__((constructor)) static void constructed() { std::fclose(std::fopen(MARK, "w")); }
#ifdef HAS_ENTRY
extern "C" __attribute__((visibility("default"))) const cereus::ThornEntry* cereus_thorn() {
  static constexpr cereus::ThornEntry entry{"the answer"};
  return &entry;
}
#endif
)"));
  const fs::path mark = folder / "constructed";
  const auto build = [&](const fs::path& to, const std::string& flags) {
    fs::create_directories(to.parent_path());
    chmod(to.parent_path().c_str(), 0755);
    const std::string command = "c++ -std=c++20 -shared -fPIC -fvisibility=hidden -I'" + include.string() +
                                "' -DMARK='\"" + mark.string() + "\"' " + flags + " '" + source.string() + "' -o '" +
                                to.string() + "' && chmod 755 '" + to.string() + "'";
    return std::system(command.c_str()) == 0;
  };
  const ThornFile file{.name = "Tiny", .path = folder / "Tiny.so", .folder = folder};
  if (!build(file.path, "-DHAS_ENTRY")) GTEST_SKIP() << "no compiler at run time";
  const Bytes image = read_file(file.path);
  AbiFacts facts;  // those of the thorn, so that the flags of this test do not matter
  std::memcpy(
      &facts, find_section(image, abi_section, file.path).data() + offsetof(AbiDescriptor, facts), sizeof facts);

  AbiFacts other = facts;
  other.strict ^= 1;
  EXPECT_TRUE(contains(refusal(file, other), "strict"));
  EXPECT_FALSE(fs::exists(mark));

  const Plugin plugin = load_thorn(file, facts);
  EXPECT_TRUE(fs::exists(mark));
  EXPECT_STREQ(plugin.entry->name, "the answer");
  EXPECT_EQ(plugin.name, "Tiny");
  EXPECT_EQ(plugin.path, file.path);
  EXPECT_EQ(plugin.hash, hash_of({reinterpret_cast<const char*>(image.data()), image.size()}));
  EXPECT_EQ(load_thorn(file, facts).entry, plugin.entry);  // the library was not closed in between

  const ThornFile mute{.name = "Tiny", .path = folder / "mute/Tiny.so", .folder = folder / "mute"};
  ASSERT_TRUE(build(mute.path, ""));
  EXPECT_TRUE(contains(refusal(mute, facts), "cereus_thorn")) << refusal(mute, facts);
}

}  // namespace
}  // namespace cereus
