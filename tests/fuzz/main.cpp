// Runs a target: under libFuzzer (fuzz.sh), or over the files of a folder, as a test.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz.hpp"
#ifdef CEREUS_LIBFUZZER
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
