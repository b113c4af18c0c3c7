#ifdef __linux__
#define _GNU_SOURCE

#include "frozen_copy.h"
#include "Heap/malloc_layout.h"

#include <stdlib.h>

// Free blocks that malloc caches for a thread (glibc's tcache). Their chunks still look used. Only a mark in their
// second word distinguishes them from used blocks. Since glibc 2.34, the mark is a random number that is the same in
// the whole process.
//
// A used block may still contain the mark: if a thread ends, malloc moves its cached blocks to the fast bins, and hands
// them out from there with the old second word. Therefore the lists of the caches decide, if all of them can be read.
//
// The program frees a few blocks right before it is copied, and the copy reads what malloc has written to them. The
// program itself never reads a freed block, because malloc may have returned the memory to the kernel.

// The sizes range from the smallest block, which malloc caches if it caches any, to sizes above those of fast bins.
static const size_t sample_sizes[RP_SAMPLES] = {24, 40, 120, 500, 1000};

void rp_free_samples(rp_samples *samples) {
    // The array is volatile because the compiler would remove the pairs of malloc and free.
    void *volatile blocks[RP_SAMPLES];
    for (int index = 0; index < RP_SAMPLES; index++) blocks[index] = malloc(sample_sizes[index]);
    for (int index = 0; index < RP_SAMPLES; index++) {
        samples->inverted[index] = ~(uintptr_t)blocks[index];
        free(blocks[index]);
    }
}

/// Returns the mark of the samples that malloc has cached; 0 if malloc has cached none, or if their marks differ. Adds
/// the number of samples in arenas to `*in_arenas`.
static uintptr_t mark_of_samples(const rp_frozen_copy *frozen, uint32_t *in_arenas) {
    uintptr_t mark = 0;
    bool is_common = true;
    for (int index = 0; index < RP_SAMPLES; index++) {
        uintptr_t address = ~frozen->samples->inverted[index];
        const rp_heap_part *part = rp_part_at(frozen, address);
        if (!part || part->is_mapped_block) continue;
        ++*in_arenas;
        // The block is free, is listed as used, and is in no fast bin: malloc has cached it.
        uint32_t block = rp_block_at(frozen, address);
        if (block == RP_NO_BLOCK || frozen->heap.blocks[block].flags & RP_BLOCK_DEAD) continue;
        uintptr_t seen = rp_read64(address + sizeof(uintptr_t));
        if (mark && seen != mark) is_common = false;
        mark = seen;
    }
    return is_common ? mark : 0;
}

enum {
    /// struct tcache_perthread_struct since glibc 2.30: 64 counts of 16 bits, then 64 lists.
    CACHE_BINS = 64,
    CACHE_ENTRIES = CACHE_BINS * sizeof(uint16_t),
    CACHE_SIZE = CACHE_ENTRIES + CACHE_BINS * sizeof(uintptr_t),
    /// The block of a cache is larger if the rest was too small for another block, or if malloc has mapped it.
    LARGEST_CACHE_BLOCK = 4096,
    /// More than malloc keeps of a size by default (TCACHE_FILL_COUNT).
    PLAUSIBLE_COUNT = 64,
};

/// Returns the mark of the blocks in a thread's cache; 0 if the memory is not a cache, or if the cache is empty. Looks
/// only at the first block of each list.
static uintptr_t mark_in_cache(const rp_frozen_copy *frozen, uintptr_t cache) {
    uintptr_t mark = 0;
    for (uint32_t bin = 0; bin < CACHE_BINS; bin++) {
        uint32_t count = rp_read32(cache + bin * sizeof(uint16_t)) & 0xffff;
        uintptr_t entry = rp_read64(cache + CACHE_ENTRIES + bin * sizeof(uintptr_t));
        if ((count == 0) != (entry == 0)) return 0;
        if (entry == 0) continue;
        uint32_t block = rp_block_at(frozen, entry);
        uint32_t size = bin * RP_CHUNK_ALIGNMENT + RP_CHUNK_SMALLEST - RP_CHUNK_OVERHEAD;
        if (block == RP_NO_BLOCK || frozen->heap.blocks[block].size != size) return 0;
        uintptr_t seen = rp_read64(entry + sizeof(uintptr_t));
        if (seen == 0 || (mark && seen != mark)) return 0;
        mark = seen;
    }
    return mark;
}

static bool may_be_cache(const rp_block *block) {
    return block->size >= CACHE_SIZE && block->size <= LARGEST_CACHE_BLOCK;
}

static uintptr_t mark_in_caches(const rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        const rp_block *block = frozen->heap.blocks + index;
        uintptr_t mark = may_be_cache(block) ? mark_in_cache(frozen, block->address) : 0;
        if (mark) return mark;
    }
    return 0;
}

