// The loop of large kernels, as text for late compilation: no kernel of its own.
#pragma once
#include <AcceleratorCUDA/loop/large.hpp>
