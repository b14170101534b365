// What a device did, seen by CUPTI and not by us: with CUDA_INJECTION64_PATH=libtrace.so each process prints at its end
// the bytes that it copied in each direction, and writes the times of kernels and copies to the file CEREUS_TRACE (%d:
// the number of the process).
#include <cupti.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {
struct Event {
  std::uint64_t start, end;
  std::uint32_t stream;
  std::string name;
  std::uint64_t bytes;
};
std::mutex mutex;
std::vector<Event> events;
std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> copied;  // direction: copies, bytes

const char* direction(unsigned kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD: return "to the device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH: return "to the host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD: return "on the device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP: return "between devices";
    default: return "otherwise";
  }
}

void CUPTIAPI give(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
  *size = 8 << 20, *records = 0;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
}
void CUPTIAPI take(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  const std::lock_guard lock(mutex);
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
      const auto* m = reinterpret_cast<const CUpti_ActivityMemcpy6*>(record);
      auto& [n, bytes] = copied[direction(m->copyKind)];
      ++n, bytes += m->bytes;
      events.push_back({m->start, m->end, m->streamId, direction(m->copyKind), m->bytes});
    } else if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      const auto* k = reinterpret_cast<const CUpti_ActivityKernel9*>(record);
      events.push_back({k->start, k->end, k->streamId, k->name, 0});
    }
  }
  std::free(buffer);
}

void finish() {
  cuptiActivityFlushAll(1);
  for (const auto& [to, n] : copied)
    std::fprintf(stderr, "trace: %llu copies %s, %llu bytes\n", static_cast<unsigned long long>(n.first), to.c_str(),
        static_cast<unsigned long long>(n.second));
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  const char* pattern = std::getenv("CEREUS_TRACE");
  if (!pattern || events.empty()) return;  // such as the process that starts the others
  std::string path = pattern;
  if (const auto at = path.find("%d"); at != std::string::npos) path.replace(at, 2, rank ? rank : "0");
  std::FILE* f = std::fopen(path.c_str(), "w");
  if (!f) return;
  for (const auto& e : events)
    std::fprintf(f, "%llu %llu %u %llu %s\n", static_cast<unsigned long long>(e.start),
        static_cast<unsigned long long>(e.end), e.stream, static_cast<unsigned long long>(e.bytes), e.name.c_str());
  std::fclose(f);
}
}  // namespace

extern "C" int InitializeInjection() {
  static bool done = false;  // it is called more than once
  if (done) return 1;
  done = true;
  cuptiActivityRegisterCallbacks(give, take);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  std::atexit(finish);
  return 1;
}
