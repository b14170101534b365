// Fourier transforms in the host's memory, by KISS FFT, with threads over lines.
#pragma once
#include <cereus/transform.hpp>

#include <memory>
namespace Fourier {
std::unique_ptr<cereus::Transform> host_transform(const cereus::TransformShape&);
}  // namespace Fourier
