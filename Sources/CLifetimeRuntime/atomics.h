// Short names for the atomic accesses and hints that this target uses.
#pragma once
#include "CLifetimeRuntime.h"

#define LOAD_RELAXED(place) __atomic_load_n(place, __ATOMIC_RELAXED)
#define LOAD_ACQUIRE(place) __atomic_load_n(place, __ATOMIC_ACQUIRE)
#define STORE_RELAXED(place, value) __atomic_store_n(place, value, __ATOMIC_RELAXED)
#define STORE_RELEASE(place, value) __atomic_store_n(place, value, __ATOMIC_RELEASE)
// Loads a word that is only compared, with acquire order.
//
// Clang compares memory itself if the load is volatile; an atomic one costs an instruction more. Safe on x86-64: every
// load acquires, an aligned word is loaded at once, and the fence holds back the compiler. Not for headers that Swift
// imports: there, the feature is never set.
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define LOAD_TO_COMPARE(place) \
    ({ \
        __typeof__(*(place)) loaded = *(const volatile __typeof__(*(place)) *)(place); \
        __atomic_signal_fence(__ATOMIC_ACQUIRE); \
        loaded; \
    })
#else
#define LOAD_TO_COMPARE(place) __atomic_load_n(place, __ATOMIC_ACQUIRE)
#endif

#ifdef __OPTIMIZE__
#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#else
// In a debug build the hint has no effect and costs five instructions.
#define LIKELY(condition) (condition)
#define UNLIKELY(condition) (condition)
#endif

#if defined(__x86_64__)
#define PAUSE() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define PAUSE() __asm__ volatile("yield")
#else
#define PAUSE() ((void)0)
#endif

// Reached in one instruction from the thread pointer, because the library is linked into the program or loaded with it.
#define THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))

// For functions that the hot path seldom calls, so that the hot path has no registers to save.
#if (defined(__x86_64__) || defined(__aarch64__)) && __has_attribute(preserve_most)
#define COLD __attribute__((noinline, cold, preserve_most))
#else
#define COLD __attribute__((noinline, cold))
#endif
