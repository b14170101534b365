// An array for others by DLPack: where it lies, its shape and strides, and what keeps the memory.
#pragma once
#include <dlpack/dlpack.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "cereus/scalar.hpp"
namespace cereus::view {
inline DLDataType dl_type(ScalarType t) {
  const bool is_complex = t == ScalarType::complex64 || t == ScalarType::complex128;
  const auto code = t == ScalarType::int32 ? kDLInt : is_complex ? kDLComplex : kDLFloat;
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * size_of(t)), 1};
}

// A capsule that nobody has taken frees it; who takes it renames the capsule, and calls the deleter.
template <class Memory>
pybind11::capsule dl_capsule(void* data, DLDevice device, ScalarType type, std::vector<std::int64_t> shape,
    std::vector<std::int64_t> strides, Memory memory) {  // strides in elements
  struct Held {
    DLManagedTensor tensor{};
    std::vector<std::int64_t> shape, strides;
    Memory memory;
  };
  auto held = std::make_unique<Held>(Held{{}, std::move(shape), std::move(strides), std::move(memory)});
  held->tensor.dl_tensor = {
      data, device, static_cast<int>(held->shape.size()), dl_type(type), held->shape.data(), held->strides.data(), 0};
  held->tensor.manager_ctx = held.get();
  held->tensor.deleter = [](DLManagedTensor* t) { delete static_cast<Held*>(t->manager_ctx); };
  const auto untaken = [](PyObject* capsule) {
    if (!PyCapsule_IsValid(capsule, "dltensor")) return;
    auto* t = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
    t->deleter(t);
  };
  pybind11::capsule made(&held->tensor, "dltensor", untaken);
  held.release();
  return made;
}
}  // namespace cereus::view
