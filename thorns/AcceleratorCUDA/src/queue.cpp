#include "queue.hpp"

namespace AcceleratorCUDA {
namespace {
using steady = std::chrono::steady_clock;

struct Event : Device::Moment {
  Event() { check(cudaEventCreate(&event), "making an event"); }
  Event(const Event&) = delete;
  ~Event() override { cudaEventDestroy(event); }
  std::optional<std::chrono::nanoseconds> since(const Device::Moment& earlier) const override {
    float ms = 0;
    const auto code = cudaEventElapsedTime(&ms, static_cast<const Event&>(earlier).event, event);
    if (code == cudaErrorNotReady) return cudaGetLastError(), std::nullopt;
    check(code, "asking for the time between two events");
    return std::chrono::nanoseconds(static_cast<std::int64_t>(1e6 * static_cast<double>(ms)));
  }
  cudaEvent_t event = nullptr;
};

dim3 size_of(const unsigned (&n)[3]) { return {n[0], n[1], n[2]}; }

cudaKernelNodeParams node_of(const DeviceCall& c, void** arguments) {
  for (int n = 0; n < c.arguments; ++n) arguments[n] = const_cast<void*>(c.argument[n]);
  cudaKernelNodeParams p{};
  p.func = const_cast<void*>(c.function);
  p.gridDim = size_of(c.grid), p.blockDim = size_of(c.threads);
  p.sharedMemBytes = c.shared;
  p.kernelParams = arguments;
  return p;
}

std::string names(const Sequence& s) {
  std::string text;
  for (std::size_t n = 0; n < s.size(); ++n)
    if (n == 0 || s.who(n) != s.who(n - 1)) text += (n == 0 ? "" : ", ") + s.who(n);
  return text;
}
}  // namespace

Graph::~Graph() {
  if (exec_) cudaGraphExecDestroy(exec_);
  if (graph_) cudaGraphDestroy(graph_);
}

void Graph::make(const Sequence& s) {
  check(cudaGraphCreate(&graph_, 0), "making a graph");
  nodes_.resize(s.size());
  for (std::size_t n = 0; n < s.size(); ++n) {
    void* arguments[DeviceCall::most_arguments];
    const auto p = node_of(s.call(n), arguments);
    check(cudaGraphAddKernelNode(&nodes_[n], graph_, n ? &nodes_[n - 1] : nullptr, n ? 1 : 0, &p),
        "the kernel of " + s.who(n));
  }
  check(cudaGraphInstantiate(&exec_, graph_, 0), "making a graph of the kernels of " + names(s));
}

void Graph::set(std::size_t n, const DeviceCall& c) {
  void* arguments[DeviceCall::most_arguments];
  const auto p = node_of(c, arguments);
  check(cudaGraphExecKernelNodeSetParams(exec_, nodes_[n], &p), "setting the arguments of a kernel");
}

void Graph::launch(cudaStream_t stream) { check(cudaGraphLaunch(exec_, stream), "launching a graph"); }

Queue::~Queue() {
  for (cudaStream_t s : {main_, side_})
    if (s) cudaStreamDestroy(s);
  for (cudaEvent_t e : {forked_, joined_})
    if (e) cudaEventDestroy(e);
}

void Queue::open() {
  int low = 0, high = 0;
  check(cudaDeviceGetStreamPriorityRange(&low, &high), "asking for priorities");
  check(cudaStreamCreateWithPriority(&main_, cudaStreamNonBlocking, low), "making a stream");
  check(cudaStreamCreateWithPriority(&side_, cudaStreamNonBlocking, high), "making a stream");
  for (cudaEvent_t* e : {&forked_, &joined_})
    check(cudaEventCreateWithFlags(e, cudaEventDisableTiming), "making an event");
  stream_ = main_;
}

void Queue::start(const DeviceCall& c, const char* who) {
  held_.add(c, who);
  if (!graphs_ || held_.size() >= at_once_) submit(), at_once_ = std::min(8 * at_once_, most);
}

void Queue::launch_one_by_one() {
  for (std::size_t n = 0; n < held_.size(); ++n) {
    const DeviceCall c = held_.call(n);
    void* arguments[DeviceCall::most_arguments];
    node_of(c, arguments);
    const auto put = [&] {
      check(cudaLaunchKernel(c.function, size_of(c.grid), size_of(c.threads), arguments, c.shared, stream_),
          "the kernel of " + held_.who(n));
    };
    counters_ ? counters_->launch(c, held_.who(n), put) : put();
  }
}

// Where the device takes no more launches until it has done some, submitting is waiting.
void Queue::submit() {
  if (held_.size() == 0) return;
  const auto longest = std::chrono::microseconds(50 + 10 * held_.size());
  const auto begin = steady::now();
  submit_held();
  if (const auto time = steady::now() - begin; time > longest) waited_ += time;
}

// A graph is captured only at the third identical submission, because capturing costs about 30 launches. Beside the
// main stream there are none: what lies there is to begin first, and a graph did not (decision 13).
void Queue::submit_held() {
  if (held_.size() == 1 || !graphs_ || beside()) {
    launch_one_by_one();
  } else {
    auto& [before, seen, graph] = repeats_.find(held_);
    if (!before.same_arguments(held_)) {
      for (std::size_t n = 0; graph && n < held_.size(); ++n)
        if (!before.same_arguments(held_, n)) graph.set(n, held_.call(n));
      before = held_;
    }
    if (!graph && seen >= 2) graph.make(held_);
    graph ? graph.launch(stream_) : launch_one_by_one();
  }
  held_.clear();
}

std::shared_ptr<Device::Moment> Queue::moment() {
  if (beside()) return nullptr;
  auto now = std::make_shared<Event>();
  check(cudaEventRecord(now->event, stream()), "recording an event");
  return now;
}

void Queue::wait(const std::string& doing) {
  const cudaStream_t stream = this->stream();
  const auto begin = steady::now();
  check(cudaStreamSynchronize(stream), doing);
  if (!beside()) at_once_ = 1;
  waited_ += steady::now() - begin;
}

void Queue::fork(bool loose) {
  check(cudaEventRecord(forked_, stream()), "recording an event");
  if (!loose) catch_up();
}
void Queue::catch_up() { check(cudaStreamWaitEvent(side(), forked_, 0), "waiting for an event"); }

void Queue::end_side() {
  check(cudaEventRecord(joined_, stream()), "recording an event");
  stream_ = main_;
  check(cudaStreamWaitEvent(main_, joined_, 0), "waiting for an event");
}
}  // namespace AcceleratorCUDA
