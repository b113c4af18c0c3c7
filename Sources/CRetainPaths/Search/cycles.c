#ifdef __linux__
#include "frozen_copy.h"

// Searches among blocks that no root reaches. They use the memory of the search from the roots, which has recorded
// nothing about these blocks, and leave that memory unchanged.

typedef struct walk {
    rp_frozen_copy *frozen;
    uint32_t from, distance;
    /// The block to which a cycle must return; the last block and the length of the shortest cycle so far.
    uint32_t start, last, length;
    /// Blocks whose distance the walk has set, and which it resets at its end.
    uint32_t *visited;
    uint32_t visited_count;
} walk;

static uint32_t *visited_list(rp_frozen_copy *frozen) {
    rp_region *memory = &frozen->search.visited_memory;
    if (!memory->start) rp_reserve(frozen, memory, frozen->heap.block_count * sizeof(uint32_t));
    return (uint32_t *)memory->start;
}

static void offer(walk *at, uint32_t to, uint32_t distance) {
    rp_search *search = &at->frozen->search;
    if (search->distance[to] == RP_FAR) {
        rp_grow(at->frozen, &at->frozen->search.visited_memory, (at->visited_count + 1ul) * sizeof(uint32_t));
        at->visited[at->visited_count++] = to;
    }
    rp_offer(search, to, at->from, distance);
}

static void forget(walk *at) {
    rp_search *search = &at->frozen->search;
    for (uint32_t index = 0; index < at->visited_count; index++) search->distance[at->visited[index]] = RP_FAR;
    search->visited += at->visited_count;
    memset(search->buckets, 0xff, sizeof search->buckets);
    search->queued = 0;
}

static void follow(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    walk *at = context;
    uint32_t flags = frozen->heap.blocks[edge->to].flags;
    if (flags & RP_BLOCK_REACHED || !(flags & RP_BLOCK_CYCLIC) || !rp_counts_edge(frozen, edge)) return;
    uint32_t distance = at->distance + rp_weight(frozen, at->from, edge);
    // A longer way than that round the shortest cycle so far is never continued.
    if (distance >= at->length) return;
    if (edge->to != at->start) {
        offer(at, edge->to, distance);
    } else {
        at->length = distance;
        at->last = at->from;
    }
}

static void follow_to_start(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    const walk *at = context;
    if (edge->to == at->start) follow(frozen, edge, context);
}

/// Whether a block is large, and no reference from it can lead to a shorter cycle than one that is known now: the one
/// that the block's own reference to the start closes, or an earlier one. Such a block is not scanned as a whole.
static bool is_settled(walk *at) {
    const rp_large_block *large = rp_large_block_of(at->frozen, at->from);
    if (!large) return false;
    rp_part part;
    if (rp_find_part(large, at->start, &part)) rp_scan_part(at->frozen, at->from, &part, follow_to_start, at);
    return (uint64_t)at->distance + large->least_weight >= at->length;
}

/// Writes the blocks from `last` back to the block without a parent, in that order.
static void write_back(const walk *at, uint32_t last, rp_path *path) {
    path->count = 0;
    path->is_cut = false;
    for (uint32_t block = last; block != RP_NO_BLOCK; block = at->frozen->search.parent[block]) {
        if (path->count == RP_MOST_BLOCKS_OF_A_PATH) {
            path->is_cut = true;
            uint32_t *end = path->blocks + RP_MOST_BLOCKS_OF_A_PATH - RP_END_OF_A_PATH;
            memmove(end, end + 1, (RP_END_OF_A_PATH - 1) * sizeof *end);
            path->count--;
        }
        path->blocks[path->count++] = block;
    }
}

static void reverse(rp_path *path) {
    for (uint32_t low = 0, high = path->count; low + 1 < high; low++, high--) {
        uint32_t block = path->blocks[low];
        path->blocks[low] = path->blocks[high - 1];
        path->blocks[high - 1] = block;
    }
}

void rp_find_cycle(rp_frozen_copy *frozen, uint32_t block, rp_path *path) {
    walk at = {
        .frozen = frozen,
        .from = RP_NO_BLOCK,
        .start = block,
        .last = RP_NO_BLOCK,
        .length = UINT32_MAX,
        .visited = visited_list(frozen),
    };
    path->count = 0;
    path->is_cut = false;
    offer(&at, block, 0);
    while ((at.from = rp_take_nearest(&frozen->search, &at.distance)) != RP_NO_BLOCK) {
        if (at.distance >= at.length) break;
        if (!is_settled(&at)) rp_scan_block(frozen, at.from, follow, &at);
    }
    if (at.last != RP_NO_BLOCK) {
        write_back(&at, at.last, path);
        reverse(path);
    }
    forget(&at);
}

