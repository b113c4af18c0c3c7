#ifdef __linux__
#include "Heap/malloc_layout.h"
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The memory in which CoreFoundation keeps the state of a run loop's current run (struct _per_run_data in
// CFRunLoop.c): four numbers in 16 bytes, of which the first two are a mark. The smallest block of malloc has 24 bytes,
// so the last word is stale.

enum {
    /// "CFRL".
    MARK = 0x4346524C,
    SECOND_MARK = 4,
    /// The usable size of a block for 16 bytes, and that size plus a rest that is too small for another block.
    ROOM = 24,
    LARGEST_ROOM = ROOM + RP_CHUNK_ALIGNMENT,
};

bool rp_is_run_of_loop(const rp_block *block) {
    if (block->type || (block->size != ROOM && block->size != LARGEST_ROOM)) return false;
    return rp_read32(block->address) == MARK && rp_read32(block->address + SECOND_MARK) == MARK;
}

#endif
