#ifdef __linux__
#define _GNU_SOURCE

#include "malloc_layout.h"
#include "snapshot.h"

#include <stdlib.h>

// Free blocks that malloc caches for a thread (glibc's tcache). Their chunks still look used. Only a mark in their second word tells
// them from used ones: a random number of the process since glibc 2.34.
//
// The program frees a few blocks right before it is copied, and the copy looks at what malloc has made of them. The program itself
// never reads a freed block: malloc may have given the memory back to the kernel.

// From the smallest block, which malloc caches if it caches any, to larger ones than it has in fast bins.
static const size_t sample_sizes[RP_SAMPLES] = {24, 40, 120, 500, 1000};

void rp_free_samples(rp_samples *samples) {
    // Volatile, or the compiler removes the pairs of malloc and free.
    void *volatile blocks[RP_SAMPLES];
    for (int index = 0; index < RP_SAMPLES; index++) blocks[index] = malloc(sample_sizes[index]);
    for (int index = 0; index < RP_SAMPLES; index++) {
        samples->inverted[index] = ~(uintptr_t)blocks[index];
        free(blocks[index]);
    }
}

/// The mark of the samples that malloc has cached; 0 where it caches none, or where they have no mark in common.
static uintptr_t mark_of_samples(const rp_snapshot *snapshot, uint32_t *in_arenas) {
    uintptr_t mark = 0;
    bool is_common = true;
    for (int index = 0; index < RP_SAMPLES; index++) {
        uintptr_t address = ~snapshot->samples->inverted[index];
        const rp_heap_part *part = rp_part_at(snapshot, address);
        if (!part || part->is_mapped_block) continue;
        ++*in_arenas;
        // Free, and yet listed as used, and in no fast bin: so it is cached.
        uint32_t block = rp_block_at(snapshot, address);
        if (block == RP_NO_BLOCK || snapshot->blocks[block].flags & RP_BLOCK_DEAD) continue;
        uintptr_t seen = rp_read64(address + sizeof(uintptr_t));
        if (mark && seen != mark) is_common = false;
        mark = seen;
    }
    return is_common ? mark : 0;
}

enum {
    /// struct tcache_perthread_struct since glibc 2.30: 64 counts of 16 bits, 64 lists.
    CACHE_BINS = 64,
    CACHE_ENTRIES = CACHE_BINS * sizeof(uint16_t),
    CACHE_SIZE = CACHE_ENTRIES + CACHE_BINS * sizeof(uintptr_t),
    CACHE_BLOCK_SIZE = CACHE_SIZE + 8,
};

/// The mark of the blocks in what may be a thread's cache; 0 when it is none, or empty.
static uintptr_t mark_in_cache(const rp_snapshot *snapshot, uintptr_t cache) {
    uintptr_t mark = 0;
    for (uint32_t bin = 0; bin < CACHE_BINS; bin++) {
        uint32_t count = rp_read32(cache + bin * sizeof(uint16_t)) & 0xffff;
        uintptr_t entry = rp_read64(cache + CACHE_ENTRIES + bin * sizeof(uintptr_t));
        if ((count == 0) != (entry == 0)) return 0;
        if (entry == 0) continue;
        uint32_t block = rp_block_at(snapshot, entry);
        uint32_t size = bin * RP_CHUNK_ALIGNMENT + RP_CHUNK_SMALLEST - RP_CHUNK_OVERHEAD;
        if (block == RP_NO_BLOCK || snapshot->blocks[block].size != size) return 0;
        uintptr_t seen = rp_read64(entry + sizeof(uintptr_t));
        if (seen == 0 || (mark && seen != mark)) return 0;
        mark = seen;
    }
    return mark;
}

static uintptr_t mark_in_caches(const rp_snapshot *snapshot) {
    for (uint32_t index = 0; index < snapshot->block_count; index++) {
        const rp_block *block = snapshot->blocks + index;
        uintptr_t mark = block->size == CACHE_BLOCK_SIZE ? mark_in_cache(snapshot, block->address) : 0;
        if (mark) return mark;
    }
    return 0;
}

void rp_learn_cache_mark(rp_snapshot *snapshot) {
    uint32_t in_arenas = 0;
    uintptr_t mark = mark_of_samples(snapshot, &in_arenas);
    // Where an arena cannot grow, malloc maps even small blocks. They are gone by now and tell nothing.
    if (in_arenas == 0) mark = snapshot->request->facts.cache_mark;
    if (in_arenas == 0 && mark == 0) mark = mark_in_caches(snapshot);
    // Before glibc 2.34 it is the address of the thread's cache, and different in each thread.
    if (rp_block_around(snapshot, mark) != RP_NO_BLOCK) rp_give_up(snapshot, RP_STATE_HEAP_UNKNOWN, 0);
    snapshot->cache_mark = mark;
    snapshot->answer->cache_mark = mark;
}

bool rp_is_cached(const rp_snapshot *snapshot, const rp_block *block) {
    return snapshot->cache_mark && rp_read64(block->address + sizeof(uintptr_t)) == snapshot->cache_mark;
}

#endif
