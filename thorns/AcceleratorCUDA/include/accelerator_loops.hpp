// The loops over a kernel's points on a device, by the name under which cereus/make_table.hpp includes them: so the
// flesh need not know the device.
#pragma once
#include "AcceleratorCUDA/loop/loops.hpp"
