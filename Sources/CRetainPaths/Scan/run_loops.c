#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The memory in which CoreFoundation keeps the state of a run loop's current run (struct _per_run_data in
// CFRunLoop.c): four numbers in 16 bytes, of which the first two are a mark. The smallest block of malloc has 24 bytes,
// so the last word is stale.

enum {
    /// "CFRL".
    MARK = 0x4346524C,
    SECOND_MARK = 4,
    ROOM = 24,
};

bool rp_is_run_of_loop(const rp_block *block) {
    return !block->type && block->size == ROOM && rp_read32(block->address) == MARK
        && rp_read32(block->address + SECOND_MARK) == MARK;
}

#endif
