// The parts of making and running the frozen copy.
#pragma once

#include "frozen_copy.h"

// faults.c

/// Lets the search survive faults, and objects in which a scan is stuck. Call it in the frozen copy.
void rp_guard_search(rp_frozen_copy *frozen);

// run.c

/// Runs the search, the census or the search for leaks, and writes the answer.
void rp_run_search(rp_frozen_copy *frozen);
/// Returns the time of the monotonic clock in nanoseconds.
uint64_t rp_now(void);
