// What thorns include and no macro of theirs changes: compiled beforehand, once for all of a build tree.
#pragma once
#include "kernel.hpp"  // first: a mistake in a kernel is then reported with fewer lines

#include <algorithm>
#include <array>
#include <cmath>

#include "context.hpp"
#include "declaration.hpp"
#include "embedded.hpp"
#include "kernel/clear.hpp"
#include "kernel/host_loop.hpp"
#include "kernel/record.hpp"
#include "kernel/watch.hpp"
#include "kernel/wide_loop.hpp"
#include "kernel_table.hpp"
#include "services.hpp"
#include "task.hpp"
