// The time of births while there are many: a word that the clock thread sets every few milliseconds, so that a birth
// reads no clock.
//
// While there are few births, the word is 0, the thread does not run, and a birth reads the ticks itself. The thread
// starts when a stripe has had many births for about a millisecond, and goes back to sleep when no ids have been
// reserved for LT_QUIET_STEPS steps. So a program that creates no objects is not woken.
//
// If other threads keep the processors busy, the system may not run the thread in time. Births that reserve ids then
// set the word. If no birth does so in time either, births meanwhile get a time that is too early. Such a gap is
// recorded: a time of birth within the gap is read as its end. So an instance may seem too young by the length of the
// gap, but never older than it is by more than CLOCK_LONGEST_STEP_NS. After a gap with births, births read the ticks
// for 100 to 800 ms. If the table of gaps is full, two neighbours become one gap: an instance that was born between
// them may then seem too young by a small part of its age.
#pragma once
#include "clock.h"
#include "contexts.h"

enum {
    /// The time between two steps in nanoseconds.
    CLOCK_STEP_NS = 4 * 1000 * 1000,
    /// The age of the time in nanoseconds at which the thread is late, so that births refresh the time.
    CLOCK_LATE_STEP_NS = 5 * 1000 * 1000,
    /// The longest step that is not a gap in nanoseconds.
    CLOCK_LONGEST_STEP_NS = 8 * 1000 * 1000,
};

/// Returns the present in the unit of records.
COLD uint64_t lt_read_time(void);

/// Returns the time of a birth as in the second words of records.
static inline __attribute__((always_inline)) uint64_t time_of_birth(void) {
    uint64_t now = LOAD_RELAXED(&lt_shared.now);
    return LIKELY(now) ? now : lt_read_time() << LT_CONTEXT_BITS;
}

/// Returns the time of a birth as in the second words of records, from the ticks.
static inline __attribute__((always_inline)) uint64_t ticks_of_birth(void) {
    if (UNLIKELY(lt_clock.source != LT_TICKS_CYCLES)) return lt_read_time() << LT_CONTEXT_BITS;
    return read_cycles() >> TIME_SHIFT << LT_CONTEXT_BITS;
}

/// Notes a stripe's births when it reserves ids; returns whether the clock thread should be started.
bool note_births(lt_stripe *stripe, uint64_t births, uint64_t ticks);
