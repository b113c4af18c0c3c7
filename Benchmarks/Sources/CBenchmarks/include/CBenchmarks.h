#ifndef CBENCHMARKS_H
#define CBENCHMARKS_H

#include <stdint.h>
#include <time.h>

/// Makes the compiler believe that somebody looks at what the address points to.
///
/// Without it an object that nobody uses may never be made. Costs no instruction.
static inline void bench_keep(const void *_Nonnull address) {
    __asm__ volatile("" : : "r"(address) : "memory");
}

/// Puts a value into a slot and gives back what was there: what the sender wrote is seen by the receiver.
static inline uintptr_t bench_exchange(uintptr_t *_Nonnull slot, uintptr_t value) {
    return __atomic_exchange_n(slot, value, __ATOMIC_ACQ_REL);
}

/// Nanoseconds of a clock that is never set.
static inline uint64_t bench_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/// Writes text to standard error.
void bench_complain(const char *_Nonnull text);

/// Lets another thread have the processor.
void bench_yield(void);

/// Keeps the calling thread on one processor, where the system allows it.
void bench_stay_on(int processor);

/// Processors in use.
int bench_processors(void);

/// Bytes of this process that are in memory; 0 where that cannot be read.
uint64_t bench_resident_bytes(void);

#endif
