// Creation stacks, by frame pointers: Swift keeps them on Linux at every optimisation level.
//
// A frame record is two words, the caller's frame record and the return address (System V ABI for x86-64 3.2.2, Procedure Call
// Standard for arm64 6.2.3). Code without frame pointers may leave anything in the register, so a record is only read where
// it lies above the former one and inside the thread's stack: the walk may then end early, and never faults.
#define _GNU_SOURCE
#include "Atomics.h"
#include <pthread.h>

static THREAD_LOCAL uintptr_t stack_base, stack_end;

static uintptr_t find_stack_end(void) {
#if defined(__APPLE__)
    stack_end = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
    stack_base = stack_end - pthread_get_stacksize_np(pthread_self());
#else
    pthread_attr_t attributes;
    void *base = NULL;
    size_t size = 0;
    if (!pthread_getattr_np(pthread_self(), &attributes)) {
        pthread_attr_getstack(&attributes, &base, &size);
        pthread_attr_destroy(&attributes);
    }
    stack_base = (uintptr_t)base;
    stack_end = (uintptr_t)base + size;
#endif
    // Unknown: an end below every address, so that nothing is walked, and that is not asked for again.
    if (!stack_end) stack_end = 1;
    return stack_end;
}

__attribute__((noinline)) void lt_walk_stack(lt_stack *stack) {
    // Arm's pointer authentication and Swift's asynchronous frames use the upper bits.
    const uintptr_t address_bits = ((uintptr_t)1 << 48) - 1;
    uintptr_t end = stack_end;
    if (UNLIKELY(!end)) end = find_stack_end();
    const uintptr_t *frame = __builtin_frame_address(0);
    uint32_t count = 0;
    uint64_t hash = 0xcbf29ce484222325;
    while (count < LT_STACK_FRAMES) {
        uintptr_t at = (uintptr_t)frame;
        // A thread that runs on another stack than its own, as coroutines of C libraries do, is not walked.
        if (at % sizeof(uintptr_t) || at < stack_base || at + 2 * sizeof(uintptr_t) > end) break;
        uintptr_t address = frame[1] & address_bits;
        if (!address) break;
        stack->addresses[count++] = address;
        hash = (hash ^ address) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 32;
        const uintptr_t *caller = (const uintptr_t *)(frame[0] & address_bits);
        if (caller <= frame) break;
        frame = caller;
    }
    stack->count = count;
    stack->hash = count ? (hash | 1ull << 63) & ~0xffffffull : 0;
}
