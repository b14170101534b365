// Fourier transforms in the host's memory, by KISS FFT, with threads over lines.
#pragma once
#include <omp.h>
#include <cereus/caught.hpp>
#include <cereus/transform.hpp>
#include <kissfft/kissfft.hh>

#include <complex>
#include <memory>
#include <vector>
namespace Fourier {
using namespace cereus;
template <class Real> class HostTransform : public Transform {
  using Complex = std::complex<Real>;

 public:
  explicit HostTransform(const TransformShape& s) : s_(s), waves_(s.n[0] / 2 + 1) {}
  void forward(char* real, char* complex) override {
    const auto* from = reinterpret_cast<const Real*>(real);
    auto* to = reinterpret_cast<Complex*>(complex);
    lines(s_.n[0], s_.n[1], s_.n[2], false, [&](int j, int k, auto& fourier, Complex* in, Complex* out) {
      for (int i = 0; i < s_.n[0]; ++i) in[i] = from[i + j * s_.real.row + k * s_.real.plane];
      fourier.transform(in, out);
      for (int i = 0; i < waves_; ++i) to[i + j * s_.complex.row + k * s_.complex.plane] = out[i];
    });
    across(to, 1, false), across(to, 2, false);
  }
  void backward(char* complex, char* real) override {
    auto* from = reinterpret_cast<Complex*>(complex);
    auto* to = reinterpret_cast<Real*>(real);
    across(from, 2, true), across(from, 1, true);
    lines(s_.n[0], s_.n[1], s_.n[2], true, [&](int j, int k, auto& fourier, Complex* in, Complex* out) {
      for (int i = 0; i < s_.n[0]; ++i) {
        const Complex& c = from[(i < waves_ ? i : s_.n[0] - i) + j * s_.complex.row + k * s_.complex.plane];
        in[i] = i < waves_ ? c : std::conj(c);
      }
      fourier.transform(in, out);
      for (int i = 0; i < s_.n[0]; ++i) to[i + j * s_.real.row + k * s_.real.plane] = out[i].real();
    });
  }

 private:
  // Calls line(a, b, transform of n numbers, in, out) for all a and b.
  template <class Line> static void lines(int n, int most_a, int most_b, bool inverse, Line&& line) {
    struct Own {  // of a thread: a transform has scratch memory
      kissfft<Real> fourier;
      std::vector<Complex> in, out;
    };
    const std::vector<Complex> empty(static_cast<std::size_t>(n));
    std::vector<Own> of_thread(static_cast<std::size_t>(omp_get_max_threads()),
        Own{kissfft<Real>(static_cast<std::size_t>(n), inverse), empty, empty});
    cereus::Caught caught;
#pragma omp parallel for collapse(2)
    for (int b = 0; b < most_b; ++b)
      for (int a = 0; a < most_a; ++a)
        caught([&] {
          Own& own = of_thread[static_cast<std::size_t>(omp_get_thread_num())];
          line(a, b, own.fourier, own.in.data(), own.out.data());
        });
    caught.rethrow();
  }
  void across(Complex* c, int axis, bool inverse) const {
    const int n = s_.n[axis], other = 3 - axis;
    if (n == 1) return;
    const Offset step = axis == 1 ? s_.complex.row : s_.complex.plane,
                 beside = axis == 1 ? s_.complex.plane : s_.complex.row;
    lines(n, waves_, s_.n[other], inverse, [&](int i, int b, auto& fourier, Complex* in, Complex* out) {
      Complex* line = c + i + b * beside;
      for (int m = 0; m < n; ++m) in[m] = line[m * step];
      fourier.transform(in, out);
      for (int m = 0; m < n; ++m) line[m * step] = out[m];
    });
  }
  TransformShape s_;
  int waves_;
};

inline std::unique_ptr<Transform> host_transform(const TransformShape& s) {
  if (s.single) return std::make_unique<HostTransform<float>>(s);
  return std::make_unique<HostTransform<double>>(s);
}
}  // namespace Fourier
