// Fourier transforms by cuFFT, which is looked for at run time: nobody needs the library to build, or to run without
// it.
#pragma once
#include <cufft.h>
#include <dlfcn.h>
#include <cereus/transform.hpp>

#include "queue.hpp"
namespace AcceleratorCUDA {
class CuFft {
 public:
  // Null if there is none here.
  static const CuFft* instance() {
    static const CuFft cufft;
    return cufft.complete_ ? &cufft : nullptr;
  }
  static void check(cufftResult code, const char* doing) {
    if (code != CUFFT_SUCCESS)
      throw Failure(std::string("cuFFT failed in ") + doing + ", code " + std::to_string(code));
  }
  decltype(&cufftPlanMany) plan_many = nullptr;
  decltype(&cufftSetStream) set_stream = nullptr;
  decltype(&cufftDestroy) destroy = nullptr;
  decltype(&cufftExecD2Z) forward_double = nullptr;
  decltype(&cufftExecZ2D) backward_double = nullptr;
  decltype(&cufftExecR2C) forward_float = nullptr;
  decltype(&cufftExecC2R) backward_float = nullptr;

 private:
  CuFft() {
    const std::string name = "libcufft.so." + std::to_string(CUFFT_VER_MAJOR);
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
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
  DeviceTransform(const CuFft& cufft, const TransformShape& s, Queue& queue)
      : cufft_(cufft),
        queue_(queue),
        single_(s.single) {
    int n[3], real[3], complex[3], rank = 0;  // slowest axis first
    for (int d = 2; d >= 0; --d) {
      if (d > 0 && s.n[d] == 1) continue;
      const auto pitch = [&](const TransformShape::Pitch& p) {
        return static_cast<int>(d == 0 ? p.row : d == 1 ? p.plane / p.row : s.n[2]);
      };
      n[rank] = s.n[d], real[rank] = pitch(s.real), complex[rank] = pitch(s.complex), ++rank;
    }
    const int all_real = static_cast<int>(s.real.plane * s.n[2]),
              all_complex = static_cast<int>(s.complex.plane * s.n[2]);
    CuFft::check(cufft_.plan_many(&forward_, rank, n, real, 1, all_real, complex, 1, all_complex,
                     single_ ? CUFFT_R2C : CUFFT_D2Z, 1),
        "planning a transform");
    CuFft::check(cufft_.plan_many(&backward_, rank, n, complex, 1, all_complex, real, 1, all_real,
                     single_ ? CUFFT_C2R : CUFFT_Z2D, 1),
        "planning a transform");
  }
  ~DeviceTransform() override { cufft_.destroy(forward_), cufft_.destroy(backward_); }
  void forward(char* real, char* complex) override {
    CuFft::check(cufft_.set_stream(forward_, queue_.stream()), "choosing a stream");
    CuFft::check(single_ ? cufft_.forward_float(forward_, as<cufftReal>(real), as<cufftComplex>(complex))
                         : cufft_.forward_double(forward_, as<cufftDoubleReal>(real), as<cufftDoubleComplex>(complex)),
        "a transform");
  }
  void backward(char* complex, char* real) override {
    CuFft::check(cufft_.set_stream(backward_, queue_.stream()), "choosing a stream");
    CuFft::check(single_
                     ? cufft_.backward_float(backward_, as<cufftComplex>(complex), as<cufftReal>(real))
                     : cufft_.backward_double(backward_, as<cufftDoubleComplex>(complex), as<cufftDoubleReal>(real)),
        "a transform");
  }

 private:
  template <class T> static T* as(char* p) { return reinterpret_cast<T*>(p); }
  const CuFft& cufft_;
  Queue& queue_;
  bool single_;
  cufftHandle forward_ = 0, backward_ = 0;
};
}  // namespace AcceleratorCUDA
