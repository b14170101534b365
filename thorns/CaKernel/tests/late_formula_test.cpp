// Formulas as text for a late compiler, here the host's: the same bits as of a kernel that goes through their steps.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cereus/formula.hpp"
#include "late_formula.hpp"

namespace {
using namespace cereus;
struct Place {
  int at[3];
  int index(int d) const { return at[d]; }
};
constexpr const char* formulas[] = {"sin(pi*x)*sin(2*pi*y)*sin(3*pi*z) + x*y", "t", "1e-3", "-x^2^y", "x^2 - -y**3/z",
    "x < y ? x : z > t ? y : 1", "(x <= y) + 2*(y >= x) + 4*(x > z)", "noise(3) + 0.5*noise(1)",
    "max(min(x, y), abs(-z)) + floor(10*x) - ceil(7*t)",
    "tan(x) + asin(x/4) + acos(y/4) + atan(z) + atan2(x, y) + sinh(x) + cosh(y) + tanh(z) + erf(t)",
    "exp(-x*x/0.02) + log(y) + log10(z) + pow(x, 1/3) + sqrt(t) + cos(e*x) + 0.1"};

// Mutations of late_formula.cpp: the first operand for the second; noise as any operation; a number by to_string().
TEST(CaKernel, formulas_as_text_have_the_bits_of_their_steps) {
  const char* source = std::getenv("CEREUS_SOURCE");
  if (!source || std::system("g++ --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no compiler, or no CEREUS_SOURCE";
  const std::vector<std::string> known{"x", "y", "z", "t"};
  std::string text = "#define CEREUS_LATE_FORMULAS\n#include <cereus/kernel/steps.hpp>\n", calls;
  std::vector<Steps> all;
  for (const char* formula : formulas) {
    const int number = static_cast<int>(all.size());
    all.push_back(steps_of(formula, known));
    text += CaKernel::text_of(all.back(), number);
    calls +=
        "  to[" + std::to_string(number) + "] = cereus::run<" + std::to_string(number) + ">(none, values, place);\n";
  }
  text +=
      "struct Place { int at[3]; int index(int d) const { return at[d]; } };\nextern \"C\" void all(const double* "
      "values, "
      "const int* at, double* to) {\n  const Place place{at[0], at[1], at[2]};\n  const cereus::Steps none{};\n" +
      calls + "}\n";
  std::string folder = std::filesystem::temp_directory_path() / "cereus-XXXXXX";
  ASSERT_TRUE(mkdtemp(folder.data()));
  std::ofstream(folder + "/formulas.cpp") << text;
  const std::string command = "g++ -std=c++20 -O2 -ffp-contract=off -fno-math-errno -fPIC -shared -I " +
                              std::string(source) + "/flesh/include -o " + folder + "/formulas.so " + folder +
                              "/formulas.cpp";
  ASSERT_EQ(std::system(command.c_str()), 0) << text;
  void* library = dlopen((folder + "/formulas.so").c_str(), RTLD_NOW);
  ASSERT_TRUE(library) << dlerror();
  const auto compiled = reinterpret_cast<void (*)(const double*, const int*, double*)>(dlsym(library, "all"));
  for (int n = 0; n < 200; ++n) {
    const double values[] = {0.37 + 0.011 * n, 1.9 - 0.007 * n, 0.2 + 0.005 * n, 0.25 * n};
    const Place place{{n, 7 - n, 3 * n}};
    double found[std::size(formulas)];
    compiled(values, place.at, found);
    for (std::size_t f = 0; f < all.size(); ++f) {
      const double want = run(all[f], values, place);
      EXPECT_TRUE(found[f] == want || (std::isnan(found[f]) && std::isnan(want)))
          << formulas[f] << ": " << found[f] << ", not " << want;
    }
  }
  dlclose(library);
  std::filesystem::remove_all(folder);
}
}  // namespace
