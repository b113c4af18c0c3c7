// Stacks that a thread has walked before: comparing one costs a fraction of walking it, as no load waits for the one before.
#pragma once
#include "Atomics.h"

enum { KNOWN_STACKS = 16 };

/// The two words of a frame record: the caller's record and the return address.
typedef uint64_t lt_frame_words __attribute__((vector_size(16)));

/// A stack that has been walked, with the context of what was created there.
typedef struct __attribute__((aligned(512))) lt_known_stack {
    const void *metatype;
    const void *file;
    uint64_t line;
    /// NULL while nothing is known.
    const lt_context *context;
    /// The frame records, and what they held. Behind the last one, what is read is this very note, and so the same.
    const uintptr_t *frames[LT_STACK_FRAMES];
    lt_frame_words read[LT_STACK_FRAMES];
} lt_known_stack;

/// Makes the place for a thread's stacks; NULL without memory.
lt_known_stack *lt_make_known_stacks(lt_stripe *stripe);

/// Walks the stack from a frame record, and notes what it read in `known`, if there is one.
void lt_walk_frames(const uintptr_t *frame, lt_stack *stack, lt_known_stack *known);

/// Where a stack that begins with a frame record is to be looked for; NULL without memory.
static inline __attribute__((always_inline)) lt_known_stack *known_stack(lt_stripe *stripe, const uintptr_t *frame) {
    lt_known_stack *stacks = stripe->known_stacks;
    if (UNLIKELY(!stacks)) {
        stacks = lt_make_known_stacks(stripe);
        if (!stacks) return NULL;
    }
    // Frames are aligned to 16 bytes, functions as well, and most calls are at different places in those.
    return &stacks[((uintptr_t)frame ^ frame[1]) >> 4 & (KNOWN_STACKS - 1)];
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
    // Both words at a time; where they are is noted as well, so that no load waits for the one before.
    typedef uint64_t unaligned_words __attribute__((vector_size(16), aligned(8)));
    lt_frame_words differences = {0, 0};
#pragma clang loop unroll(full)
    for (uint32_t i = 0; i < LT_STACK_FRAMES; i++)
        differences |= *(const unaligned_words *)known->frames[i] ^ known->read[i];
    return !(differences[0] | differences[1]);
}

static inline void remember_context(
    lt_known_stack *known, const void *metatype, const void *file, uint64_t line, const lt_context *context
) {
    known->metatype = metatype;
    known->file = file;
    known->line = line;
    known->context = context;
}
