#ifdef __linux__
#include "frozen_copy.h"

// Blocks that are neither objects of the program nor memory of C. The steps that find these blocks mark them as dead
// without saying what they are, so each step is followed by a look for newly marked blocks.

/// Assigns a line to every dead block that has none. An object whose deinit runs still takes memory, so it is counted
/// by its type.
static void settle(rp_frozen_copy *frozen, uint32_t line) {
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        uint8_t flags = frozen->heap.blocks[index].flags;
        bool is_skipped = flags & RP_BLOCK_DEAD && !(flags & RP_BLOCK_DEINITIALIZING);
        if (is_skipped && !frozen->lines.line_of[index]) frozen->lines.line_of[index] = line;
    }
}

static void settle_own_blocks(rp_frozen_copy *frozen) {
    const rp_request *request = frozen->request;
    for (uint32_t index = 0; index < request->own_block_count; index++) {
        uint32_t block = rp_block_around(frozen, request->own_blocks[index].start);
        if (block != RP_NO_BLOCK) frozen->lines.line_of[block] = RP_LINE_TRACER;
    }
}

static void settle_side_tables(rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        if (!frozen->heap.blocks[index].type) continue;
        uint32_t table = rp_counts_of(frozen, frozen->heap.blocks[index].address).side_table;
        if (table != RP_NO_BLOCK) frozen->lines.line_of[table] = RP_LINE_SIDE_TABLES;
    }
}

void rp_settle_known_blocks(rp_frozen_copy *frozen) {
    settle_own_blocks(frozen);
    settle_side_tables(frozen);
    settle(frozen, RP_LINE_FREE);
    rp_find_threads(frozen);
    settle(frozen, RP_LINE_CONTINUATIONS);
    rp_skip_file_buffers(frozen);
    rp_skip_caches(frozen);
    settle(frozen, RP_LINE_UNKNOWN);
}

void rp_settle_metadata(rp_frozen_copy *frozen) {
    rp_skip_metadata(frozen);
    settle(frozen, RP_LINE_METADATA);
}

#endif
