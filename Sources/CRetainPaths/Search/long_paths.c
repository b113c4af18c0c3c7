#ifdef __linux__
#include "frozen_copy.h"

// The paths to targets of which many share their beginning, such as the nodes of a linked list. From a target, there is
// only one way up: to the block through which the search has reached it, or to the only block that holds it. Each such
// way is walked once for all targets on it.

enum {
    /// The blocks at the beginning of a longer path that are kept.
    HEAD = RP_MOST_BLOCKS_OF_A_PATH - RP_END_OF_A_PATH,
};

/// Returns the only block that holds an unreached block, if a search for the source of its references takes no other
/// way and cannot end at it; else `RP_NO_BLOCK`.
static uint32_t only_holder(rp_frozen_copy *frozen, const rp_unreached *unreached, uint32_t block) {
    uint32_t first = unreached->first[block];
    if (unreached->first[block + 1] != first + 1 || unreached->sources[first] & RP_IS_CONSERVATIVE) return RP_NO_BLOCK;
    bool is_end = frozen->heap.blocks[block].flags & RP_BLOCK_CYCLIC || rp_is_unexplained(frozen, unreached, block);
    return is_end ? RP_NO_BLOCK : unreached->sources[first];
}

/// Returns the next block on the way up; `RP_NO_BLOCK` at its end. `unreached` is NULL on the way to a root.
static uint32_t above(rp_frozen_copy *frozen, const rp_unreached *unreached, uint32_t block) {
    if (unreached) return only_holder(frozen, unreached, block);
    uint32_t parent = frozen->search.parent[block];
    return parent & RP_FROM_ROOT ? RP_NO_BLOCK : parent;
}

static bool is_known(const rp_target *target, const rp_unreached *unreached) {
    return target->way.length > 0 && target->way.is_to_root == !unreached;
}

/// Returns the block so many steps above another one.
static uint32_t far_above(rp_frozen_copy *frozen, const rp_unreached *unreached, uint32_t block, uint32_t steps) {
    for (; steps > 0; steps--) block = above(frozen, unreached, block);
    return block;
}

/// Walks up from a target to the end of the way, or to a target whose way is known. Returns false if there is no end.
static bool walk_up(rp_frozen_copy *frozen, const rp_unreached *unreached, rp_target *target) {
    bool is_alone = frozen->request->large_block_size == UINT32_MAX;
    uint32_t steps = 0, block = target->block, next;
    rp_target *passed = target, *known = NULL;
    target->way = (rp_way){.steps = 0};
    while (!known && (next = above(frozen, unreached, block)) != RP_NO_BLOCK) {
        // Only blocks without a reference count can hold each other without being on a cycle.
        if (++steps > frozen->heap.block_count) return false;
        block = next;
        rp_target *other = rp_target_of(frozen, block);
        if (!other || other == target || is_alone) continue;
        if (is_known(other, unreached)) {
            known = other;
        } else {
            other->way = (rp_way){.below = passed, .steps = steps};
            passed = other;
        }
    }
    uint32_t top = known ? known->way.top : block, length = steps + (known ? known->way.length : 1);
    uint32_t head = known ? known->way.head : RP_NO_BLOCK;
    bool is_head_known = known && known->way.length >= HEAD;
    if (!is_head_known && length >= HEAD) head = far_above(frozen, unreached, target->block, length - HEAD);
    for (rp_target *at = passed; at;) {
        rp_target *below = at->way.below;
        uint32_t own_length = length - at->way.steps;
        at->way = (rp_way){
            .top = top, .length = own_length, .head = own_length >= HEAD ? head : at->block, .is_to_root = !unreached,
        };
        at = below;
    }
    return true;
}

/// Writes the blocks of a way to a path, behind the first `before` blocks, the last of which is the top of the way.
static void write_way(
    rp_frozen_copy *frozen, const rp_unreached *unreached, const rp_target *target, rp_path *path, uint32_t before) {
    const rp_way *way = &target->way;
    uint64_t length = (uint64_t)before + way->length - 1;
    path->is_cut |= length > RP_MOST_BLOCKS_OF_A_PATH;
    path->count = path->is_cut ? RP_MOST_BLOCKS_OF_A_PATH : (uint32_t)length;
    uint32_t end = path->is_cut ? RP_END_OF_A_PATH : way->length, block = target->block;
    for (uint32_t behind = 0; behind < end; behind++) {
        path->blocks[path->count - 1 - behind] = block;
        if (behind + 1 < end) block = above(frozen, unreached, block);
    }
    if (!path->is_cut) return;
    block = way->head;
    for (uint32_t left = way->length < HEAD ? way->length : HEAD; left > 0; left--) {
        uint64_t place = (uint64_t)before + left - 2;
        if (place < HEAD) path->blocks[place] = block;
        if (left > 1) block = above(frozen, unreached, block);
    }
}

const rp_root *rp_path_from_root(rp_frozen_copy *frozen, rp_target *target, rp_path *path) {
    bool is_alone = frozen->request->large_block_size == UINT32_MAX;
    if (is_alone || !is_known(target, NULL)) walk_up(frozen, NULL, target);
    path->is_cut = false;
    write_way(frozen, NULL, target, path, 1);
    return frozen->search.roots + (frozen->search.parent[target->way.top] & ~(uint32_t)RP_FROM_ROOT);
}

rp_source rp_find_source_of_target(
    rp_frozen_copy *frozen, const rp_unreached *unreached, rp_target *target, rp_path *path) {
    enum { SHORT = 4 * RP_END_OF_A_PATH };
    bool is_alone = frozen->request->large_block_size == UINT32_MAX;
    bool has_way = !is_alone && (is_known(target, unreached) || walk_up(frozen, unreached, target));
    if (!has_way || target->way.length < SHORT) {
        return rp_find_source(frozen, unreached, target->block, false, path);
    }
    rp_source source = rp_find_source(frozen, unreached, target->way.top, false, path);
    if (path->count > 0) write_way(frozen, unreached, target, path, path->count);
    return source;
}

#endif
