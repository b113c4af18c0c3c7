#ifdef __linux__
#include "Heap/malloc_layout.h"
#include "Scan/scan.h"

// Texts of C, such as the labels of queues. A block that is as large as malloc makes it for its text contains nothing
// else: malloc's sizes are multiples of 16 bytes, so the bytes behind the text were never written, and are stale.

enum {
    /// Longer texts are not recognized. The stale bytes behind them are as few.
    LONGEST = 256,
    /// The least text. A shorter one may be a number.
    SHORTEST = sizeof(uint64_t),
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

uint32_t rp_size_without_slack(const rp_block *block) {
    if (block->size < SHORTEST || block->size > LONGEST) return block->size;
    uint32_t length = length_of_text(block);
    return length > 0 && rp_malloc_size(length + 1) == block->size ? length + 1 : block->size;
}

#endif
