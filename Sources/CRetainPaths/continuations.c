#ifdef __linux__
#include "malloc_layout.h"
#include "runtime_layout.h"
#include "scan.h"

// What libdispatch is to call (struct dispatch_continuation_s in src/object_internal.h, src/inline_internal.h): flags, the next in a
// queue, a function, its context, and the group or source that it belongs to. libdispatch uses these blocks again and again, and sets
// only what it needs: the other words were others' before, among them tasks that nobody waits for any more.

enum {
    FLAGS = 0,
    /// Larger values are the address of a table of functions.
    MOST_FLAGS = 0x1000,
    NEXT = 16,
    FUNCTION = 32,
    CONTEXT = 40,
    BELONGS_TO = 48,
    /// The room that malloc gives for 64 bytes, and what it adds where the rest is too small for another block.
    ROOM = 72,
    LARGEST_ROOM = ROOM + RP_CHUNK_ALIGNMENT,
};

bool rp_is_continuation(const rp_snapshot *snapshot, const rp_block *block) {
    if (block->type || (block->size != ROOM && block->size != LARGEST_ROOM)) return false;
    uint64_t flags = rp_read64(block->address + FLAGS);
    return flags > 0 && flags < MOST_FLAGS && rp_is_code(snapshot, rp_read64(block->address + FUNCTION));
}

void rp_scan_continuation(const rp_place *at) {
    rp_scan_words(at, NEXT, sizeof(uintptr_t), 0);
    // With the function before it, as the context of a closure.
    uintptr_t function = rp_word_at(at, FUNCTION);
    uint32_t context = rp_look_like_reference(at->snapshot, rp_word_at(at, CONTEXT));
    if (context != RP_NO_BLOCK) rp_tell(at, context, CONTEXT, 0, RP_EDGE_CONSERVATIVE, function);
    uint32_t owner = rp_look_like_reference(at->snapshot, rp_word_at(at, BELONGS_TO));
    if (owner != RP_NO_BLOCK && !at->snapshot->blocks[owner].type) {
        rp_tell(at, owner, BELONGS_TO, 0, RP_EDGE_CONSERVATIVE, 0);
    }
}

#endif
