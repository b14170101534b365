// The queue of a device: kernels are held back until the host waits, copies or sends, or until there are 64, and then
// go to the device together; a sequence that comes again goes as a CUDA graph (not beside the main stream). After the
// host has waited for the main stream, that stream is empty: the first kernel goes at once, then eight. On an
// H200 one launch takes the host 4 µs, a graph of four 2 µs, and setting the arguments of a kernel in it 1 µs, so a new
// time step or parameter needs nothing but that.
#pragma once
#include "counters.hpp"
#include "cuda.hpp"
#include "sequence.hpp"
namespace AcceleratorCUDA {
class Graph {  // of a sequence
 public:
  Graph() = default;
  Graph(Graph&&) = delete;
  ~Graph();
  explicit operator bool() const { return exec_; }
  void make(const Sequence&);
  void set(std::size_t n, const DeviceCall&);
  void launch(cudaStream_t);

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  std::vector<cudaGraphNode_t> nodes_;
};

class Queue {
 public:
  // Kernels are counted, if there are counters, and then not in graphs: a graph is launched as a whole.
  explicit Queue(bool graphs, KernelCounters* counters = nullptr) : graphs_(graphs && !counters), counters_(counters) {}
  ~Queue();
  void open();
  void start(const DeviceCall&, const char* who);
  void submit();
  // For all else than kernels: what was held back goes first.
  cudaStream_t stream() { return submit(), stream_; }
  cudaStream_t side() { return submit(), side_; }
  // See Device.
  void fork(bool loose);
  void catch_up();
  void begin_side() { submit(), stream_ = side_; }
  void end_side();
  bool beside() const { return stream_ == side_; }
  // In the main stream; null beside it.
  std::shared_ptr<Device::Moment> moment();
  void wait(const std::string& doing);                                      // for what lies in the stream
  std::chrono::nanoseconds waited() { return std::exchange(waited_, {}); }  // since the last call

 private:
  static constexpr std::size_t most = 64;  // kernels in a graph
  void launch_one_by_one();
  void submit_held();

  bool graphs_;
  KernelCounters* counters_;
  Sequence held_;
  std::size_t at_once_ = 1;  // so many go together
  Repeats<Graph> repeats_;
  // The main stream, and the one beside it, which is served first; kernels go to stream_, one of them.
  cudaStream_t stream_ = nullptr, main_ = nullptr, side_ = nullptr;
  cudaEvent_t forked_ = nullptr, joined_ = nullptr;
  std::chrono::nanoseconds waited_{};
};
}  // namespace AcceleratorCUDA
