// What the flesh finds when it opens this library.
#include <cstring>

#include "cereus/abi.hpp"
#include "equations/cost.hpp"
#include "equations/thorn.hpp"
#include "late/late_thorn.hpp"

namespace cereus {
namespace {
struct Library final : Languages {
  LateThorns take(ParameterFile& file, Problems& problems) const override { return take_late(file, problems); }
  LateThorn equations(const Where& start, const std::string& text) const override {
    return late_equations(start, text);
  }
  std::string as_yaml(const LateThorns& thorns) const override { return cereus::as_yaml(thorns); }
  AssignmentThorn assignment(const std::string& target, const Formula& f) const override {
    return late_assignment(target, f);
  }
  Plugin compile(const LateThorn& thorn, const CompileFor& to) const override { return cereus::compile(thorn, to); }
  bool is_compiled(const LateThorn& thorn, const CompileFor& to) const override {
    return cereus::is_compiled(thorn, to);
  }
  std::string costs(const std::string& thorn, const std::string& text) const override {
    return print_costs(equations::read_thorn({thorn}, text, equations::Target{})->program);
  }
  int command_equations(const Options& options) const override { return check_or_write(options); }
};
}  // namespace

// Nothing for a flesh that was built from other headers.
extern "C" __attribute__((visibility("default"))) const Languages* cereus_languages(const char* headers) {
  static const Library library;
  return std::strcmp(headers, abi_headers) == 0 ? &library : nullptr;
}
}  // namespace cereus
