#ifdef __linux__
#include "frozen_copy.h"
#include "Heap/malloc_layout.h"

// The blocks that are in use. Chunks follow one another, and each says whether the preceding chunk is in use. Small
// free blocks also count as in use there: malloc keeps them in fast bins, which this file recognizes, or in caches of
// threads (cached_blocks.c).

enum {
    /// Only this many bytes of a larger block are searched.
    LARGEST_BLOCK = 0xfffffff0u,
    /// A longer list in an arena is broken.
    LONGEST_LIST = 1 << 24,
    SHARE_OF_BLOCKS = 2,
    /// The share of the memory limit that the list of blocks may take in a census.
    SHARE_IN_CENSUS = 2,
    /// A preview lists a third of its bytes at the start of a part, a third at the end, and a third in samples between.
    PREVIEW_SHARES = 3,
    PREVIEW_SAMPLES = 16,
    /// The number of sizes that must fit one another before memory counts as chunks.
    CONVINCING_CHAIN = 16,
};

/// Whether the list of blocks must not become longer. A search needs all blocks and gives up at the memory limit; a
/// census counts the others and says so.
static bool is_list_full(const rp_frozen_copy *frozen) {
    const rp_region *list = &frozen->heap.block_memory;
    size_t size = ((size_t)frozen->heap.block_count + 1) * sizeof(rp_block);
    if (!frozen->request->census || size <= list->usable) return false;
    return size > list->reserved || size > frozen->request->memory_limit / SHARE_IN_CENSUS;
}

static void add_block(rp_frozen_copy *frozen, uintptr_t address, uintptr_t size) {
    if (is_list_full(frozen)) {
        frozen->heap.left_out++;
        frozen->heap.left_out_bytes += size + RP_CHUNK_OVERHEAD;
        return;
    }
    rp_grow(frozen, &frozen->heap.block_memory, ((size_t)frozen->heap.block_count + 1) * sizeof(rp_block));
    rp_block *block = frozen->heap.blocks + frozen->heap.block_count++;
    block->address = address;
    block->size = size > LARGEST_BLOCK ? LARGEST_BLOCK : (uint32_t)size;
    frozen->answer->counts.block_bytes += size;
}

static bool is_end(const rp_heap_part *part, uintptr_t chunk) {
    return chunk == part->top || part->end - chunk <= RP_CHUNK_FENCE;
}

/// Returns the chunk behind a chunk; 0 if the size of the chunk is impossible.
static uintptr_t next_chunk(const rp_heap_part *part, uintptr_t chunk) {
    uintptr_t size = rp_read64(chunk + RP_CHUNK_SIZE) & ~(uintptr_t)RP_CHUNK_SIZE_BITS;
    bool fits = size >= RP_CHUNK_FENCE && size % RP_CHUNK_ALIGNMENT == 0 && size < part->end - chunk;
    return fits && part->end - chunk - size >= RP_CHUNK_BLOCK ? chunk + size : 0;
}

static void add_chunk(rp_frozen_copy *frozen, uintptr_t chunk, uintptr_t next) {
    bool is_in_use = rp_read64(next + RP_CHUNK_SIZE) & RP_CHUNK_PREVIOUS_IN_USE;
    if (is_in_use && next - chunk >= RP_CHUNK_SMALLEST) {
        add_block(frozen, chunk + RP_CHUNK_BLOCK, next - chunk - RP_CHUNK_OVERHEAD);
    }
}

static void walk_part(rp_frozen_copy *frozen, const rp_heap_part *part) {
    for (uintptr_t chunk = part->first, next; !is_end(part, chunk); chunk = next) {
        next = next_chunk(part, chunk);
        if (!next) rp_give_up(frozen, RP_STATE_HEAP_IN_FLUX, 0);
        add_chunk(frozen, chunk, next);
    }
}

/// Whether chunks follow one another from an address, as they do only from the start of a chunk.
static bool is_chunk(const rp_heap_part *part, uintptr_t address) {
    for (uint32_t length = 0; length < CONVINCING_CHAIN && !is_end(part, address); length++) {
        address = next_chunk(part, address);
        if (!address) return false;
    }
    return true;
}

