#ifdef __linux__
#include "frozen_copy.h"

// The shortest paths from the roots, by the weights of the edges: a precise edge is shorter than a conservative one.
// Weights are small, so a ring of lists serves as the queue (Dial, Algorithm 360, 1969).

enum { SHARE_OF_ROOTS = 2 };

static uint32_t *bucket_of(rp_search *search, uint32_t distance) {
    return search->buckets + distance % RP_BUCKETS;
}

static void take_out(rp_search *search, uint32_t block) {
    uint32_t next = search->next[block], previous = search->previous[block];
    if (previous == RP_NO_BLOCK) {
        *bucket_of(search, search->distance[block]) = next;
    } else {
        search->next[previous] = next;
    }
    if (next != RP_NO_BLOCK) search->previous[next] = previous;
    search->queued--;
}

bool rp_offer(rp_search *search, uint32_t to, uint32_t parent, uint32_t distance) {
    if (search->distance[to] <= distance) return false;
    if (search->distance[to] != RP_FAR) take_out(search, to);
    uint32_t *bucket = bucket_of(search, distance);
    search->distance[to] = distance;
    search->parent[to] = parent;
    search->previous[to] = RP_NO_BLOCK;
    search->next[to] = *bucket;
    if (*bucket != RP_NO_BLOCK) search->previous[*bucket] = to;
    *bucket = to;
    search->queued++;
    return true;
}

uint32_t rp_take_nearest(rp_search *search, uint32_t *distance) {
    if (search->queued == 0) return RP_NO_BLOCK;
    while (*bucket_of(search, *distance) == RP_NO_BLOCK) (*distance)++;
    uint32_t block = *bucket_of(search, *distance);
    take_out(search, block);
    return block;
}

void rp_prepare_search(rp_frozen_copy *frozen) {
    rp_search *search = &frozen->search;
    // The dominator tree also has vertices for roots.
    uint32_t extra = frozen->graph.is_recorded || rp_chooses_targets_late(frozen) ? RP_MOST_ROOT_VERTICES + 2 : 0;
    size_t size = (frozen->heap.block_count + (size_t)extra) * sizeof(uint32_t);
    search->distance = rp_take(frozen, size);
    search->parent = rp_take(frozen, size);
    search->next = rp_take(frozen, size);
    search->previous = rp_take(frozen, size);
    memset(search->distance, 0xff, size);
    memset(search->buckets, 0xff, sizeof search->buckets);
    frozen->large_blocks.list = rp_take(frozen, RP_MAX_LARGE_BLOCKS * sizeof(rp_large_block));
    // The search stores a root only if it is a shorter path to an unreached block, which rarely happens twice for the
    // same block.
    size_t most_roots = ((size_t)frozen->heap.block_count + 1) * 2;
    rp_reserve_at_most(frozen, &search->root_memory, most_roots * sizeof(rp_root), SHARE_OF_ROOTS);
    search->roots = (rp_root *)search->root_memory.start;
}

void rp_forget_reached(rp_frozen_copy *frozen) {
    rp_search *search = &frozen->search;
    memset(search->distance, 0xff, frozen->heap.block_count * sizeof(uint32_t));
    memset(search->buckets, 0xff, sizeof search->buckets);
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        frozen->heap.blocks[block].flags &= (uint8_t)~(RP_BLOCK_REACHED | RP_BLOCK_REACHED_FREELY);
    }
    frozen->answer->counts.reached = 0;
}

typedef struct expansion {
    uint32_t from, distance;
} expansion;

static bool is_new(const rp_frozen_copy *frozen, const rp_edge *edge) {
    return !(frozen->heap.blocks[edge->to].flags & RP_BLOCK_REACHED) && rp_counts_edge(frozen, edge);
}

