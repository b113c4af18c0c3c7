#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// C's blocks, which are closures (clang's Block-ABI-Apple.rst): class, flags, function, description, captures. A block
// that Swift has made from a closure captures the closure's function and context, and owns the context.

enum {
    FLAGS = 8,
    DESCRIPTION = 24,
    CAPTURES = 32,
    /// The block's size, in the description.
    DESCRIBED_SIZE = 8,
    /// BLOCK_HAS_COPY_DISPOSE: the block retains its captures.
    OWNS_CAPTURES = 1 << 25,
};

bool rp_is_c_block(const rp_frozen_copy *frozen, const rp_block *block) {
    uintptr_t class = frozen->request->heap_block_class;
    return class && !block->type && block->size >= CAPTURES && rp_read64(block->address) == class;
}

static bool owns_closure(const rp_place *at) {
    uint32_t needed = CAPTURES + 2 * sizeof(uintptr_t);
    if (!rp_fits(at, 0, needed) || !(rp_read32(at->base + FLAGS) & OWNS_CAPTURES)) return false;
    uintptr_t description = rp_word_at(at, DESCRIPTION);
    if (!rp_is_readable(at->frozen, description, DESCRIBED_SIZE + sizeof(uint64_t))) return false;
    uint64_t size = rp_read64(description + DESCRIBED_SIZE);
    if (size < needed || size > at->end || !rp_is_code(at->frozen, rp_word_at(at, CAPTURES))) return false;
    uint32_t context = rp_block_at(at->frozen, rp_word_at(at, CAPTURES + sizeof(uintptr_t)) & RP_ADDRESS_BITS);
    return context != RP_NO_BLOCK && at->frozen->heap.blocks[context].type;
}

void rp_scan_c_block(const rp_place *at) {
    uint32_t offset = CAPTURES;
    if (owns_closure(at)) {
        uint32_t context = CAPTURES + sizeof(uintptr_t);
        rp_scan_strong(at, context, 0, RP_EDGE_FUNCTION, rp_word_at(at, CAPTURES));
        offset = context + sizeof(uintptr_t);
    }
    rp_scan_words(at, offset, 0, 0);
}

#endif