/// Lists the chunks of a part from an address on that begin before another one. Returns the chunk behind them.
static uintptr_t list_sample(rp_frozen_copy *frozen, const rp_heap_part *part, uintptr_t start, uintptr_t end) {
    uintptr_t chunk = start;
    while (!is_end(part, chunk) && !is_chunk(part, chunk)) chunk += RP_CHUNK_ALIGNMENT;
    for (uintptr_t next; !is_end(part, chunk) && chunk < end; chunk = next) {
        next = next_chunk(part, chunk);
        if (!next) break;
        add_chunk(frozen, chunk, next);
    }
    return chunk;
}

/// Lists the first and the last chunks of a part, where the objects lie that a program has few of, and samples in
/// between.
static void preview_part(rp_frozen_copy *frozen, const rp_heap_part *part, uintptr_t end) {
    uintptr_t share = frozen->request->preview_bytes / PREVIEW_SHARES;
    uintptr_t distance = (end - part->first) / PREVIEW_SAMPLES & ~(uintptr_t)(RP_CHUNK_ALIGNMENT - 1);
    uintptr_t chunk = list_sample(frozen, part, part->first, part->first + share);
    for (uint32_t index = 1; index < PREVIEW_SAMPLES; index++) {
        uintptr_t start = part->first + index * distance;
        if (chunk > start) start = chunk;
        chunk = list_sample(frozen, part, start, start + share / PREVIEW_SAMPLES);
    }
    uintptr_t last = (end - share) & ~(uintptr_t)(RP_CHUNK_ALIGNMENT - 1);
    list_sample(frozen, part, chunk > last ? chunk : last, end);
    frozen->heap.is_preview = true;
}

static void list_part(rp_frozen_copy *frozen, const rp_heap_part *part) {
    uint64_t preview = frozen->request->preview_bytes;
    // The last part of an arena contains the arena's top, behind which there are no blocks.
    uintptr_t end = part->top > part->first && part->top < part->end ? part->top : part->end;
    if (part->is_mapped_block) {
        add_block(frozen, part->first + RP_CHUNK_BLOCK, part->end - part->first - RP_CHUNK_BLOCK);
    } else if (preview > 0 && end - part->first > preview) {
        preview_part(frozen, part, end);
    } else {
        walk_part(frozen, part);
    }
}

/// Marks the blocks in fast bins: small free blocks that malloc keeps in lists until it needs larger blocks.
static void skip_fast_bins(rp_frozen_copy *frozen, uintptr_t arena) {
    for (uint32_t bin = 0; bin < RP_ARENA_FAST_BIN_COUNT; bin++) {
        uintptr_t chunk = rp_read64(arena + RP_ARENA_FAST_BINS + bin * sizeof(uintptr_t));
        for (uint32_t count = 0; chunk != 0; count++) {
            uint32_t block = rp_block_at(frozen, chunk + RP_CHUNK_BLOCK);
            if (block == RP_NO_BLOCK || count == LONGEST_LIST) {
                // Another thread was changing the list, or this malloc has no such list.
                frozen->answer->counts.walk_errors++;
                break;
            }
            frozen->heap.blocks[block].flags |= RP_BLOCK_DEAD;
            frozen->answer->counts.free_blocks++;
            uintptr_t at = chunk + RP_CHUNK_BLOCK;
            chunk = rp_reveal_pointer(at, rp_read64(at));
        }
    }
}

void rp_walk_heap(rp_frozen_copy *frozen) {
    uintptr_t total = 0;
    for (uint32_t index = 0; index < frozen->heap.part_count; index++) {
        rp_heap_part *part = frozen->heap.parts + index;
        total += part->is_mapped_block ? RP_CHUNK_SMALLEST : part->end - part->start;
    }
    // Reserves space as if all blocks had the smallest size, which is an upper bound.
    rp_reserve_at_most(
        frozen, &frozen->heap.block_memory, total / RP_CHUNK_SMALLEST * sizeof(rp_block) + sizeof(rp_block),
        SHARE_OF_BLOCKS);
    frozen->heap.blocks = (rp_block *)frozen->heap.block_memory.start;
    for (uint32_t index = 0; index < frozen->heap.part_count; index++) list_part(frozen, frozen->heap.parts + index);
    rp_mark_starts(frozen);
    for (uintptr_t arena = frozen->heap.main_arena;;) {
        skip_fast_bins(frozen, arena);
        arena = rp_next_arena(frozen, arena);
        if (arena == frozen->heap.main_arena) break;
    }
    rp_learn_cache_mark(frozen);
}

#endif
