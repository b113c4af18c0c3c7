// Remembers the stacks that a thread has walked. Comparing a stack costs a fraction of a walk, because no load depends
// on the previous one.
#pragma once
#include "atomics.h"

enum { KNOWN_STACKS = 16 };

/// The two words of a frame record: the caller's record and the return address.
typedef uint64_t lt_frame_words __attribute__((vector_size(16)));

/// A walked stack with the context of the instances created there.
typedef struct __attribute__((aligned(512))) lt_known_stack {
    const void *metatype;
    const void *file;
    uint64_t line;
    /// NULL if the entry is unused.
    const lt_context *context;
    /// The frame records and their contents. The entries after the last record point to this structure itself, so they
    /// always compare equal.
    const uintptr_t *frames[LT_STACK_FRAMES];
    lt_frame_words read[LT_STACK_FRAMES];
} lt_known_stack;

/// Allocates a thread's table of stacks; returns NULL if memory is short.
lt_known_stack *lt_make_known_stacks(lt_stripe *stripe);

/// Walks the stack from a frame record, and stores the words that it reads in `known`, unless that is NULL.
void lt_walk_frames(const uintptr_t *frame, lt_stack *stack, lt_known_stack *known);

static inline __attribute__((always_inline)) lt_known_stack *known_stack_in(
    lt_known_stack *stacks, const uintptr_t *frame
) {
    // Frames and functions are aligned to 16 bytes, and most calls are at different offsets in their functions.
    return &stacks[((uintptr_t)frame ^ frame[1]) >> 4 & (KNOWN_STACKS - 1)];
}

/// Returns the table entry for a stack that begins with a frame record; NULL if memory is short.
static inline lt_known_stack *known_stack(lt_stripe *stripe, const uintptr_t *frame) {
    lt_known_stack *stacks = stripe->known_stacks;
    if (UNLIKELY(!stacks)) {
        stacks = lt_make_known_stacks(stripe);
        if (!stacks) return NULL;
    }
    return known_stack_in(stacks, frame);
}

/// Returns whether the stack that begins with a frame record is exactly the known one.
///
/// All frame records that are read are above this one, on the same stack as when they were stored, because a thread's
/// stacks are forgotten when it ends.
static inline __attribute__((always_inline)) bool is_known(
    const lt_known_stack *known, const uintptr_t *frame, const void *metatype, const void *file, uint64_t line
) {
    if (!known->context || known->frames[0] != frame || known->metatype != metatype || known->file != file
        || known->line != line)
        return false;
    // Compares both words at a time. The addresses of the records are stored as well, so that no load depends on the
    // previous one.
    typedef uint64_t unaligned_words __attribute__((vector_size(16), aligned(8)));
    lt_frame_words differences = {0, 0};
#pragma clang loop unroll(full)
    for (uint32_t i = 0; i < LT_STACK_FRAMES; i++)
        differences |= *(const unaligned_words *)known->frames[i] ^ known->read[i];
    return !(differences[0] | differences[1]);
}

/// Returns the context of the instances that are created with a stack, if the thread has walked it recently.
static inline __attribute__((always_inline)) const lt_context *context_of_known_stack(
    lt_stripe *stripe, const uintptr_t *frame, const void *metatype, const void *file, uint64_t line
) {
    if (UNLIKELY(!stripe->known_stacks)) return NULL;
    const lt_known_stack *known = known_stack_in(stripe->known_stacks, frame);
    return is_known(known, frame, metatype, file, line) ? known->context : NULL;
}

static inline void remember_context(
    lt_known_stack *known, const void *metatype, const void *file, uint64_t line, const lt_context *context
) {
    known->metatype = metatype;
    known->file = file;
    known->line = line;
    known->context = context;
}
