// Creation stacks from frame pointers, which Swift keeps on Linux at every optimisation level.
//
// A frame record is two words, the caller's frame record and the return address (System V ABI for x86-64 3.2.2,
// Procedure Call Standard for arm64 6.2.3). Code without frame pointers may leave any value in the register. So a
// record is read only if it is above the previous one and inside the thread's stack. Such a walk may end early, but
// never faults.
#define _GNU_SOURCE
#include "stack_walk.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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
    // Unknown: an end below every address, so that nothing is walked and the search is not repeated.
    if (!stack_end) stack_end = 1;
    return stack_end;
}

// From the splitmix64 sequence that starts at 0 (Steele, Lea, Flood 2014), made odd.
static const uint64_t weights[LT_STACK_FRAMES] = {
    0xe220a8397b1dcdaf, 0x6e789e6aa1b965f5, 0x06c45d188009454f, 0xf88bb8a8724c81ed,
    0x1b39896a51a8749b, 0x53cb9f0c747ea2eb, 0x2c829abe1f4532e1, 0xc584133ac916ab3d,
    0x3ee5789041c98ac3, 0xf3b8488c368cb0a7, 0x657eecdd3cb13d09, 0xc2d326e0055bdef7,
    0x8621a03fe0bbdb7b, 0x8e1f7555983aa92f, 0xb54e0f1600cc4d19, 0x84bb3f97971d80ab,
};

void lt_walk_frames(const uintptr_t *frame, lt_stack *stack, lt_known_stack *known) {
    // Arm's pointer authentication and Swift's asynchronous frames use the upper bits.
    const uintptr_t address_bits = ((uintptr_t)1 << 48) - 1;
    uintptr_t end = stack_end;
    if (UNLIKELY(!end)) end = find_stack_end();
    uint32_t count = 0, noted = 0;
    uint64_t hash = 0;
    if (known) known->context = NULL;
    while (count < LT_STACK_FRAMES) {
        uintptr_t at = (uintptr_t)frame;
        // A thread that runs on another stack than its own, as coroutines of C libraries do, is not walked.
        if (at % sizeof(uintptr_t) || at < stack_base || at + 2 * sizeof(uintptr_t) > end) break;
        uintptr_t caller = frame[0], address = frame[1];
        // The record that ends the walk is stored too, because it must end the next walk as well.
        if (known) {
            known->frames[count] = frame;
            known->read[count][0] = caller;
            known->read[count][1] = address;
            noted = count + 1;
        }
        if (!(address & address_bits)) break;
        stack->addresses[count] = address & address_bits;
        // A sum of products with unrelated odd numbers, so that no step depends on the previous one (multilinear
        // hashing).
        hash += stack->addresses[count] * weights[count];
        count++;
        if ((caller & address_bits) <= at) break;
        frame = (const uintptr_t *)(caller & address_bits);
    }
    for (uint32_t i = noted; known && i < LT_STACK_FRAMES; i++) known->frames[i] = (const uintptr_t *)&known->read[i];
    stack->count = count;
    hash ^= hash >> 29;
    stack->hash = count ? (hash * 0x9E3779B97F4A7C15ull | 1ull << 63) & ~0xffffffull : 0;
}

__attribute__((noinline)) void lt_walk_stack(lt_stack *stack) {
    lt_walk_frames(__builtin_frame_address(0), stack, NULL);
}

lt_known_stack *lt_make_known_stacks(lt_stripe *stripe) {
    lt_known_stack *stacks = aligned_alloc(_Alignof(lt_known_stack), KNOWN_STACKS * sizeof *stacks);
    if (stacks) memset(stacks, 0, KNOWN_STACKS * sizeof *stacks);
    return stripe->known_stacks = stacks;
}
