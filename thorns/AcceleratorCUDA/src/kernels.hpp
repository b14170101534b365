// The loop of late kernels, as text for late compilation: no kernel of its own.
#pragma once
#include <AcceleratorCUDA/loop/sharing.hpp>
