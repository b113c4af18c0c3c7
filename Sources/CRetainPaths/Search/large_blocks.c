#ifdef __linux__
#include "frozen_copy.h"

// The references of large blocks, such as the storage of an array with a million elements. A search may describe the
// reference from such a block to each of a thousand targets. To scan the whole block each time would take seconds, so
// the references are listed once, in the order of the blocks to which they refer.

enum {
    /// The usual size from which a block is large. The scan of a smaller one takes a fraction of a millisecond.
    USUAL_SIZE = 1 << 15,
    /// A block is scanned as a whole until it is needed again this often, because a list takes several scans.
    FEW_USES = 4,
    /// The bits of an entry: the block, whether the reference is uncertain, and the position.
    BLOCK_SHIFT = 32,
    UNCERTAIN_SHIFT = 31,
};

static const uint64_t position_bits = (1ull << UNCERTAIN_SHIFT) - 1;

static bool is_large(const rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *found = frozen->heap.blocks + block;
    uint32_t size = frozen->request->large_block_size;
    if (found->size < (size ? size : USUAL_SIZE)) return false;
    if (found->type) return frozen->types.list[found->type].node != RP_NODE_TASK;
    return !rp_is_slab(frozen, found) && !rp_is_c_block(frozen, found) && !rp_is_continuation(frozen, found);
}

/// Whether the references that scans reported when the list was made are those that they report now.
static bool is_current(const rp_frozen_copy *frozen, const rp_large_block *large) {
    return large->include_unmanaged == frozen->totals.include_unmanaged
        && large->wants_all_unmanaged == frozen->totals.wants_all_unmanaged;
}

/// Returns the entry of a large block, which it adds if there is room; NULL if the block is not large.
static rp_large_block *entry_of(rp_frozen_copy *frozen, uint32_t block) {
    if (!is_large(frozen, block)) return NULL;
    rp_large_blocks *all = &frozen->large_blocks;
    for (uint32_t index = 0; index < all->count; index++) {
        if (all->list[index].block == block) return all->list + index;
    }
    if (all->count == RP_MAX_LARGE_BLOCKS) return NULL;
    all->list[all->count] = (rp_large_block){.block = block};
    return all->list + all->count++;
}

typedef struct listing {
    rp_large_block *large;
    uint64_t room;
} listing;

static void count_reference(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    listing *at = context;
    if (rp_counts_edge(frozen, edge)) at->room++;
}

static void add_reference(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    listing *at = context;
    rp_large_block *large = at->large;
    if (!rp_counts_edge(frozen, edge) || large->count == at->room) return;
    uint32_t weight = rp_weight(frozen, large->block, edge);
    if (weight < large->least_weight) large->least_weight = weight;
    large->references[large->count++] =
        (uint64_t)edge->to << BLOCK_SHIFT | (uint64_t)!edge->is_precise << UNCERTAIN_SHIFT | edge->position;
}

static void sift_down(uint64_t *heap, uint64_t at, uint64_t count) {
    uint64_t value = heap[at];
    for (uint64_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child] < heap[child + 1]) child++;
        if (heap[child] <= value) break;
        heap[at] = heap[child];
    }
    heap[at] = value;
}

/// Sorts entries (heapsort, which is never slow for a special order). Those of an array that was filled in order are
/// sorted already.
static void sort(uint64_t *list, uint64_t count) {
    uint64_t sorted = 1;
    while (sorted < count && list[sorted - 1] <= list[sorted]) sorted++;
    if (sorted >= count) return;
    for (uint64_t at = count / 2; at-- > 0;) sift_down(list, at, count);
    for (uint64_t end = count; end-- > 1;) {
        uint64_t largest = list[0];
        list[0] = list[end];
        list[end] = largest;
        sift_down(list, 0, end);
    }
}

/// Whether a list of some bytes may be made: 16 bytes for each block of the heap, and 4 if the copy also has the memory
/// for retained sizes.
static bool has_room(rp_frozen_copy *frozen, uint64_t size) {
    enum { SPARE = 1 << 20, SHARE = 4 };
    uint64_t bytes_of_block = frozen->graph.is_recorded ? 4 : 16;
    uint64_t most = frozen->heap.block_count * bytes_of_block + SPARE;
    uint64_t room = frozen->memory.room;
    return size <= most - frozen->large_blocks.used && (room == RP_UNLIMITED || size <= room / SHARE);
}

static bool take_memory(rp_frozen_copy *frozen, rp_large_block *large, uint64_t size) {
    if (size > large->memory.reserved) {
        if (!has_room(frozen, size)) return false;
        rp_reserve(frozen, &large->memory, size);
        frozen->large_blocks.used += size;
    }
    int32_t error;
    return rp_try_grow(frozen, &large->memory, size, &error);
}

/// Lists the references of a block. If there is no memory for them, the block stays without a list.
static void list_references(rp_frozen_copy *frozen, rp_large_block *large) {
    listing at = {.large = large};
    large->has_list = large->is_tried = true;
    large->include_unmanaged = frozen->totals.include_unmanaged;
    large->wants_all_unmanaged = frozen->totals.wants_all_unmanaged;
    rp_scan_block(frozen, large->block, count_reference, &at);
    if (!take_memory(frozen, large, (at.room + 1) * sizeof *large->references)) {
        large->has_list = false;
        return;
    }
    large->references = (uint64_t *)large->memory.start;
    large->count = 0;
    large->least_weight = UINT32_MAX;
    rp_part whole = {.position = RP_WHOLE_BLOCK};
    rp_scan_part(frozen, large->block, &whole, add_reference, &at);
    large->is_header_believed = whole.is_header_believed;
    sort(large->references, large->count);
}

const rp_large_block *rp_large_block_of(rp_frozen_copy *frozen, uint32_t block) {
    rp_large_block *large = entry_of(frozen, block);
    if (!large || large->uses++ < FEW_USES) return NULL;
    if (!large->is_tried || !is_current(frozen, large)) list_references(frozen, large);
    return large->has_list ? large : NULL;
}

bool rp_find_part(const rp_large_block *large, uint32_t to, rp_part *part) {
    uint64_t low = 0, high = large->count, wanted = (uint64_t)to << BLOCK_SHIFT;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (large->references[middle] < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == large->count || large->references[low] >> BLOCK_SHIFT != to) return false;
    part->position = (uint32_t)(large->references[low] & position_bits);
    part->is_header_believed = large->is_header_believed;
    return true;
}

#endif
