#include "cupti.hpp"

#include <cuda_runtime.h>

#if !__has_include(<cupti_range_profiler.h>)
namespace AcceleratorCUDA {
std::unique_ptr<RangeCounters> range_counters() {
  throw NoCounters("this build has no CUPTI (cupti_range_profiler.h, which came with CUDA 12.6)");
}
}  // namespace AcceleratorCUDA
#else
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <dlfcn.h>

#include <iterator>
#include <vector>

// Each function of CUPTI takes one struct, which begins with its size.
#define CUPTI_PARAMS(type, name) \
  CUpti_##type##_Params name{};  \
  name.structSize = CUpti_##type##_Params_STRUCT_SIZE
#define CUPTI_CALL(function, params) library_.call<decltype(&function)>(#function, params)

namespace AcceleratorCUDA {
namespace {
// The most important first: as many from the front as fit one pass, because a kernel that updates in place must not run
// twice. The multiprocessors' share is that of their busiest part; sm__throughput, of all parts, takes 8 passes on an
// H200. Units for float are no busier than what issues instructions.
constexpr struct Metric {
  const char *name, *part;
} metrics[] = {{"gpu__time_duration.sum", ""}, {"dram__bytes_read.sum", ""}, {"dram__bytes_write.sum", ""},
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", ""},
    {"sm__inst_executed.avg.pct_of_peak_sustained_elapsed", "issue"},
    {"sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed", "FP64"},
    {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed", "load/store"},
    {"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed", "L1"}};
constexpr std::size_t first_part = 4;

void asked(cudaError_t code, const char* doing) {
  if (code != cudaSuccess) throw NoCounters(std::string("CUDA failed in ") + doing + ": " + cudaGetErrorString(code));
}

template <class Result> Result ask_driver(const char* name) {  // cuCtxGetCurrent and the like; nothing links the driver
  void* f = nullptr;
  cudaDriverEntryPointQueryResult found{};
  asked(cudaGetDriverEntryPointByVersion(name, &f, 12000, cudaEnableDefault, &found), name);
  Result result{};
  if (!f || reinterpret_cast<CUresult (*)(Result*)>(f)(&result) != CUDA_SUCCESS)
    throw NoCounters(std::string("the driver failed in ") + name);
  return result;
}

class Library {
 public:
  Library() : handle_(dlopen(name().c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_)
      throw NoCounters(name() + " was not found; LD_LIBRARY_PATH may name its folder, of CUDA " + version());
  }
  template <class Function, class Params> void call(const char* function, Params& p) const {
    const auto f = find<Function>(function);
    if (!f) throw NoCounters(name() + " lacks " + function + ": it is too old");
    if (const CUptiResult code = f(&p); code != CUPTI_SUCCESS)
      throw NoCounters(std::string(function) + ": " + text(code) + mend(code));
  }

 private:
  static std::string version() { return std::to_string(CUDART_VERSION / 1000); }
  static std::string name() { return "libcupti.so." + version(); }
  template <class Function> Function find(const char* function) const {
    return reinterpret_cast<Function>(dlsym(handle_, function));
  }
  std::string text(CUptiResult code) const {
    const char* symbol = nullptr;
    const auto f = find<decltype(&cuptiGetResultString)>("cuptiGetResultString");
    return f && f(code, &symbol) == CUPTI_SUCCESS && symbol ? symbol : "error " + std::to_string(code);
  }
  static const char* mend(CUptiResult code) {
    switch (code) {
      case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        return "; counters are for the administrator alone here: root (in a container, with CAP_SYS_ADMIN) or "
               "NVreg_RestrictProfilingToAdminUsers=0, "
               "an option of the driver's module, would allow them";
      case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        return "; the host of this virtual machine would have to allow them";
      case CUPTI_ERROR_HARDWARE_BUSY: return "; somebody else counts on this device";
      default: return "";
    }
  }
  void* handle_;  // stays open: CUPTI hooks into the driver
};

// Works out, on the host, how to count metrics on a chip, and what was counted.
class Host {
 public:
  Host(const Library& library, const std::string& chip, const std::vector<std::uint8_t>& available,
      std::vector<const char*> names)
      : library_(library),
        names_(std::move(names)) {
    CUPTI_PARAMS(Profiler_Host_Initialize, host);
    host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    host.pChipName = chip.c_str();
    host.pCounterAvailabilityImage = available.empty() ? nullptr : available.data();
    CUPTI_CALL(cuptiProfilerHostInitialize, host);
    host_ = host.pHostObject;
    try {
      configure();
    } catch (...) {
      end();
      throw;
    }
  }
  Host(const Host&) = delete;
  ~Host() { end(); }
  const std::vector<const char*>& names() const { return names_; }
  const std::vector<std::uint8_t>& config() const { return config_; }
  std::size_t passes() const { return passes_; }

  std::vector<double> values(const std::vector<std::uint8_t>& counted) {
    std::vector<double> v(names_.size());
    CUPTI_PARAMS(Profiler_Host_EvaluateToGpuValues, p);
    p.pHostObject = host_;
    p.pCounterDataImage = counted.data(), p.counterDataImageSize = counted.size();
    p.ppMetricNames = names_.data(), p.numMetrics = names_.size();
    p.rangeIndex = 0, p.pMetricValues = v.data();
    CUPTI_CALL(cuptiProfilerHostEvaluateToGpuValues, p);
    return v;
  }

 private:
  void configure() {
    CUPTI_PARAMS(Profiler_Host_ConfigAddMetrics, add);
    add.pHostObject = host_, add.ppMetricNames = names_.data(), add.numMetrics = names_.size();
    CUPTI_CALL(cuptiProfilerHostConfigAddMetrics, add);
    CUPTI_PARAMS(Profiler_Host_GetConfigImageSize, size);
    size.pHostObject = host_;
    CUPTI_CALL(cuptiProfilerHostGetConfigImageSize, size);
    config_.resize(size.configImageSize);
    CUPTI_PARAMS(Profiler_Host_GetConfigImage, image);
    image.pHostObject = host_, image.pConfigImage = config_.data(), image.configImageSize = config_.size();
    CUPTI_CALL(cuptiProfilerHostGetConfigImage, image);
    CUPTI_PARAMS(Profiler_Host_GetNumOfPasses, passes);
    passes.pConfigImage = config_.data(), passes.configImageSize = config_.size();
    CUPTI_CALL(cuptiProfilerHostGetNumOfPasses, passes);
    passes_ = passes.numOfPasses;
  }
  void end() noexcept try {
    CUPTI_PARAMS(Profiler_Host_Deinitialize, p);
    p.pHostObject = host_;
    CUPTI_CALL(cuptiProfilerHostDeinitialize, p);
  } catch (const NoCounters&) {  // nobody waits for it any more
  }

  const Library& library_;
  std::vector<const char*> names_;
  std::vector<std::uint8_t> config_;
  CUpti_Profiler_Host_Object* host_ = nullptr;
  std::size_t passes_ = 0;
};

// How to count as many metrics as fit one pass.
std::unique_ptr<Host> plan(
    const Library& library, const std::string& chip, const std::vector<std::uint8_t>& available) {
  std::vector<const char*> names;
  for (const auto& m : metrics) names.push_back(m.name);
  for (std::string trouble;; names.pop_back()) {
    if (names.size() < first_part) throw NoCounters(trouble);
    try {
      auto host = std::make_unique<Host>(library, chip, available, names);
      if (host->passes() == 1) return host;
      trouble = std::string(names.front()) + " takes " + std::to_string(host->passes()) + " passes on " + chip;
    } catch (const NoCounters& e) {  // a metric that this chip lacks
      trouble = e.what();
    }
  }
}

class CuptiRange : public RangeCounters {
 public:
  CuptiRange() {
    CUPTI_PARAMS(Profiler_Initialize, start);
    CUPTI_CALL(cuptiProfilerInitialize, start);
    supported();
    host_ = plan(library_, chip(), available());
    CUPTI_PARAMS(RangeProfiler_Enable, enable);
    enable.ctx = context_;
    CUPTI_CALL(cuptiRangeProfilerEnable, enable);
    object_ = enable.pRangeProfilerObject;
    try {
      make_room();
    } catch (...) {
      disable();
      throw;
    }
  }
  ~CuptiRange() override { disable(); }

  void begin() override {
    asked(cudaDeviceSynchronize(), "waiting for the device");
    CUPTI_PARAMS(RangeProfiler_CounterDataImage_Initialize, image);
    image.pRangeProfilerObject = object_;
    image.pCounterData = counted_.data(), image.counterDataSize = counted_.size();
    CUPTI_CALL(cuptiRangeProfilerCounterDataImageInitialize, image);

    CUPTI_PARAMS(RangeProfiler_SetConfig, config);
    config.pRangeProfilerObject = object_;
    config.pConfig = host_->config().data(), config.configSize = host_->config().size();
    config.pCounterDataImage = counted_.data(), config.counterDataImageSize = counted_.size();
    config.range = CUPTI_AutoRange;          // a kernel by itself
    config.replayMode = CUPTI_KernelReplay;  // of one pass: nothing is replayed
    config.maxRangesPerPass = 1;
    config.numNestingLevels = 1, config.minNestingLevel = 1, config.targetNestingLevel = 1;
    CUPTI_CALL(cuptiRangeProfilerSetConfig, config);

    CUPTI_PARAMS(RangeProfiler_Start, start);
    start.pRangeProfilerObject = object_;
    CUPTI_CALL(cuptiRangeProfilerStart, start);
  }

  Reading end() override {
    asked(cudaDeviceSynchronize(), "waiting for the device");
    CUPTI_PARAMS(RangeProfiler_Stop, stop);
    stop.pRangeProfilerObject = object_;
    CUPTI_CALL(cuptiRangeProfilerStop, stop);
    CUPTI_PARAMS(RangeProfiler_DecodeData, decode);
    decode.pRangeProfilerObject = object_;
    CUPTI_CALL(cuptiRangeProfilerDecodeData, decode);
    CUPTI_PARAMS(RangeProfiler_GetCounterDataInfo, info);
    info.pCounterDataImage = counted_.data(), info.counterDataImageSize = counted_.size();
    CUPTI_CALL(cuptiRangeProfilerGetCounterDataInfo, info);
    if (info.numTotalRanges != 1 || decode.numOfRangeDropped != 0)
      throw NoCounters("CUPTI counted " + std::to_string(info.numTotalRanges) + " launches and dropped " +
                       std::to_string(decode.numOfRangeDropped) + ", where there was one");
    return reading(host_->values(counted_));
  }

 private:
  static Reading reading(std::vector<double> v) {
    const std::size_t counted = v.size();
    v.resize(std::size(metrics));
    Reading r{1e-9 * v[0], v[1], v[2], v[3]};
    for (std::size_t n = first_part; n < counted; ++n)
      if (v[n] > r.multiprocessors) r.multiprocessors = v[n], r.busiest = metrics[n].part;
    return r;
  }

  void supported() const {
    CUPTI_PARAMS(Profiler_DeviceSupported, p);
    p.cuDevice = ask_driver<CUdevice>("cuCtxGetDevice");
    p.api = CUPTI_PROFILER_RANGE_PROFILING;
    CUPTI_CALL(cuptiProfilerDeviceSupported, p);
    if (p.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return;
    std::string why;
    const auto look = [&](CUpti_Profiler_Support_Level level, const char* what) {
      if (level == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return;
      why += (why.empty() ? "" : ", ") + std::string(what) +
             (level == CUPTI_PROFILER_CONFIGURATION_DISABLED ? " (disabled)" : "");
    };
    look(p.architecture, "its architecture"), look(p.sli, "SLI"), look(p.vGpu, "a virtual device"),
        look(p.confidentialCompute, "confidential computing");
    look(p.cmp, "a device for mining"), look(p.wsl, "WSL");
    throw NoCounters("CUPTI does not count on this device, because of " + why);
  }
  std::string chip() const {
    int device = 0;
    asked(cudaGetDevice(&device), "asking for the device");
    CUPTI_PARAMS(Device_GetChipName, p);
    p.deviceIndex = static_cast<std::size_t>(device);
    CUPTI_CALL(cuptiDeviceGetChipName, p);
    return p.pChipName;
  }
  // Which counters there are; who may not count is told here.
  std::vector<std::uint8_t> available() const {
    CUPTI_PARAMS(Profiler_GetCounterAvailability, p);
    p.ctx = context_;
    CUPTI_CALL(cuptiProfilerGetCounterAvailability, p);
    std::vector<std::uint8_t> image(p.counterAvailabilityImageSize);
    p.pCounterAvailabilityImage = image.data();
    CUPTI_CALL(cuptiProfilerGetCounterAvailability, p);
    return image;
  }
  void make_room() {
    auto names = host_->names();
    CUPTI_PARAMS(RangeProfiler_GetCounterDataSize, p);
    p.pRangeProfilerObject = object_;
    p.pMetricNames = names.data(), p.numMetrics = names.size();
    p.maxNumOfRanges = 1, p.maxNumRangeTreeNodes = 1;
    CUPTI_CALL(cuptiRangeProfilerGetCounterDataSize, p);
    counted_.resize(p.counterDataSize);
  }
  void disable() noexcept try {
    CUPTI_PARAMS(RangeProfiler_Disable, p);
    p.pRangeProfilerObject = object_;
    CUPTI_CALL(cuptiRangeProfilerDisable, p);
  } catch (const NoCounters&) {  // nobody waits for it any more
  }

  Library library_;
  CUcontext context_ = ask_driver<CUcontext>("cuCtxGetCurrent");
  std::unique_ptr<Host> host_;
  CUpti_RangeProfiler_Object* object_ = nullptr;
  std::vector<std::uint8_t> counted_;  // CUPTI writes it
};
}  // namespace

std::unique_ptr<RangeCounters> range_counters() { return std::make_unique<CuptiRange>(); }
}  // namespace AcceleratorCUDA
#endif
