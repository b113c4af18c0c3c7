// Numbers that threads add to without sharing a cache line.
#pragma once

#include <stdint.h>

typedef enum lt_tally { LT_TALLY_STACK_INSTANCES, LT_TALLY_UNKNOWN_DEATHS, LT_TALLIES } lt_tally;

enum { LT_TALLY_PARTS = 64 };
extern struct lt_tally_part {
    _Alignas(64) uint64_t numbers[LT_TALLIES];
} lt_tally_parts[LT_TALLY_PARTS];
extern _Thread_local char lt_tally_mark __attribute__((tls_model("initial-exec")));

static inline void lt_tally_add(lt_tally tally) {
    // The variables of two threads are at least a stack apart, which is many pages.
    struct lt_tally_part *part = &lt_tally_parts[((uintptr_t)&lt_tally_mark >> 12) % LT_TALLY_PARTS];
    __atomic_fetch_add(&part->numbers[tally], 1, __ATOMIC_RELAXED);
}

static inline uint64_t lt_tally_sum(lt_tally tally) {
    uint64_t sum = 0;
    for (int part = 0; part < LT_TALLY_PARTS; part++) {
        sum += __atomic_load_n(&lt_tally_parts[part].numbers[tally], __ATOMIC_RELAXED);
    }
    return sum;
}
