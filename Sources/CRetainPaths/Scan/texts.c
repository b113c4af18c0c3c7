#ifdef __linux__
#include "Heap/malloc_layout.h"
#include "Scan/scan.h"

// Texts of C, such as the labels of queues. A block that is as large as malloc makes it for its text contains nothing
// else: malloc's sizes are multiples of 16 bytes, so the bytes behind the text were never written, and are stale.

// The block of a queue's label may be larger, because malloc does not split off a rest that is too small for another
// block. But libdispatch copies a label into a block of its own (_dispatch_strdup_if_mutable in src/init.c), so nothing
// else is in it.

enum {
    /// Longer texts are not recognized. The stale bytes behind them are as few.
    LONGEST = 256,
    /// The least text. A shorter one may be a number.
    SHORTEST = sizeof(uint64_t),
    /// dq_label of struct dispatch_queue_s (src/queue_internal.h). Queues are not smaller than that.
    LABEL = 72,
};

/// Only ASCII, because numbers and addresses rarely consist of such bytes alone: the addresses of large blocks and of
/// libraries contain 0x7f.
static bool is_letter(unsigned char byte) {
    return byte >= ' ' && byte <= '~';
}

/// Returns the length of a text at the start of a block; 0 if there is none.
static uint32_t length_of_text(const rp_block *block) {
    const unsigned char *bytes = (const unsigned char *)block->address;
    // The last byte of an address is 0, so most blocks end the loop before the shortest length.
    if (!is_letter(bytes[SHORTEST - 1])) return 0;
    uint32_t length = 0;
    while (length < block->size && is_letter(bytes[length])) length++;
    return length >= SHORTEST && length < block->size && bytes[length] == 0 ? length : 0;
}

/// Returns the block of a queue's label; `RP_NO_BLOCK` if a block is no queue, or has no label in a block.
static uint32_t label_of(const rp_frozen_copy *frozen, const rp_block *queue, const rp_mapping *classes) {
    if (queue->type || queue->flags & RP_BLOCK_DEAD || queue->size < LABEL + sizeof(uintptr_t)) return RP_NO_BLOCK;
    uintptr_t class = rp_read64(queue->address);
    if (class < classes->start || class >= classes->end) return RP_NO_BLOCK;
    uint32_t label = rp_block_at(frozen, rp_read64(queue->address + LABEL));
    return label == RP_NO_BLOCK || frozen->heap.blocks[label].type ? RP_NO_BLOCK : label;
}

void rp_clear_words_of_labels(rp_frozen_copy *frozen) {
    // The classes of queues lie beside that of groups.
    const rp_mapping *classes = rp_mapping_at(frozen, frozen->request->facts.dispatch_group_class);
    if (!classes) return;
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        uint32_t label = label_of(frozen, frozen->heap.blocks + index, classes);
        if (label == RP_NO_BLOCK) continue;
        const rp_block *block = frozen->heap.blocks + label;
        uint32_t length = block->size <= LONGEST ? length_of_text(block) : 0;
        if (length == 0) continue;
        uint32_t end = rp_aligned(length + 1, sizeof(uintptr_t));
        for (; end + sizeof(uintptr_t) <= block->size; end += sizeof(uintptr_t)) rp_clear_word(block->address + end);
    }
}

uint32_t rp_size_without_slack(const rp_block *block) {
    if (block->size < SHORTEST || block->size > LONGEST) return block->size;
    uint32_t length = length_of_text(block);
    return length > 0 && rp_malloc_size(length + 1) == block->size ? length + 1 : block->size;
}

#endif
