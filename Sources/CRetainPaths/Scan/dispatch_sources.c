#ifdef __linux__
#include "Heap/malloc_layout.h"
#include "Scan/scan.h"

// The state of libdispatch's sources (struct dispatch_unote_class_s in src/event/event_internal.h): a type, and the
// address of the source, inverted bit by bit. libdispatch's timer heap refers to the states of running timers. A task
// that sleeps with a tolerance has such a source, whose context is a pair of the source and the task (struct
// __swift_job_source in stdlib/public/Concurrency/DispatchGlobalExecutor.cpp).
//
// The state also has the source's handlers (ds_handler), which are continuations (struct dispatch_continuation_s in
// src/inline_internal.h). A handler is in no list, but keeps the link to the next block in libdispatch's cache of
// unused continuations, from which it was taken. It does not use its last word either.

enum {
    OWNER = 8,
    SMALLEST_STATE = 64,
    LARGEST_SOURCE = 512,
    JOB = 8,

    /// The offsets of do_next and dc_other, and the size of a continuation.
    CONTINUATION_NEXT = 16,
    CONTINUATION_OTHER = 56,
    CONTINUATION_SIZE = 64,
};

static void report_job(const rp_place *at, uintptr_t pair, uintptr_t source) {
    if (!rp_is_readable(at->frozen, pair, JOB + sizeof(uintptr_t)) || rp_read64(pair) != source) return;
    uint32_t task = rp_block_at(at->frozen, rp_read64(pair + JOB));
    if (task == RP_NO_BLOCK || at->frozen->types.list[at->frozen->heap.blocks[task].type].node != RP_NODE_TASK) return;
    rp_report_edge(at, task, OWNER, 0, RP_EDGE_CONSERVATIVE, 0);
}

/// Returns the source whose state is in raw memory; `RP_NO_BLOCK` if the memory is not such a state.
static uint32_t source_of_state(const rp_frozen_copy *frozen, uintptr_t state, uint32_t state_size) {
    if (state_size < SMALLEST_STATE) return RP_NO_BLOCK;
    uintptr_t source = ~rp_read64(state + OWNER);
    uint32_t block = rp_block_at(frozen, source);
    if (block == RP_NO_BLOCK || frozen->heap.blocks[block].type) return RP_NO_BLOCK;
    uint32_t size = frozen->heap.blocks[block].size;
    if (size > LARGEST_SOURCE) return RP_NO_BLOCK;
    for (uint32_t offset = 0; offset + sizeof(uintptr_t) <= size; offset += sizeof(uintptr_t)) {
        if (rp_read64(source + offset) == state) return block;
    }
    return RP_NO_BLOCK;
}

static void clear_unused_words_of_handlers(const rp_frozen_copy *frozen, const rp_block *state) {
    for (uint32_t offset = OWNER + sizeof(uintptr_t); offset + sizeof(uintptr_t) <= state->size;
         offset += sizeof(uintptr_t)) {
        uint32_t handler = rp_block_at(frozen, rp_read64(state->address + offset));
        if (handler == RP_NO_BLOCK) continue;
        const rp_block *found = frozen->heap.blocks + handler;
        uint32_t largest = CONTINUATION_SIZE + 2 * RP_CHUNK_ALIGNMENT;
        if (found->type || found->size < CONTINUATION_SIZE || found->size >= largest) continue;
        rp_clear_word(found->address + CONTINUATION_NEXT);
        for (uint32_t word = CONTINUATION_OTHER; word < found->size; word += sizeof(uintptr_t)) {
            rp_clear_word(found->address + word);
        }
    }
}

void rp_clear_words_of_handlers(rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        const rp_block *block = frozen->heap.blocks + index;
        if (block->type || block->flags & RP_BLOCK_DEAD) continue;
        if (source_of_state(frozen, block->address, block->size) != RP_NO_BLOCK) {
            clear_unused_words_of_handlers(frozen, block);
        }
    }
}

void rp_scan_source_state(const rp_place *at) {
    uint32_t block = source_of_state(at->frozen, at->base, at->end);
    if (block == RP_NO_BLOCK) return;
    uintptr_t source = at->frozen->heap.blocks[block].address;
    uint32_t size = at->frozen->heap.blocks[block].size;
    for (uint32_t offset = 0; offset + sizeof(uintptr_t) <= size; offset += sizeof(uintptr_t)) {
        uintptr_t word = rp_read64(source + offset);
        if (word % sizeof(uintptr_t) == 0 && word >= at->frozen->heap.start && word < at->frozen->heap.end) {
            report_job(at, word, source);
        }
    }
}

#endif
