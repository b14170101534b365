#include "late_loops.hpp"

#include <cereus/console.hpp>

#include <utility>

namespace AcceleratorCUDA {
namespace {
// Calls f(name, where its address goes) for each function of loops over such axes.
template <class F> void for_each_function(const DeviceLoops& k, AxesOf of, DeviceFunctions& to, F&& f) {
  constexpr const char* names[] = {"cereus::UniformAxes", "cereus::StretchedAxes", "cereus::MappedAxes"};
  const int a = static_cast<int>(of);
  const std::string axes = names[a], real = CaKernel::type_of(k.real),
                    begin = "<" + CaKernel::type_of(k.kernel) + ", " + std::to_string(k.dim) + ", ";
  const auto add = [&](const std::string& loop, const std::string& arguments, const void*& place) {
    f("cereus::detail::device_" + loop + arguments + ">", place);
  };
  if (k.value) {
    const std::string value = CaKernel::type_of(k.value);
    add("reduce", begin + value + ", " + axes, to.reduce[a]), add("combine", "<" + value, to.combine);
    return;
  }
  for (const int m : {0, 1}) {
    const std::string many = m ? "true" : "false";
    add("direct", begin + many + ", " + axes, to.direct[a][m]);
    if (k.has_fused(of)) add("fused", begin + real + ", " + many + ", " + axes, to.fused[a][m]);
    if (of != AxesOf::uniform) continue;
    if (k.modifies) add("modify", begin + real + ", " + many, to.modify[m]);
    for (int n = 0; n < 3 && k.marches; ++n)
      add("march", begin + real + ", " + many + ", " + std::to_string(detail::march_sources[n]), to.march[n][m]);
  }
}
}  // namespace

std::vector<CaKernel::Text> headers_of(const detail::EmbeddedFile* list) {
  std::map<std::string, std::string> headers;
  for (const auto* f = list; f && f->name; ++f) headers[f->name] = f->text;
  for (const auto* f = detail::thorn_source; f->name; ++f) headers.try_emplace(f->name, f->text);
  return {headers.begin(), headers.end()};
}

CaKernel::Source source_of(const DeviceLoops& k, AxesOf of) {
  CaKernel::Source source{"#include \"kernels.hpp\"\n", headers_of(k.source), {}, k.contracts};
  for (const char* loops : {"march", "modify", "reduce"})
    source.text += std::string("#include <AcceleratorCUDA/loop/") + loops + ".hpp>\n";
  DeviceFunctions nowhere;
  for_each_function(k, of, nowhere, [&](const std::string& name, auto&) { source.functions.push_back(name); });
  return source;
}

void LateLoops::allow(bool all_can) {
  can_compile_ = all_can;
  if (all_can || std::exchange(said_, true)) return;
  console::warn(CaKernel::Nvrtc::instance()
                    ? "equations run on the host: another process has no NVRTC (libnvrtc.so)"
                    : "equations run on the host: there is no NVRTC (libnvrtc.so) that would compile them for the "
                      "device; install it, or name its folder in LD_LIBRARY_PATH");
}

LateLoops::Late& LateLoops::begun(const DeviceLoops& k, AxesOf of) {
  const auto [place, fresh] = known_.try_emplace({&k, of});
  if (fresh) place->second.code = compiler_.begin(source_of(k, of));
  return place->second;
}

const DeviceFunctions& LateLoops::of(const DeviceLoops& k, AxesOf of, const char* who) {
  Late& late = begun(k, of);
  if (!late.code.valid()) return late.functions;
  const CaKernel::Code& code = late.code.get();
  if (code.bytes.empty())
    throw Failure(std::string("the kernel of ") + who + " is compiled when a run begins, and that failed: " + code.log +
                  "; Cereus: {device: none} runs it on the host");
  auto symbol = code.symbols.begin();
  for_each_function(k, of, late.functions, [&](const std::string&, const void*& place) {
    place = device_.load(code.bytes, (symbol++)->c_str(), detail::device_bound, 0).function;
  });
  late.code = {};
  return late.functions;
}
}  // namespace AcceleratorCUDA
