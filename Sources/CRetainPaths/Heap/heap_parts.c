#ifdef __linux__
#include "frozen_copy.h"
#include "Heap/malloc_layout.h"

// The memory from which malloc hands out blocks: the main arena in [heap], which brk extends; further arenas in parts
// of up to 64 MiB, which are aligned to 64 MiB and begin with a struct _heap_info; large blocks in mappings of their
// own.

enum {
    MOST_PARTS = 1 << 18,
    SHARE_OF_PARTS = 16,
    /// The most arenas in the ring, and the most parts of an arena.
    MOST_LINKS = 1 << 16,
};

static void add_part(rp_frozen_copy *frozen, rp_region *list, rp_heap_part part) {
    rp_grow(frozen, list, (frozen->heap.part_count + 1) * sizeof(rp_heap_part));
    frozen->heap.parts[frozen->heap.part_count++] = part;
}

static rp_range brk_range(const rp_frozen_copy *frozen) {
    rp_range range = {0, 0};
    for (uint32_t index = 0; index < frozen->process.mapping_count; index++) {
        const rp_mapping *mapping = frozen->process.mappings + index;
        if (!(mapping->flags & RP_MAPPING_IS_HEAP)) continue;
        // The heap is one range. It consists of several mappings if their attributes differ.
        if (range.end != mapping->start) range.start = mapping->start;
        range.end = mapping->end;
    }
    return range;
}

uintptr_t rp_next_arena(const rp_frozen_copy *frozen, uintptr_t arena) {
    uintptr_t next = rp_read64(arena + RP_ARENA_NEXT);
    return next % sizeof(uintptr_t) == 0 && rp_is_readable(frozen, next, RP_ARENA_SIZE) ? next : 0;
}

static bool is_ring(const rp_frozen_copy *frozen, uintptr_t arena) {
    uintptr_t at = arena;
    for (uint32_t count = 0; count < MOST_LINKS; count++) {
        at = rp_next_arena(frozen, at);
        if (at == arena) return true;
        if (at == 0) return false;
    }
    return false;
}

/// Whether an arena has no memory. Its top chunk is then `initial_top`, an imaginary chunk whose address is that of the
/// arena's field `top`.
static bool is_without_memory(uintptr_t arena) {
    return rp_read64(arena + RP_ARENA_TOP) == arena + RP_ARENA_TOP;
}

/// Finds the main arena: the arena whose top chunk ends at the end of brk's range, or an arena that has no memory yet.
static void find_main_arena(rp_frozen_copy *frozen, rp_range heap) {
    rp_range data = frozen->request->allocator_data;
    for (uintptr_t at = (data.start + 7) & ~(uintptr_t)7; at + RP_ARENA_SIZE <= data.end; at += 8) {
        if (!rp_is_readable(frozen, at, RP_ARENA_SIZE)) continue;
        uintptr_t top = rp_read64(at + RP_ARENA_TOP);
        if (is_without_memory(at) && is_ring(frozen, at)) {
            frozen->heap.main_arena = at;
            return;
        }
        if (top < heap.start || top + RP_CHUNK_BLOCK > heap.end || top % RP_CHUNK_ALIGNMENT) continue;
        uintptr_t size = rp_read64(top + RP_CHUNK_SIZE) & ~(uintptr_t)RP_CHUNK_SIZE_BITS;
        if (size == heap.end - top && is_ring(frozen, at)) {
            frozen->heap.main_arena = at;
            return;
        }
    }
}

/// Whether the main arena has its top chunk in mapped memory, because the kernel refused to move brk. Such an arena is
/// in a ring, and its top chunk ends at the end of a page.
static bool main_arena_is_elsewhere(const rp_frozen_copy *frozen, rp_range heap) {
    rp_range data = frozen->request->allocator_data;
    for (uintptr_t at = (data.start + 7) & ~(uintptr_t)7; at + RP_ARENA_SIZE <= data.end; at += 8) {
        if (!rp_is_readable(frozen, at, RP_ARENA_SIZE)) continue;
        uintptr_t top = rp_read64(at + RP_ARENA_TOP);
        if (top >= heap.start && top < heap.end) continue;
        if (top % RP_CHUNK_ALIGNMENT || !rp_is_readable(frozen, top, RP_CHUNK_BLOCK)) continue;
        uintptr_t field = rp_read64(top + RP_CHUNK_SIZE);
        uintptr_t size = field & ~(uintptr_t)RP_CHUNK_SIZE_BITS;
        bool is_top = (field & RP_CHUNK_SIZE_BITS) == RP_CHUNK_PREVIOUS_IN_USE && (top + size) % RP_PAGE == 0;
        bool fits = size >= RP_CHUNK_SMALLEST && rp_is_readable(frozen, top, size);
        if (is_top && fits && is_ring(frozen, at)) return true;
    }
    return false;
}

