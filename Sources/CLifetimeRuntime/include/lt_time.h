// The source of times of birth.
#pragma once

#include <stdint.h>

/// The source of the ticks.
typedef enum lt_tick_source { LT_TICKS_CYCLES, LT_TICKS_SYSTEM_CLOCK } lt_tick_source;
/// Returns a counter that rises evenly: the cycle counter if it is invariant, or else the nanoseconds of
/// CLOCK_MONOTONIC.
uint64_t lt_ticks(void);
/// Records hold the lower 44 bits of the ticks divided by 2^lt_time_shift().
uint32_t lt_time_shift(void);
lt_tick_source lt_current_tick_source(void);
/// Chooses the source; for tests, before the first birth.
void lt_set_tick_source(lt_tick_source source);
