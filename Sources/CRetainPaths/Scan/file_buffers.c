#ifdef __linux__
#include "Scan/scan.h"

// The buffers of C's files (struct _IO_FILE, a part of glibc's ABI: bits/types/struct_FILE.h). A buffer contains data
// of the file, and behind the data stale words of the block that malloc reused. The buffer of a log, which is open all
// the time, would otherwise seem to hold objects of code that ended long ago.

enum {
    FLAGS = 0,
    /// _IO_MAGIC in the upper half of the flags.
    MARK = 0xfbad0000,
    MARK_BITS = 0xffff0000,
    /// _IO_USER_BUF: the program has provided the buffer, which may be a part of something else.
    IS_OF_PROGRAM = 1,
    BUFFER = 56,
    NEXT = 104,
    FILE_SIZE = 216,
    /// The list may be in the middle of a change.
    MOST_FILES = 1 << 16,
};

void rp_skip_file_buffers(rp_frozen_copy *frozen) {
    uintptr_t list = frozen->request->facts.open_files;
    uintptr_t file = list ? rp_read64(list) : 0;
    for (uint32_t count = 0; count < MOST_FILES && file && rp_is_readable(frozen, file, FILE_SIZE); count++) {
        uint32_t flags = rp_read32(file + FLAGS);
        if ((flags & MARK_BITS) != MARK) return;
        uint32_t block = rp_block_at(frozen, rp_read64(file + BUFFER));
        bool is_buffer = block != RP_NO_BLOCK && !(flags & IS_OF_PROGRAM) && !frozen->heap.blocks[block].type;
        if (is_buffer) frozen->heap.blocks[block].flags |= RP_BLOCK_DEAD;
        file = rp_read64(file + NEXT);
    }
}

#endif
