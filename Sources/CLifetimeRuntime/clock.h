// Reads the ticks, inline in births.
#pragma once
#include "atomics.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

// A step of the time in records: 2^15 cycles of a 1 to 5 GHz counter, or 2^15 ns, which is some microseconds. Arm's
// counter may be slower.
#if defined(__aarch64__)
#define TIME_SHIFT lt_clock.shift
#else
#define TIME_SHIFT 15
#endif

/// Written once, before the first birth.
extern struct lt_clock {
    lt_tick_source source;
    uint32_t shift;
} lt_clock;

uint64_t lt_read_system_clock(void);

static inline __attribute__((always_inline)) uint64_t read_cycles(void) {
#if defined(__x86_64__)
    return __rdtsc();
#elif defined(__aarch64__)
    uint64_t value;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#else
    return lt_read_system_clock();
#endif
}

static inline __attribute__((always_inline)) uint64_t read_ticks(void) {
    return LIKELY(lt_clock.source == LT_TICKS_CYCLES) ? read_cycles() : lt_read_system_clock();
}