/// Counts the marked blocks in a list of a cache, and marks them as dead if asked to. Returns whether the list has the
/// given length.
static bool walk_list(rp_frozen_copy *frozen, uintptr_t entry, uint32_t length, bool marks_dead) {
    for (; length > 0; length--) {
        uint32_t block = rp_block_at(frozen, entry);
        if (block == RP_NO_BLOCK || !rp_is_cached(frozen, frozen->heap.blocks + block)) return false;
        if (marks_dead && !(frozen->heap.blocks[block].flags & RP_BLOCK_DEAD)) {
            frozen->heap.blocks[block].flags |= RP_BLOCK_DEAD;
            frozen->answer->counts.free_blocks++;
        }
        entry = rp_reveal_pointer(entry, rp_read64(entry));
    }
    return entry == 0;
}

/// Walks all lists of a cache, up to the first that cannot be read. Returns whether all have the length that the cache
/// states.
static bool walk_lists(rp_frozen_copy *frozen, uintptr_t cache, bool marks_dead) {
    for (uint32_t bin = 0; bin < CACHE_BINS; bin++) {
        uint32_t count = rp_read32(cache + bin * sizeof(uint16_t)) & 0xffff;
        uintptr_t entry = rp_read64(cache + CACHE_ENTRIES + bin * sizeof(uintptr_t));
        if (!walk_list(frozen, entry, count, marks_dead)) return false;
    }
    return true;
}

/// Whether a block that is no consistent cache seems to be one that its thread was changing.
static bool seems_to_change(const rp_frozen_copy *frozen, uintptr_t cache) {
    bool has_entries = false;
    for (uint32_t bin = 0; bin < CACHE_BINS; bin++) {
        uint32_t count = rp_read32(cache + bin * sizeof(uint16_t)) & 0xffff;
        uintptr_t entry = rp_read64(cache + CACHE_ENTRIES + bin * sizeof(uintptr_t));
        if (count > PLAUSIBLE_COUNT || (entry != 0 && rp_block_at(frozen, entry) == RP_NO_BLOCK)) return false;
        has_entries |= entry != 0;
    }
    return has_entries;
}

/// Whether all samples that are in arenas are marked as dead.
static bool are_samples_dead(const rp_frozen_copy *frozen) {
    for (int index = 0; index < RP_SAMPLES; index++) {
        uint32_t block = rp_block_at(frozen, ~frozen->samples->inverted[index]);
        if (block != RP_NO_BLOCK && !(frozen->heap.blocks[block].flags & RP_BLOCK_DEAD)) return false;
    }
    return true;
}

/// Marks the blocks in the lists of all caches as dead. If a list cannot be read, because its thread was changing it,
/// or if the lists do not contain the samples, all blocks that contain the mark count as cached.
static void skip_listed_blocks(rp_frozen_copy *frozen) {
    bool are_listed = false;
    for (int is_second_pass = 0; is_second_pass < 2; is_second_pass++) {
        for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
            const rp_block *block = frozen->heap.blocks + index;
            if (!may_be_cache(block)) continue;
            if (!mark_in_cache(frozen, block->address)) {
                if (seems_to_change(frozen, block->address)) return;
                continue;
            }
            if (!walk_lists(frozen, block->address, is_second_pass)) return;
            are_listed = true;
        }
    }
    if (are_listed && are_samples_dead(frozen)) frozen->heap.cache_mark = 0;
}

void rp_learn_cache_mark(rp_frozen_copy *frozen) {
    uint32_t in_arenas = 0;
    uintptr_t mark = mark_of_samples(frozen, &in_arenas);
    // If an arena cannot grow, malloc maps even small blocks. Freeing such samples has unmapped them, so they tell
    // nothing.
    if (in_arenas == 0) mark = frozen->request->facts.cache_mark;
    if (in_arenas == 0 && mark == 0) mark = mark_in_caches(frozen);
    // Before glibc 2.34, the mark is the address of the thread's cache and differs between threads.
    if (rp_block_around(frozen, mark) != RP_NO_BLOCK) rp_give_up(frozen, RP_STATE_HEAP_UNKNOWN, 0);
    frozen->heap.cache_mark = mark;
    frozen->answer->cache_mark = mark;
    if (mark) skip_listed_blocks(frozen);
}

void rp_skip_caches(rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        rp_block *block = frozen->heap.blocks + index;
        if (may_be_cache(block) && mark_in_cache(frozen, block->address)) block->flags |= RP_BLOCK_DEAD;
    }
}

bool rp_is_cached(const rp_frozen_copy *frozen, const rp_block *block) {
    return frozen->heap.cache_mark && rp_read64(block->address + sizeof(uintptr_t)) == frozen->heap.cache_mark;
}

#endif
