// Stacks that a thread has walked before: comparing one costs a fraction of walking it, as no load waits for the one before.
#pragma once
#include "Atomics.h"

enum { KNOWN_STACKS = 16 };

/// A stack that has been walked, with the context of what was created there.
typedef struct lt_known_stack {
    const void *metatype;
    const void *file;
    uint64_t line;
    /// NULL while nothing is known.
    const lt_context *context;
    /// The frame records, and what they held: the caller's record and the return address. Behind the last one, what is read is
    /// this very note, and so the same.
    const uintptr_t *frames[LT_STACK_FRAMES];
    uintptr_t read[LT_STACK_FRAMES][2];
} lt_known_stack;

/// Makes the place for a thread's stacks; NULL without memory.
lt_known_stack *lt_make_known_stacks(lt_stripe *stripe);

/// Walks the stack from a frame record, and notes what it read in `known`, if there is one.
void lt_walk_frames(const uintptr_t *frame, lt_stack *stack, lt_known_stack *known);

/// Where a stack that begins with a frame record is to be looked for.
static inline __attribute__((always_inline)) lt_known_stack *known_stack(lt_stripe *stripe, const uintptr_t *frame) {
    if (UNLIKELY(!stripe)) return NULL;
    lt_known_stack *stacks = stripe->known_stacks;
    if (UNLIKELY(!stacks)) stacks = lt_make_known_stacks(stripe);
    if (UNLIKELY(!stacks)) return NULL;
    uintptr_t key = (uintptr_t)frame ^ frame[1] * 8;
    return &stacks[(key >> 4 ^ key >> 10) % KNOWN_STACKS];
}

/// Whether the stack that begins with a frame record is exactly the known one.
///
/// All frame records that are read lie above this one, on the same stack as when they were noted: a thread's stacks are forgotten
/// when it ends.
static inline __attribute__((always_inline)) bool is_known(
    const lt_known_stack *known, const uintptr_t *frame, const void *metatype, const void *file, uint64_t line
) {
    if (!known->context || known->frames[0] != frame || known->metatype != metatype || known->file != file
        || known->line != line)
        return false;
    uintptr_t callers = 0, addresses = 0;
#pragma clang loop unroll(full)
    for (uint32_t i = 0; i < LT_STACK_FRAMES; i++) {
        callers |= known->frames[i][0] ^ known->read[i][0];
        addresses |= known->frames[i][1] ^ known->read[i][1];
    }
    return !(callers | addresses);
}

static inline void remember_context(
    lt_known_stack *known, const void *metatype, const void *file, uint64_t line, const lt_context *context
) {
    known->metatype = metatype;
    known->file = file;
    known->line = line;
    known->context = context;
}