/// Whether a part of an arena begins at an address.
static bool is_heap_info(const rp_frozen_copy *frozen, uintptr_t start, uintptr_t arena) {
    if (!rp_is_readable(frozen, start, RP_PAGE)) return false;
    uintptr_t size = rp_read64(start + RP_HEAP_INFO_SIZE);
    return rp_read64(start + RP_HEAP_INFO_ARENA) == arena && size >= RP_PAGE && size <= RP_HEAP_INFO_ALIGNMENT
        && size % RP_PAGE == 0 && rp_is_readable(frozen, start, size);
}

static void add_arena(rp_frozen_copy *frozen, rp_region *list, uintptr_t arena) {
    uintptr_t top = rp_read64(arena + RP_ARENA_TOP);
    // The arena's structure follows the struct _heap_info of its first part. The size of that header is the same in all
    // parts.
    uintptr_t first_part = arena & ~(uintptr_t)(RP_HEAP_INFO_ALIGNMENT - 1);
    uintptr_t header = arena - first_part;
    uintptr_t start = top & ~(uintptr_t)(RP_HEAP_INFO_ALIGNMENT - 1);
    for (uint32_t count = 0; start && count < MOST_LINKS; count++) {
        if (!is_heap_info(frozen, start, arena)) rp_give_up(frozen, RP_STATE_HEAP_IN_FLUX, 0);
        uintptr_t first = start == first_part ? arena + RP_ARENA_SIZE : start + header;
        rp_heap_part part = {
            .start = start,
            .end = start + rp_read64(start + RP_HEAP_INFO_SIZE),
            .first = (first + RP_CHUNK_ALIGNMENT - 1) & ~(uintptr_t)(RP_CHUNK_ALIGNMENT - 1),
            .top = top,
        };
        add_part(frozen, list, part);
        start = rp_read64(start + RP_HEAP_INFO_PREVIOUS);
    }
    frozen->answer->counts.arenas++;
}

/// Whether a mapped block begins at the start of a page. It may be as small as one page: a program can choose the size
/// above which blocks are mapped, and malloc maps all blocks if an arena cannot grow.
static bool is_mapped_chunk(uintptr_t page, uintptr_t end) {
    uintptr_t field = rp_read64(page + RP_CHUNK_SIZE);
    uintptr_t size = field & ~(uintptr_t)RP_CHUNK_SIZE_BITS;
    return (field & RP_CHUNK_SIZE_BITS) == RP_CHUNK_IS_MAPPED && rp_read64(page) == 0 && size % RP_PAGE == 0
        && size >= RP_PAGE && size <= end - page;
}

/// Returns the address of the chunk of a mapped block. If the block is aligned to more than 16 bytes, the chunk lies
/// behind the start of the mapping, and its first word is the distance from that start (`_int_memalign`).
static uintptr_t aligned_chunk(uintptr_t page, uintptr_t end) {
    for (uintptr_t alignment = 2 * RP_CHUNK_ALIGNMENT; alignment <= RP_PAGE; alignment *= 2) {
        uintptr_t lead = alignment - RP_CHUNK_BLOCK, chunk = page + lead;
        uintptr_t field = (end - chunk) | RP_CHUNK_IS_MAPPED;
        if (rp_read64(chunk) == lead && rp_read64(chunk + RP_CHUNK_SIZE) == field) return chunk;
    }
    return page;
}

static const rp_heap_part *part_in(const rp_frozen_copy *frozen, uint32_t count, uintptr_t address) {
    for (uint32_t index = 0; index < count; index++) {
        const rp_heap_part *part = frozen->heap.parts + index;
        if (address >= part->start && address < part->end) return part;
    }
    return NULL;
}