/// Whether an edge waits until all certain edges are searched: a word in C's memory that refers to an object of which a
/// layout confirms some reference. C code may know the object without holding it.
static bool is_deferred(const rp_frozen_copy *frozen, uint32_t from, const rp_edge *edge) {
    const rp_block *block = frozen->heap.blocks + from;
    if (frozen->search.follows_doubtful || edge->is_precise || block->type || rp_is_slab(frozen, block)) return false;
    return frozen->heap.blocks[edge->to].type && frozen->totals.precise[edge->to] > 0;
}

static void offer_edge(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    const expansion *at = context;
    if (!is_new(frozen, edge) || rp_is_requesting(frozen, edge->to)) return;
    if (is_deferred(frozen, at->from, edge)) return;
    rp_offer(&frozen->search, edge->to, at->from, at->distance + rp_weight(frozen, at->from, edge));
}

static void offer_root(rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge, void *context) {
    (void)context;
    rp_search *search = &frozen->search;
    // A requesting or awaiting task is reached only as a root of its own. Other references to the task, for example
    // from the thread that runs it, do not hold the objects in its variables.
    if (!is_new(frozen, edge) || (!rp_is_root_of_task(root) && rp_is_requesting(frozen, edge->to))) return;
    if (!rp_offer(search, edge->to, RP_FROM_ROOT | search->root_count, root->distance)) return;
    rp_grow(frozen, &search->root_memory, (search->root_count + 1ul) * sizeof(rp_root));
    search->roots[search->root_count++] = *root;
}

static void offer_unmanaged_edge(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    if (edge->is_unmanaged) offer_edge(frozen, edge, context);
}

static void offer_unmanaged_root(rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge, void *context) {
    if (edge->is_unmanaged) offer_root(frozen, root, edge, context);
}

static void expand(rp_frozen_copy *frozen) {
    expansion at = {.distance = 0};
    while ((at.from = rp_take_nearest(&frozen->search, &at.distance)) != RP_NO_BLOCK) {
        frozen->heap.blocks[at.from].flags |= RP_BLOCK_REACHED;
        frozen->answer->counts.reached++;
        rp_scan_block(frozen, at.from, offer_edge, &at);
    }
}

void rp_search_from_roots(rp_frozen_copy *frozen, uint32_t kinds) {
    rp_visit_roots(frozen, kinds, offer_root, NULL);
    expand(frozen);
}

void rp_search_from_awaiting_tasks(rp_frozen_copy *frozen) {
    // The tasks are searched one by one, the nearest first. The memory of each task contains stale words, so a block
    // that a nearer task reaches is not attributed to a farther one.
    for (uint32_t index = frozen->tasks.first_awaiting; index < frozen->tasks.count; index++) {
        rp_visit_task(frozen, index, offer_root, NULL);
        expand(frozen);
    }
}

void rp_search_registers(rp_frozen_copy *frozen) {
    rp_read_thread_registers(frozen);
    rp_count_registers(frozen);
    rp_search_from_roots(frozen, RP_ROOTS_REGISTERS);
}

/// Offers the references of all reached blocks to a visitor. The distances of these blocks no longer matter, so all of
/// them count as equally near.
static void scan_reached(rp_frozen_copy *frozen, bool only_raw, rp_visitor visitor) {
    expansion at = {.distance = 0};
    for (at.from = 0; at.from < frozen->heap.block_count; at.from++) {
        const rp_block *block = frozen->heap.blocks + at.from;
        bool is_wanted = block->flags & RP_BLOCK_REACHED && !(only_raw && block->type);
        if (is_wanted) rp_scan_block(frozen, at.from, visitor, &at);
    }
}

void rp_search_doubtful(rp_frozen_copy *frozen) {
    frozen->search.follows_doubtful = true;
    scan_reached(frozen, true, offer_edge);
    expand(frozen);
}

void rp_search_unmanaged(rp_frozen_copy *frozen) {
    frozen->totals.include_unmanaged = true;
    rp_count_unmanaged(frozen);
    scan_reached(frozen, false, offer_unmanaged_edge);
    rp_visit_roots(frozen, RP_ROOTS_DATA, offer_unmanaged_root, NULL);
    expand(frozen);
}

#endif
