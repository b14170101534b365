// Accelerators that are wrong, each in one way: the defects of the Accelerator of 2012, and what else one can get
// wrong. Each does what the real one does but for its defect, which it makes of what it asks the real one for, of the
// validity table around that, or of the pieces that the device is then given.
#pragma once
#include <string>
#include <vector>

#include "accelerator/random_schedules.hpp"

struct BrokenAccelerator {
  std::string name;
  Schedules::Replace make;
};
const std::vector<BrokenAccelerator>& broken_accelerators();
Schedules::Replace faithful();  // the same wrapping around the real one, with no defect
