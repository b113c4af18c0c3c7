// Ticks: a counter that is cheap enough to read at every birth.
#define _GNU_SOURCE
#include "clock.h"
#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

struct lt_clock lt_clock;

uint64_t lt_read_system_clock(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// Returns whether the cycle counter runs at a constant rate, whatever the cores' frequencies and sleep states are.
static bool has_invariant_cycles(void) {
#if defined(__x86_64__)
    // "Invariant TSC": CPUID 80000007h, EDX bit 8 (Intel SDM 3B 18.17.1, AMD APM 3 E.4.6).
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
#elif defined(__aarch64__)
    // The generic timer is invariant by its architecture (Arm ARM, D12.1). Not tested on this platform.
    return true;
#else
    return false;
#endif
}

void lt_set_tick_source(lt_tick_source source) {
    lt_clock.source = source;
    lt_clock.shift = 15;
#if defined(__aarch64__)
    uint64_t frequency;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
    if (source == LT_TICKS_CYCLES)
        for (lt_clock.shift = 0; frequency >> lt_clock.shift > 200000; lt_clock.shift++) {}
#endif
}

// Runs before any code of the program, whose constructors may already be traced.
#if defined(__APPLE__)
__attribute__((constructor))
#else
__attribute__((constructor(101)))
#endif
static void choose_tick_source(void) {
    lt_set_tick_source(has_invariant_cycles() ? LT_TICKS_CYCLES : LT_TICKS_SYSTEM_CLOCK);
}

uint64_t lt_ticks(void) { return read_ticks(); }
uint32_t lt_time_shift(void) { return lt_clock.shift; }
lt_tick_source lt_current_tick_source(void) { return lt_clock.source; }
