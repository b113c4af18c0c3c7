#ifdef __linux__
#include "frozen_copy.h"
#include "Heap/malloc_layout.h"

// The lookup of blocks by address. A bit for each 16 bytes of the heap says whether a block starts there. The number of
// set bits before it is the block's index, because blocks are listed in the order of their addresses.

enum { WORD_BITS = 64 };

uint64_t rp_bytes_of(const rp_block *block) {
    uintptr_t chunk = block->address - RP_CHUNK_BLOCK;
    return rp_read64(chunk + RP_CHUNK_SIZE) & ~(uint64_t)RP_CHUNK_SIZE_BITS;
}

void rp_mark_starts(rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->heap.part_count; index++) {
        rp_heap_part *part = frozen->heap.parts + index;
        part->first_bit = frozen->heap.bit_count;
        // A mapped block has one start. Each part gets whole words of bits, so each word belongs to one part.
        uint64_t bits = part->is_mapped_block ? 1 : (part->end - part->start) / RP_CHUNK_ALIGNMENT;
        frozen->heap.bit_count += (bits + WORD_BITS) / WORD_BITS * WORD_BITS;
    }
    uint64_t words = frozen->heap.bit_count / WORD_BITS;
    frozen->heap.starts = rp_take(frozen, words * sizeof(uint64_t));
    frozen->heap.ranks = rp_take(frozen, words * sizeof(uint32_t));
    uint32_t part_index = 0;
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        uintptr_t address = frozen->heap.blocks[index].address;
        while (frozen->heap.parts[part_index].end <= address) part_index++;
        const rp_heap_part *part = frozen->heap.parts + part_index;
        uint64_t bit = part->first_bit;
        if (!part->is_mapped_block) bit += (address - part->start) / RP_CHUNK_ALIGNMENT;
        frozen->heap.starts[bit / WORD_BITS] |= 1ull << bit % WORD_BITS;
    }
    uint32_t before = 0;
    for (uint64_t word = 0; word < words; word++) {
        frozen->heap.ranks[word] = before;
        before += (uint32_t)__builtin_popcountll(frozen->heap.starts[word]);
    }
}

const rp_heap_part *rp_part_at(const rp_frozen_copy *frozen, uintptr_t address) {
    uint32_t low = 0, high = frozen->heap.part_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (frozen->heap.parts[middle].end <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == frozen->heap.part_count || address < frozen->heap.parts[low].start) return NULL;
    return frozen->heap.parts + low;
}

/// Whether a block was listed for a bit. A census may list only some blocks.
static bool is_start(const rp_frozen_copy *frozen, uint64_t bit) {
    return frozen->heap.starts[bit / WORD_BITS] >> bit % WORD_BITS & 1;
}

static uint32_t index_of_bit(const rp_frozen_copy *frozen, uint64_t bit) {
    uint64_t below = (1ull << bit % WORD_BITS) - 1;
    uint64_t word = frozen->heap.starts[bit / WORD_BITS];
    return frozen->heap.ranks[bit / WORD_BITS] + (uint32_t)__builtin_popcountll(word & below);
}

uint32_t rp_block_at(const rp_frozen_copy *frozen, uintptr_t address) {
    if (address < frozen->heap.start || address >= frozen->heap.end || address % RP_CHUNK_ALIGNMENT) {
        return RP_NO_BLOCK;
    }
    const rp_heap_part *part = rp_part_at(frozen, address);
    if (!part) return RP_NO_BLOCK;
    if (part->is_mapped_block && address != part->first + RP_CHUNK_BLOCK) return RP_NO_BLOCK;
    uint64_t bit = part->first_bit;
    if (!part->is_mapped_block) bit += (address - part->start) / RP_CHUNK_ALIGNMENT;
    return is_start(frozen, bit) ? index_of_bit(frozen, bit) : RP_NO_BLOCK;
}

uint32_t rp_block_around(const rp_frozen_copy *frozen, uintptr_t address) {
    if (address < frozen->heap.start || address >= frozen->heap.end) return RP_NO_BLOCK;
    const rp_heap_part *part = rp_part_at(frozen, address);
    if (!part) return RP_NO_BLOCK;
    uint32_t index;
    if (part->is_mapped_block) {
        if (!is_start(frozen, part->first_bit)) return RP_NO_BLOCK;
        index = index_of_bit(frozen, part->first_bit);
    } else {
        uint64_t bit = part->first_bit + (address - part->start) / RP_CHUNK_ALIGNMENT;
        uint64_t word = bit / WORD_BITS;
        uint64_t up_to = frozen->heap.starts[word] & ~0ull >> (WORD_BITS - 1 - bit % WORD_BITS);
        index = frozen->heap.ranks[word] + (uint32_t)__builtin_popcountll(up_to);
        // No block starts at or before the address in its part: the address lies in the part's own header.
        if (index == frozen->heap.ranks[part->first_bit / WORD_BITS]) return RP_NO_BLOCK;
        index--;
    }
    const rp_block *block = frozen->heap.blocks + index;
    return address >= block->address && address - block->address < block->size ? index : RP_NO_BLOCK;
}

#endif
