#ifdef __linux__
#include "Heap/malloc_layout.h"
#include "Scan/scan.h"

// libdispatch's continuations: calls that it is to make (struct dispatch_continuation_s in src/object_internal.h,
// src/inline_internal.h). A continuation contains flags, the next in a queue, a function, its context, and the group or
// source to which it belongs. libdispatch reuses these blocks and sets only the words that it needs. The other words
// are stale, and may refer to tasks that nothing awaits any more.

enum {
    FLAGS = 0,
    /// Larger values are the address of a table of functions instead of flags.
    MOST_FLAGS = 0x1000,
    NEXT = 16,
    FUNCTION = 32,
    CONTEXT = 40,
    BELONGS_TO = 48,
    /// The usable size of a block for 64 bytes, and that size plus a rest that is too small for another block.
    ROOM = 72,
    LARGEST_ROOM = ROOM + RP_CHUNK_ALIGNMENT,
};

bool rp_is_continuation(const rp_frozen_copy *frozen, const rp_block *block) {
    if (block->type || (block->size != ROOM && block->size != LARGEST_ROOM)) return false;
    uint64_t flags = rp_read64(block->address + FLAGS);
    return flags > 0 && flags < MOST_FLAGS && rp_is_code(frozen, rp_read64(block->address + FUNCTION));
}

void rp_scan_continuation(const rp_place *at) {
    rp_scan_words(at, NEXT, sizeof(uintptr_t), 0);
    // The function is reported with its context, as for a closure.
    uintptr_t function = rp_word_at(at, FUNCTION);
    uint32_t context = rp_referenced_block(at->frozen, rp_word_at(at, CONTEXT));
    if (context != RP_NO_BLOCK) rp_report_edge(at, context, CONTEXT, 0, RP_EDGE_CONSERVATIVE, function);
    uint32_t owner = rp_referenced_block(at->frozen, rp_word_at(at, BELONGS_TO));
    if (owner != RP_NO_BLOCK && !at->frozen->heap.blocks[owner].type) {
        rp_report_edge(at, owner, BELONGS_TO, 0, RP_EDGE_CONSERVATIVE, 0);
    }
}

#endif
