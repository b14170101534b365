// Runs a target: under libFuzzer (fuzz.sh), or over the files of a folder, as a test.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "fuzz.hpp"
#ifdef CEREUS_LIBFUZZER

extern "C" std::size_t LLVMFuzzerMutate(unsigned char*, std::size_t, std::size_t);
// Half of the time a word is dropped, inserted again elsewhere, put in the place of another one, or made the last one.
extern "C" std::size_t LLVMFuzzerCustomMutator(unsigned char* bytes, std::size_t n, std::size_t most, unsigned seed) {
  std::minstd_rand engine(seed);
  std::string text(reinterpret_cast<char*>(bytes), n);
  const auto word = [&] {
    const auto is_letter = [&](std::size_t i) {
      return i < n && std::isalnum(static_cast<unsigned char>(text[i])) != 0;
    };
    std::size_t begin = engine() % n, end = begin + 1;
    while (begin > 0 && is_letter(begin) && is_letter(begin - 1)) --begin;
    while (is_letter(begin) && is_letter(end)) ++end;
    return std::pair(begin, end - begin);
  };
  if (n == 0 || engine() % 2 == 0) return LLVMFuzzerMutate(bytes, n, most);
  const auto [at, length] = word();
  const auto [from, other] = word();
  switch (engine() % 4) {
    case 0: text.erase(at, length); break;
    case 1: text.insert(at, text.substr(from, other)); break;
    case 2: text.replace(at, length, text.substr(from, other)); break;
    default: text.resize(engine() % 8 == 0 ? at : n);
  }
  text.resize(std::min(text.size(), most));
  std::ranges::copy(text, bytes);
  return text.size();
}
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t n) {
  cereus_fuzz({reinterpret_cast<const char*>(bytes), n});
  return 0;
}
#else
int main(int n, char** names) {
  int runs = 0;
  for (int i = 1; i < n; ++i)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(names[i])) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      for (std::size_t length : {bytes.size(), bytes.size() / 2, bytes.size() / 3})
        cereus_fuzz(std::string_view(bytes).substr(0, length)), ++runs;
    }
  std::printf("%d inputs\n", runs);
  return runs > 0 ? 0 : 1;
}
#endif
