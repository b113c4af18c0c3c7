#ifndef CBENCHMARKS_H
#define CBENCHMARKS_H

#include <stdint.h>
#include <time.h>

/// Makes the compiler assume that code reads the memory at an address.
///
/// Without this call, the compiler may remove an unused object. The call costs no instruction.
static inline void bench_keep(const void *_Nonnull address) {
    __asm__ volatile("" : : "r"(address) : "memory");
}

/// Puts a value into a slot and returns the previous value. The receiver of a value sees the writes of its sender.
static inline uintptr_t bench_exchange(uintptr_t *_Nonnull slot, uintptr_t value) {
    return __atomic_exchange_n(slot, value, __ATOMIC_ACQ_REL);
}

/// Nanoseconds of a monotonic clock.
static inline uint64_t bench_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/// What the processor and the system charge for the primitives of a tracer.
enum bench_primitive {
    BENCH_EXCHANGE,
    BENCH_CYCLES,
    BENCH_MONOTONIC_CLOCK,
    BENCH_MALLOC,
    BENCH_MEMBARRIER,
    BENCH_PRIMITIVES,
};

/// Returns the nanoseconds of one use, the least of several runs; negative if the system does not have the primitive.
double bench_cost(enum bench_primitive primitive);

/// Writes text to standard error.
void bench_complain(const char *_Nonnull text);

/// Yields the processor to another thread.
void bench_yield(void);

/// Binds the calling thread to one processor, if the system permits it.
void bench_stay_on(int processor);

/// The number of processors in use.
int bench_processors(void);

/// The resident memory of this process in bytes; 0 if it cannot be read.
uint64_t bench_resident_bytes(void);

/// Returns the nanoseconds after which `fork` returns in this process, whose child ends at once; negative if it fails.
double bench_fork(void);

/// The most memory of this process that was resident at once so far, in bytes; 0 if it cannot be read.
uint64_t bench_peak_resident_bytes(void);

#endif
