// NAME.cpp of a thorn that is compiled for one run: the launch tables of its kernels, and nothing else, because headers
// of declarations take longer to read than these kernels to compile.
#include <fmt/format.h>

#include "equations/print.hpp"

namespace cereus::equations {
std::string print_tables(const Program& program, const std::string& real) {
  const std::string& name = program.model->text().name;
  const int dimension = program.dimensions.front();
  std::string tables, fill;
  for (std::size_t n = 0; n < program.kernels.size(); ++n) {
    const Kernel& k = program.kernels[n];
    const std::string type = fmt::format("::{}::{}<{}{}, {}>", name, k.name,
        k.order ? fmt::format("{}, ", program.orders.front()) : "", dimension, real);
    tables += fmt::format("  tables[{}] = cereus::detail::make_table<{}, {}, {}>();\n", n, type, dimension, real);
    const auto constants = constants_of(program, k);
    if (constants.empty()) continue;
    fill += fmt::format("  if (kernel == {}) {{\n    auto& k = *static_cast<{}*>(members);\n", n, type);
    for (std::size_t c = 0; c < constants.size(); ++c)
      fill += fmt::format("    k.{0} = static_cast<decltype(k.{0})>(values[{1}]);\n", constants[c].name, c);
    fill += "  }\n";
  }
  constexpr const char* exported = "extern \"C\" __attribute__((visibility(\"default\"))) void";
  return fmt::format(
      "#include <cereus/abi.hpp>\n#include <cereus/make_table.hpp>\n\n#include \"kernels.hpp\"\n"
      "__attribute__((section(\".cereus_abi\"), used, retain)) static constexpr cereus::AbiDescriptor "
      "cereus_abi_descriptor =\n    cereus::make_abi_descriptor(\"{0}\", cereus::this_build());\n"
      "{1} cereus_tables([[maybe_unused]] cereus::KernelTable* tables) {{\n{2}}}\n"
      "{1} cereus_fill([[maybe_unused]] int kernel, [[maybe_unused]] void* members,\n"
      "    [[maybe_unused]] const double* values) {{\n{3}}}\n",
      name, exported, tables, fill);
}
}  // namespace cereus::equations
