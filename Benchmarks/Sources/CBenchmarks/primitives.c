#if defined(__linux__)
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#include "CBenchmarks.h"

#include <stdbool.h>
#include <stdlib.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

static bool use(enum bench_primitive primitive) {
    static uint32_t word;
    struct timespec now;
    void *memory;
    switch (primitive) {
    case BENCH_EXCHANGE:
        __atomic_exchange_n(&word, 1, __ATOMIC_SEQ_CST);
        return true;
    case BENCH_CYCLES:
#if defined(__x86_64__)
        __rdtsc();
        return true;
#else
        return false;
#endif
    case BENCH_MONOTONIC_CLOCK:
        return !clock_gettime(CLOCK_MONOTONIC, &now);
    case BENCH_MALLOC:
        // The size of the objects of the workloads.
        memory = malloc(40);
        bench_keep(memory);
        free(memory);
        return memory;
    case BENCH_MEMBARRIER:
#if defined(__linux__)
        return !syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
#else
        return false;
#endif
    default:
        return false;
    }
}

double bench_cost(enum bench_primitive primitive) {
    enum { RUNS = 9, USES = 10000 };
    double least = -1;
    if (!use(primitive)) return -1;
    for (int run = 0; run < RUNS; run++) {
        uint64_t start = bench_nanoseconds();
        for (int i = 0; i < USES; i++) use(primitive);
        double cost = (double)(bench_nanoseconds() - start) / USES;
        if (least < 0 || cost < least) least = cost;
    }
    return least;
}
