// Fourier transforms by cuFFT, which is looked for at run time: nobody needs the library to build, or to run without
// it.
#pragma once
#include <dlfcn.h>
#include <cereus/transform.hpp>
#include <limits>

#include "queue.hpp"
namespace AcceleratorCUDA {
// Of cuFFT's interface what is used here.
using FftPlan = int;
enum class FftResult : int { success = 0 };
enum class FftKind : int {
  real_to_complex = 0x2a,
  complex_to_real = 0x2c,
  to_complex_double = 0x6a,
  to_real_double = 0x6c
};

class CuFft {
 public:
  // Null if there is none here.
  static const CuFft* instance() {
    static const CuFft cufft;
    return cufft.complete_ ? &cufft : nullptr;
  }
  static void check(FftResult code, const char* doing) {
    if (code != FftResult::success)
      throw Failure(std::string("cuFFT failed in ") + doing + ", code " + std::to_string(static_cast<int>(code)) +
                    "; is the device's memory full?");
  }
  FftResult (*plan_many)(FftPlan*, int, int*, int*, int, int, int*, int, int, FftKind, int) = nullptr;
  FftResult (*set_stream)(FftPlan, cudaStream_t) = nullptr;
  FftResult (*destroy)(FftPlan) = nullptr;
  FftResult (*forward_double)(FftPlan, double*, double2*) = nullptr;
  FftResult (*backward_double)(FftPlan, double2*, double*) = nullptr;
  FftResult (*forward_float)(FftPlan, float*, float2*) = nullptr;
  FftResult (*backward_float)(FftPlan, float2*, float*) = nullptr;

 private:
  CuFft() {
    void* library = nullptr;
    for (const char* name : {"libcufft.so.12", "libcufft.so.11", "libcufft.so"})  // of CUDA 13, of 11 and 12
      if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const auto find = [&](auto& f, const char* symbol) {
      f = library ? reinterpret_cast<std::decay_t<decltype(f)>>(dlsym(library, symbol)) : nullptr;
      return f != nullptr;
    };
    complete_ = find(plan_many, "cufftPlanMany") && find(set_stream, "cufftSetStream") &&
                find(destroy, "cufftDestroy") && find(forward_double, "cufftExecD2Z") &&
                find(backward_double, "cufftExecZ2D") && find(forward_float, "cufftExecR2C") &&
                find(backward_float, "cufftExecC2R");
  }
  bool complete_ = false;
};

class DeviceTransform : public Transform {
 public:
  // Whether its numbers of elements are such as cuFFT takes.
  static bool takes(const TransformShape& s) {
    return std::max(s.real.plane, s.complex.plane) * s.n[2] <= std::numeric_limits<int>::max();
  }
  DeviceTransform(const CuFft& cufft, const TransformShape& s, Queue& queue)
      : cufft_(cufft),
        queue_(queue),
        single_(s.single) {
    int n[3], real[3], complex[3], rank = 0;  // slowest axis first
    for (int d = 2; d >= 0; --d) {
      if (d > 0 && s.n[d] == 1) continue;
      const auto pitch = [&](const TransformShape::Pitch& p) {
        return static_cast<int>(d == 1                      ? p.plane / p.row
                                : d == 2                    ? s.n[2]
                                : s.n[1] == 1 && s.n[2] > 1 ? p.plane
                                                            : p.row);
      };
      n[rank] = s.n[d], real[rank] = pitch(s.real), complex[rank] = pitch(s.complex), ++rank;
    }
    const int all_real = static_cast<int>(s.real.plane * s.n[2]),
              all_complex = static_cast<int>(s.complex.plane * s.n[2]);
    CuFft::check(cufft_.plan_many(&forward_, rank, n, real, 1, all_real, complex, 1, all_complex,
                     single_ ? FftKind::real_to_complex : FftKind::to_complex_double, 1),
        "planning a transform");
    const auto failed = cufft_.plan_many(&backward_, rank, n, complex, 1, all_complex, real, 1, all_real,
        single_ ? FftKind::complex_to_real : FftKind::to_real_double, 1);
    if (failed != FftResult{}) cufft_.destroy(forward_);  // the destructor of what was never made does not run
    CuFft::check(failed, "planning a transform");
  }
  ~DeviceTransform() override { cufft_.destroy(forward_), cufft_.destroy(backward_); }
  void forward(char* real, char* complex) override {
    CuFft::check(cufft_.set_stream(forward_, queue_.stream()), "choosing a stream");
    CuFft::check(single_ ? cufft_.forward_float(forward_, as<float>(real), as<float2>(complex))
                         : cufft_.forward_double(forward_, as<double>(real), as<double2>(complex)),
        "a transform");
  }
  void backward(char* complex, char* real) override {
    CuFft::check(cufft_.set_stream(backward_, queue_.stream()), "choosing a stream");
    CuFft::check(single_ ? cufft_.backward_float(backward_, as<float2>(complex), as<float>(real))
                         : cufft_.backward_double(backward_, as<double2>(complex), as<double>(real)),
        "a transform");
  }

 private:
  template <class T> static T* as(char* p) { return reinterpret_cast<T*>(p); }
  const CuFft& cufft_;
  Queue& queue_;
  bool single_;
  FftPlan forward_ = 0, backward_ = 0;
};
}  // namespace AcceleratorCUDA
