// benchmark_view_elementwise CELLS ROUNDS: element-wise expressions over the bandwidth of the copy g = f and, on a GPU,
// of cudaMemcpy, each the best of so many rounds, from the call until it is over.
#include <cereus/view.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace cereus;
namespace {
#ifdef __CUDACC__
// Within the device's memory; nothing where there is none.
class DeviceCopy {
 public:
  explicit DeviceCopy(std::size_t bytes) : bytes_(bytes) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return;
    there_ = cudaMalloc(&from_, bytes) == cudaSuccess && cudaMalloc(&to_, bytes) == cudaSuccess;
    if (there_) cudaMemset(from_, 0, bytes);
  }
  bool there() const { return there_; }
  void operator()() const {
    cudaMemcpyAsync(to_, from_, bytes_, cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
  }

 private:
  std::size_t bytes_;
  void *from_ = nullptr, *to_ = nullptr;
  bool there_ = false;
};
#else
struct DeviceCopy {
  explicit DeviceCopy(std::size_t) {}
  bool there() const { return false; }
  void operator()() const {}
};
#endif
}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 512, rounds = argc > 2 ? std::atoi(argv[2]) : 30;
  view::World world(argc, argv, {.cells = {n, n, n}, .lower = {0}, .upper = {1}});
  auto f = world.field("f"), g = world.field("g"), h = world.field("h");
  f = view::x + 1;
  g = 2 * sqrt(f);
  h = f * g + 0.5;
  h.at(0);
  const double bytes = 8.0 * n * n * n;
  const DeviceCopy copy(static_cast<std::size_t>(bytes));
  constexpr const char* what[] = {"cudaMemcpy", "g = f", "g = 2 sqrt(f)", "h = f g + k", "sum((g - h)^2)"};
  constexpr int arrays[] = {2, 2, 2, 3, 2};
  double best[] = {1e30, 1e30, 1e30, 1e30, 1e30};
  for (int r = 0; r < rounds; ++r) {
    const auto time = [&](int k, auto&& run) {
      const auto begin = std::chrono::steady_clock::now();
      run();
      best[k] = std::min(best[k], std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    };
    if (copy.there()) time(0, copy);
    time(1, [&] { g = f; });
    time(2, [&] { g = 2 * sqrt(f); });
    time(3, [&] { h = f * g + 0.5; });
    time(4, [&] { (void)sum(square(g - h)); });
  }
  const int first = copy.there() ? 0 : 1;  // the copy that others are compared with
  for (int k = first; k < 5 && world.rank() == 0; ++k)
    std::printf("%-15s %7.1f GB/s, %.3f of %s\n", what[k], 1e-9 * arrays[k] * bytes / best[k],
        arrays[k] / best[k] * best[first] / arrays[first], what[first]);
}
