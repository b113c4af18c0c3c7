#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The nodes of a hash tree, in the layout of swift-collections' _HashNode. Children fill a node's memory from the
// start, and items from the end; the memory between them, and what was removed, is stale.

/// The sizes of a node's items: a key, and behind it a value.
typedef struct items {
    const rp_layout *keys, *values;
    uint32_t value_offset, stride;
} items;

static items items_of(const rp_place *at, const rp_layout *layout) {
    items all = {.keys = rp_layout_at(at->frozen, layout->element), .values = rp_layout_at(at->frozen, layout->value)};
    if (!all.keys || !all.values) return all;
    uint32_t alignment = all.keys->alignment > all.values->alignment ? all.keys->alignment : all.values->alignment;
    all.value_offset = rp_aligned(all.keys->size, all.values->alignment);
    all.stride = rp_aligned(all.value_offset + all.values->size, alignment);
    return all;
}

static void scan_item(rp_place *at, const items *all, uint32_t offset) {
    at->key = at->base + offset;
    if (rp_is_of_interest(all->keys)) {
        at->is_in_key = true;
        rp_scan_value(at, all->keys, offset);
        at->is_in_key = false;
    }
    if (rp_is_of_interest(all->values)) rp_scan_value(at, all->values, offset + all->value_offset);
}

void rp_scan_hash_node(rp_place *at, const rp_layout *layout) {
    const rp_layout *child = rp_layout_at(at->frozen, layout->child);
    const items all = items_of(at, layout);
    if (!child || !all.stride || !rp_fits(at, 0, layout->size)) {
        rp_scan_words(at, layout->size, 0, 0);
        return;
    }
    uint32_t child_map = rp_read32(at->base + layout->child_map_offset);
    uint32_t item_map = rp_read32(at->base + layout->item_map_offset);
    uint32_t bytes = rp_read32(at->base + layout->bytes_offset);
    // Keys with equal hashes are in a node without children, whose bitmaps are both the number of items.
    bool is_collision = child_map == item_map;
    uint64_t children = is_collision ? 0 : (uint64_t)__builtin_popcount(child_map);
    uint64_t count = is_collision ? item_map : (uint64_t)__builtin_popcount(item_map);
    uint32_t start = rp_aligned(layout->size, child->alignment);
    if (!rp_fits(at, start, bytes) || children * child->stride + count * all.stride > bytes) {
        rp_scan_words(at, layout->size, 0, 0);
        return;
    }
    for (uint64_t index = 0; index < children; index++) {
        rp_scan_value(at, child, start + (uint32_t)(index * child->stride));
    }
    at->key_layout = all.keys;
    for (uint64_t index = 0; index < count; index++) {
        at->index = (int64_t)index;
        scan_item(at, &all, start + bytes - (uint32_t)((index + 1) * all.stride));
    }
}

#endif
