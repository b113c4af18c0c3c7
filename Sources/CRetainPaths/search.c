#ifdef __linux__
#include "snapshot.h"

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

void rp_prepare_search(rp_snapshot *snapshot) {
    rp_search *search = &snapshot->search;
    size_t size = snapshot->block_count * sizeof(uint32_t);
    search->distance = rp_take(snapshot, size);
    search->parent = rp_take(snapshot, size);
    search->next = rp_take(snapshot, size);
    search->previous = rp_take(snapshot, size);
    memset(search->distance, 0xff, size);
    memset(search->buckets, 0xff, sizeof search->buckets);
    // The search stores a root only if it is a shorter path to an unreached block, which rarely happens twice for the
    // same block.
    size_t most_roots = ((size_t)snapshot->block_count + 1) * 2;
    rp_reserve_at_most(snapshot, &search->root_memory, most_roots * sizeof(rp_root), SHARE_OF_ROOTS);
    search->roots = (rp_root *)search->root_memory.start;
}

typedef struct expansion {
    uint32_t from, distance;
} expansion;

static bool is_new(const rp_snapshot *snapshot, const rp_edge *edge) {
    return !(snapshot->blocks[edge->to].flags & RP_BLOCK_REACHED) && rp_counts_edge(snapshot, edge);
}

static void offer_edge(rp_snapshot *snapshot, const rp_edge *edge, void *context) {
    const expansion *at = context;
    if (!is_new(snapshot, edge) || rp_is_asking(snapshot, edge->to)) return;
    rp_offer(&snapshot->search, edge->to, at->from, at->distance + rp_weight(snapshot, at->from, edge));
}

static void offer_root(rp_snapshot *snapshot, const rp_root *root, const rp_edge *edge, void *context) {
    (void)context;
    rp_search *search = &snapshot->search;
    // A requesting or awaiting task is reached only as a root of its own. Other references to the task, for example
    // from the thread that runs it, do not hold the objects in its variables.
    if (!is_new(snapshot, edge) || (!rp_is_root_of_task(root) && rp_is_asking(snapshot, edge->to))) return;
    if (!rp_offer(search, edge->to, RP_FROM_ROOT | search->root_count, root->distance)) return;
    rp_grow(snapshot, &search->root_memory, (search->root_count + 1ul) * sizeof(rp_root));
    search->roots[search->root_count++] = *root;
}

static void offer_edge_by_hand(rp_snapshot *snapshot, const rp_edge *edge, void *context) {
    if (edge->is_by_hand) offer_edge(snapshot, edge, context);
}

static void offer_root_by_hand(rp_snapshot *snapshot, const rp_root *root, const rp_edge *edge, void *context) {
    if (edge->is_by_hand) offer_root(snapshot, root, edge, context);
}

static void expand(rp_snapshot *snapshot) {
    expansion at = {.distance = 0};
    while ((at.from = rp_take_nearest(&snapshot->search, &at.distance)) != RP_NO_BLOCK) {
        snapshot->blocks[at.from].flags |= RP_BLOCK_REACHED;
        snapshot->answer->counts.reached++;
        rp_scan_block(snapshot, at.from, offer_edge, &at);
    }
}

void rp_search_from_roots(rp_snapshot *snapshot, uint32_t kinds) {
    rp_visit_roots(snapshot, kinds, offer_root, NULL);
    expand(snapshot);
}

void rp_search_from_waiting_tasks(rp_snapshot *snapshot) {
    // The tasks are searched one by one, the nearest first. The memory of each task contains stale words, so a block
    // that a nearer task reaches is not attributed to a farther one.
    for (uint32_t index = snapshot->first_waiting_task; index < snapshot->asking_task_count; index++) {
        rp_visit_task(snapshot, index, offer_root, NULL);
        expand(snapshot);
    }
}

void rp_search_by_hand(rp_snapshot *snapshot) {
    snapshot->believes_unmanaged = true;
    rp_count_by_hand(snapshot);
    // The distances of the reached blocks no longer matter, so all of them count as equally near.
    expansion at = {.distance = 0};
    for (at.from = 0; at.from < snapshot->block_count; at.from++) {
        if (snapshot->blocks[at.from].flags & RP_BLOCK_REACHED) rp_scan_block(snapshot, at.from, offer_edge_by_hand, &at);
    }
    rp_visit_roots(snapshot, RP_ROOTS_DATA, offer_root_by_hand, NULL);
    expand(snapshot);
}

#endif