/// Finds the mapped blocks. The kernel merges neighboring mappings, so a mapped block may begin at any page.
static void find_mapped_blocks(rp_frozen_copy *frozen, rp_region *list) {
    uint32_t arena_parts = frozen->heap.part_count;
    for (uint32_t index = 0; index < frozen->process.mapping_count; index++) {
        const rp_mapping *mapping = frozen->process.mappings + index;
        const uint32_t needed = RP_MAPPING_READABLE | RP_MAPPING_WRITABLE;
        if ((mapping->flags & ~(uint32_t)RP_MAPPING_EXECUTABLE) != needed) continue;
        uintptr_t page = rp_next_touched_page(frozen, mapping->start, mapping->end);
        while (page < mapping->end) {
            const rp_heap_part *part = part_in(frozen, arena_parts, page);
            if (part) {
                page = part->end;
            } else if (is_mapped_chunk(page, mapping->end)) {
                uintptr_t end = page + (rp_read64(page + RP_CHUNK_SIZE) & ~(uintptr_t)RP_CHUNK_SIZE_BITS);
                add_part(
                    frozen, list,
                    (rp_heap_part){
                        .start = page, .end = end, .first = aligned_chunk(page, end), .is_mapped_block = true,
                    });
                frozen->answer->counts.mapped_blocks++;
                page = end;
            } else {
                page = rp_next_touched_page(frozen, page + RP_PAGE, mapping->end);
            }
        }
    }
}

/// Sorts the parts by their addresses.
static void sort_parts(rp_frozen_copy *frozen) {
    // Shell's sort, because there may be tens of thousands of mapped blocks, which arrive nearly sorted.
    for (uint32_t gap = frozen->heap.part_count / 2; gap > 0; gap /= 2) {
        for (uint32_t index = gap; index < frozen->heap.part_count; index++) {
            rp_heap_part part = frozen->heap.parts[index];
            uint32_t place = index;
            for (; place >= gap && frozen->heap.parts[place - gap].start > part.start; place -= gap) {
                frozen->heap.parts[place] = frozen->heap.parts[place - gap];
            }
            frozen->heap.parts[place] = part;
        }
    }
}

void rp_find_heap_parts(rp_frozen_copy *frozen) {
    rp_range heap = brk_range(frozen);
    find_main_arena(frozen, heap);
    if (frozen->heap.main_arena == 0) {
        if (main_arena_is_elsewhere(frozen, heap)) rp_give_up(frozen, RP_STATE_HEAP_ELSEWHERE, 0);
        // Another thread may have been moving the end of the heap, so a retry may succeed.
        rp_give_up(frozen, heap.end == 0 ? RP_STATE_HEAP_UNKNOWN : RP_STATE_HEAP_IN_FLUX, 0);
    }

    rp_region list;
    rp_reserve_at_most(frozen, &list, MOST_PARTS * sizeof(rp_heap_part), SHARE_OF_PARTS);
    frozen->heap.parts = (rp_heap_part *)list.start;
    if (!is_without_memory(frozen->heap.main_arena)) {
        rp_heap_part main_part = {
            .start = heap.start,
            .end = heap.end,
            .first = (heap.start + RP_CHUNK_ALIGNMENT - 1) & ~(uintptr_t)(RP_CHUNK_ALIGNMENT - 1),
            .top = rp_read64(frozen->heap.main_arena + RP_ARENA_TOP),
        };
        add_part(frozen, &list, main_part);
    }
    frozen->answer->counts.arenas++;
    uintptr_t arena = rp_next_arena(frozen, frozen->heap.main_arena);
    for (; arena != frozen->heap.main_arena; arena = rp_next_arena(frozen, arena)) {
        if (rp_read64(arena + RP_ARENA_TOP) != 0) add_arena(frozen, &list, arena);
    }
    find_mapped_blocks(frozen, &list);
    if (frozen->heap.part_count == 0) rp_give_up(frozen, RP_STATE_HEAP_UNKNOWN, 0);
    sort_parts(frozen);
    frozen->heap.start = frozen->heap.parts[0].start;
    frozen->heap.end = frozen->heap.parts[frozen->heap.part_count - 1].end;
}

#endif
