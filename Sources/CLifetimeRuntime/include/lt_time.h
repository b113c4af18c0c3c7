// The source of times of birth.
#pragma once

#include <stdbool.h>
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

/// Starts or wakes the thread that keeps the time of births: see birth_clock.h.
void lt_start_clock(void);
/// Starts that thread asleep, and waits until it runs; births then only wake it.
///
/// Call it before the program's own code runs, and outside births. In a fork child, births read the ticks from then on.
void lt_start_clock_early(void);
/// Returns whether births take their time from that thread now.
bool lt_has_clock(void);
/// Returns the time that a time of birth in a record stands for, both in the unit of records.
uint64_t lt_time_after_gap(uint64_t time);

/// The number of steps without births, of 4 ms each, after which the thread goes to sleep.
enum { LT_QUIET_STEPS = 25 };
/// The state of the clock thread between two steps.
struct lt_clock_step {
    uint64_t ns, now, last_id;
    /// The time of the last gap and the pause after it, in nanoseconds.
    uint64_t gap_ns, pause;
    uint32_t quiet;
};
void lt_begin_clock(struct lt_clock_step *step);
/// Takes a step at a time, in nanoseconds and in the unit of records, when an id is the last one that was reserved.
/// Returns whether another step should follow.
bool lt_step_clock(struct lt_clock_step *step, uint64_t ns, uint64_t now, uint64_t last_id);
/// Sets the time of births, in the unit of records, if the clock thread has been late for a short time.
void lt_refresh_time(uint64_t now);
/// The most gaps of the clock thread that are remembered separately.
enum { LT_MOST_GAPS = 4096 };
/// Returns the time in nanoseconds before which the clock thread is not started.
uint64_t lt_clock_rests_until(void);
