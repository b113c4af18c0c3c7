#ifdef __linux__
#include "Heap/malloc_layout.h"
#include "Leaks/leaks.h"

// The objects that the first look has not reached, for comparison with the later looks. Between the looks, nobody can
// reach an object that is leaked, so neither its type nor its reference count changes.

enum { HASH_BITS = 20 };

static_assert(RP_CHUNK_ALIGNMENT == 16, "the lowest four bits of an address are left out");

bool rp_is_unreached_object(const rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *found = frozen->heap.blocks + block;
    return found->type && !(found->flags & (RP_BLOCK_REACHED | RP_BLOCK_DEAD));
}

static uint64_t entry_for(const rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *object = frozen->heap.blocks + block;
    uint64_t properties = frozen->types.list[object->type].metadata;
    properties = properties * 0x9E3779B97F4A7C15ull + rp_counts_of(frozen, object->address).strong;
    uint64_t hash = properties * 0x9E3779B97F4A7C15ull >> (64 - HASH_BITS);
    return object->address / RP_CHUNK_ALIGNMENT << HASH_BITS | hash;
}

void rp_note_unreached(rp_frozen_copy *frozen) {
    rp_leaks *leaks = frozen->request->leaks;
    leaks->noted_count = 0;
    leaks->not_noted = 0;
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        if (!rp_is_unreached_object(frozen, block)) continue;
        if (leaks->noted_count == RP_MAX_NOTED_OBJECTS) {
            leaks->not_noted++;
        } else {
            leaks->noted[leaks->noted_count++] = entry_for(frozen, block);
        }
    }
}

void rp_keep_noted(rp_frozen_copy *frozen) {
    rp_leaks *leaks = frozen->request->leaks;
    uint32_t next = 0, kept = 0;
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        if (!rp_is_unreached_object(frozen, block)) continue;
        uint64_t entry = entry_for(frozen, block);
        // Both the blocks and the entries are in the order of their addresses.
        uint64_t smallest = entry >> HASH_BITS << HASH_BITS;
        while (next < leaks->noted_count && leaks->noted[next] < smallest) next++;
        if (next == leaks->noted_count || leaks->noted[next] != entry) {
            rp_mark_block_in_use(frozen, block);
        } else {
            // Entries before `next` are not needed any more.
            leaks->noted[kept++] = leaks->noted[next++];
        }
    }
    // The next look compares only with objects that all looks have noted.
    leaks->noted_count = kept;
}

#endif
