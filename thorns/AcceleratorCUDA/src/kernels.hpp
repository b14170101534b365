// The loops over a device's points, as text for late compilation: no kernel of its own.
#pragma once
#include <AcceleratorCUDA/loop/march.hpp>
#include <AcceleratorCUDA/loop/modify.hpp>
#include <AcceleratorCUDA/loop/reduce.hpp>
#include <AcceleratorCUDA/loop/sharing.hpp>
