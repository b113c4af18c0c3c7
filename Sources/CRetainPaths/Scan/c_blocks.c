#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// C's blocks, which are closures (clang's Block-ABI-Apple.rst): class, flags, function, description, captures. A block
// that Swift has made from a closure captures the closure's function and context, and owns the context. The block of a
// work item captures libdispatch's description of the item (struct dispatch_block_private_data_s in
// src/queue_internal.h), which owns the block to call.

enum {
    FLAGS = 8,
    FUNCTION = 16,
    DESCRIPTION = 24,
    CAPTURES = 32,
    CONTEXT = CAPTURES + 8,
    /// The block's size, in the description.
    DESCRIBED_SIZE = 8,
    /// BLOCK_HAS_COPY_DISPOSE: the block retains its captures.
    OWNS_CAPTURES = 1 << 25,
    /// BLOCK_NEEDS_FREE and BLOCK_REFCOUNT_MASK (Block_private.h): the references to the block are counted, in units of
    /// two.
    IS_COUNTED = 1 << 24,
    COUNT_BITS = 0xfffe,

    /// dbpd_magic and dbpd_block.
    ITEM_MARK = CAPTURES,
    ITEM_BLOCK = 72,
};

/// DISPATCH_BLOCK_PRIVATE_DATA_MAGIC.
static const uint64_t item_mark = 0xD159B10C;

bool rp_is_c_block(const rp_frozen_copy *frozen, const rp_block *block) {
    uintptr_t class = frozen->request->heap_block_class;
    return class && !block->type && block->size >= CAPTURES && rp_read64(block->address) == class;
}

uint32_t rp_count_of_c_block(const rp_block *block) {
    uint32_t flags = rp_read32(block->address + FLAGS);
    return flags & IS_COUNTED ? (flags & COUNT_BITS) / 2 : 0;
}

/// Whether a block owns captures that take at least `needed` bytes together with the block's header.
static bool owns_captures(const rp_frozen_copy *frozen, uintptr_t address, uint32_t end, uint32_t needed) {
    if (end < needed || !(rp_read32(address + FLAGS) & OWNS_CAPTURES)) return false;
    uintptr_t description = rp_read64(address + DESCRIPTION);
    if (!rp_is_readable(frozen, description, DESCRIBED_SIZE + sizeof(uint64_t))) return false;
    uint64_t size = rp_read64(description + DESCRIBED_SIZE);
    return size >= needed && size <= end;
}

/// Returns the context of the closure that a block owns; `RP_NO_BLOCK` if the block owns no closure.
static uint32_t context_in(const rp_frozen_copy *frozen, uintptr_t address, uint32_t end) {
    if (!owns_captures(frozen, address, end, CONTEXT + sizeof(uintptr_t))) return RP_NO_BLOCK;
    if (!rp_is_code(frozen, rp_read64(address + CAPTURES))) return RP_NO_BLOCK;
    uint32_t context = rp_block_at(frozen, rp_read64(address + CONTEXT) & RP_ADDRESS_BITS);
    return context != RP_NO_BLOCK && frozen->heap.blocks[context].type ? context : RP_NO_BLOCK;
}

bool rp_closure_of_c_block(const rp_frozen_copy *frozen, const rp_block *block, rp_c_closure *closure) {
    if (block->flags & RP_BLOCK_DEAD || !rp_is_c_block(frozen, block)) return false;
    closure->context = context_in(frozen, block->address, block->size);
    closure->function = rp_read64(block->address + FUNCTION);
    return closure->context != RP_NO_BLOCK;
}

static bool is_of_item(const rp_place *at) {
    uint32_t needed = ITEM_BLOCK + sizeof(uintptr_t);
    return owns_captures(at->frozen, at->base, at->end, needed) && rp_word_at(at, ITEM_MARK) == item_mark;
}

void rp_scan_c_block(const rp_place *at) {
    uint32_t offset = CAPTURES;
    if (context_in(at->frozen, at->base, at->end) != RP_NO_BLOCK) {
        rp_scan_strong(at, CONTEXT, 0, RP_EDGE_FUNCTION, rp_word_at(at, CAPTURES));
        offset = CONTEXT + sizeof(uintptr_t);
    } else if (is_of_item(at)) {
        rp_scan_strong(at, ITEM_BLOCK, 0, RP_EDGE_RAW, 0);
        offset = ITEM_BLOCK + sizeof(uintptr_t);
    }
    rp_scan_words(at, offset, 0, 0);
}

#endif
