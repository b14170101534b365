// The engine's loops, as text for late compilation: no kernel of its own.
#pragma once
#include "sweep/levels.hpp"
#include "sweep/stages.hpp"
#include "sweep/sweep.hpp"