/// Whether a block is a raw block to which no unreached block refers. The words in it are stale.
static bool has_no_holder(const rp_frozen_copy *frozen, const rp_unreached *unreached, uint32_t block) {
    return !frozen->heap.blocks[block].type && unreached->first[block + 1] == unreached->first[block];
}

/// Returns the number of references to a block from unreached blocks, without those that are stale.
static uint32_t references_to(const rp_frozen_copy *frozen, const rp_unreached *unreached, uint32_t block) {
    uint32_t count = 0;
    for (uint32_t index = unreached->first[block]; index < unreached->first[block + 1]; index++) {
        count += !has_no_holder(frozen, unreached, unreached->sources[index] & ~(uint32_t)RP_IS_CONSERVATIVE);
    }
    return count;
}

bool rp_is_unexplained(rp_frozen_copy *frozen, const rp_unreached *unreached, uint32_t block) {
    uint32_t found = references_to(frozen, unreached, block);
    // The runtime retains a task that has not finished, regardless of the references to it.
    if (found == 0 || rp_is_running_task(frozen, block)) return true;
    if (!frozen->heap.blocks[block].type) return false;
    return found < rp_counts_of(frozen, frozen->heap.blocks[block].address).strong;
}

/// Whether a cycle is believed to hold a block at the end of a path from the cycle, according to the uncertain
/// references of that path. Any other source of the references is more likely than a long chain of words that may be
/// stale.
static bool is_believed(const walk *at, uint32_t cyclic, uint32_t unexplained) {
    enum { MOST_UNCERTAIN = 8 };
    const rp_search *search = &at->frozen->search;
    uint32_t uncertain = 0;
    for (uint32_t block = cyclic; search->parent[block] != RP_NO_BLOCK; block = search->parent[block]) {
        uncertain += search->distance[block] - search->distance[search->parent[block]] > 1;
    }
    return uncertain == 0 || (unexplained == RP_NO_BLOCK && uncertain <= MOST_UNCERTAIN);
}

rp_source rp_find_source(
    rp_frozen_copy *frozen, const rp_unreached *unreached, uint32_t block, bool stops_at_targets, rp_path *path) {
    walk at = {.frozen = frozen, .from = RP_NO_BLOCK, .start = block, .visited = visited_list(frozen)};
    uint32_t cyclic = RP_NO_BLOCK, unexplained = RP_NO_BLOCK, target = RP_NO_BLOCK;
    offer(&at, block, 0);
    while ((at.from = rp_take_nearest(&frozen->search, &at.distance)) != RP_NO_BLOCK) {
        uint32_t flags = frozen->heap.blocks[at.from].flags;
        if (at.from != block && stops_at_targets && flags & RP_BLOCK_TARGET) {
            if (target == RP_NO_BLOCK) target = at.from;
            continue;
        }
        if (flags & RP_BLOCK_CYCLIC && is_believed(&at, at.from, unexplained)) {
            cyclic = at.from;
            break;
        }
        if (unexplained == RP_NO_BLOCK && rp_is_unexplained(frozen, unreached, at.from)) unexplained = at.from;
        for (uint32_t index = unreached->first[at.from]; index < unreached->first[at.from + 1]; index++) {
            uint32_t source = unreached->sources[index];
            if (has_no_holder(frozen, unreached, source & ~(uint32_t)RP_IS_CONSERVATIVE)) continue;
            offer(&at, source & ~(uint32_t)RP_IS_CONSERVATIVE, at.distance + (source & RP_IS_CONSERVATIVE ? 4 : 1));
        }
    }
    uint32_t end = cyclic != RP_NO_BLOCK ? cyclic : unexplained != RP_NO_BLOCK ? unexplained : target;
    path->count = 0;
    path->is_cut = false;
    // Each block's parent is the block to which it refers, so the path has the direction of the references.
    if (end != RP_NO_BLOCK) write_back(&at, end, path);
    forget(&at);
    if (cyclic != RP_NO_BLOCK) return RP_SOURCE_CYCLE;
    if (unexplained != RP_NO_BLOCK) return RP_SOURCE_UNEXPLAINED;
    return target != RP_NO_BLOCK ? RP_SOURCE_TARGET : RP_SOURCE_NONE;
}

#endif
