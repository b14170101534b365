// All that a kernel's header may include: free-standing, so that g++, nvcc and NVRTC all compile it.
#pragma once
#include "kernel/along_shell.hpp"
#include "kernel/chain.hpp"
#include "kernel/faces.hpp"
#include "kernel/handle.hpp"
#include "kernel/large.hpp"
#include "kernel/launch.hpp"
#include "kernel/math.hpp"
#include "kernel/member.hpp"
#include "kernel/point.hpp"
#include "kernel/quotient.hpp"
#include "kernel/reduce.hpp"
