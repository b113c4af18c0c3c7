#ifdef __linux__
#include "frozen_copy.h"

// The graph of the blocks that no root reaches. Its edges run against the direction of the references, because the
// question is which blocks hold a given block. The blocks on cycles are those of strongly connected components with
// more than one member, or with a reference to themselves (Tarjan, Depth-First Search and Linear Graph Algorithms,
// 1972). The algorithm does not recurse, because a list of a million nodes is not unusual.

static bool is_unreached(const rp_frozen_copy *frozen, uint32_t block) {
    return !(frozen->heap.blocks[block].flags & (RP_BLOCK_REACHED | RP_BLOCK_DEAD));
}

static bool is_listed(const rp_frozen_copy *frozen, const rp_edge *edge) {
    return is_unreached(frozen, edge->to) && rp_counts_edge(frozen, edge);
}

typedef struct listing {
    uint32_t from;
    uint32_t *first;
    uint32_t *sources;
} listing;

static void count_source(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    listing *at = context;
    if (is_listed(frozen, edge)) at->first[edge->to]++;
}

static void add_source(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    listing *at = context;
    if (!is_listed(frozen, edge)) return;
    at->sources[--at->first[edge->to]] = at->from | (edge->is_precise ? 0 : RP_IS_CONSERVATIVE);
}

// Requesting tasks and the tasks that await them are roots, which are searched later. Neither they nor their memory can
// be part of a cycle.
static void visit_unreached(rp_frozen_copy *frozen, rp_visitor visitor, listing *at) {
    for (at->from = 0; at->from < frozen->heap.block_count; at->from++) {
        bool is_asking = frozen->heap.blocks[at->from].flags & RP_BLOCK_REQUESTING;
        if (is_unreached(frozen, at->from) && !is_asking) rp_scan_block(frozen, at->from, visitor, at);
    }
}

typedef struct components {
    /// The number of each block in the order of the visit, from 1 on, and the lowest such number known to be in the
    /// block's component.
    uint32_t *order, *earliest;
    /// The blocks whose component is not complete, and the blocks that are being visited.
    uint32_t *open, *active;
    uint32_t *next_source;
    uint32_t visited, open_count, active_count;
} components;

enum { COMPLETE = UINT32_MAX - 1 };

/// Whether a block can be at fault for a cycle. A task cannot: it holds its own memory, which refers to it while it
/// waits. Raw memory cannot: it has no reference count.
static bool is_object(const rp_frozen_copy *frozen, uint32_t block) {
    uint32_t type = frozen->heap.blocks[block].type;
    return type && frozen->types.list[type].node != RP_NODE_TASK;
}

static void begin(components *at, const rp_unreached *graph, uint32_t block) {
    at->order[block] = at->earliest[block] = ++at->visited;
    at->next_source[block] = graph->first[block];
    at->open[at->open_count++] = block;
    at->active[at->active_count++] = block;
}

static void end(rp_frozen_copy *frozen, components *at, uint32_t block) {
    at->active_count--;
    if (at->active_count > 0) {
        uint32_t parent = at->active[at->active_count - 1];
        if (at->earliest[block] < at->earliest[parent]) at->earliest[parent] = at->earliest[block];
    }
    if (at->earliest[block] != at->order[block]) return;
    uint32_t first = at->open_count, member;
    bool has_object = false;
    do {
        member = at->open[--first];
        at->order[member] = COMPLETE;
        // A member of a complete component is never continued.
        at->next_source[member] = block;
        has_object |= is_object(frozen, member);
    } while (member != block);
    bool is_cycle = first + 1 < at->open_count && has_object;
    while (at->open_count > first) {
        member = at->open[--at->open_count];
        if (is_cycle) frozen->heap.blocks[member].flags |= RP_BLOCK_CYCLIC;
    }
}

static void visit_component(rp_frozen_copy *frozen, components *at, const rp_unreached *graph, uint32_t start) {
    begin(at, graph, start);
    while (at->active_count > 0) {
        uint32_t block = at->active[at->active_count - 1];
        if (at->next_source[block] == graph->first[block + 1]) {
            end(frozen, at, block);
            continue;
        }
        uint32_t source = graph->sources[at->next_source[block]++] & ~(uint32_t)RP_IS_CONSERVATIVE;
        if (source == block && is_object(frozen, block)) frozen->heap.blocks[block].flags |= RP_BLOCK_CYCLIC;
        if (at->order[source] == RP_FAR) {
            begin(at, graph, source);
        } else if (at->order[source] != COMPLETE && at->order[source] < at->earliest[block]) {
            at->earliest[block] = at->order[source];
        }
    }
}

/// Marks the blocks on cycles, and returns the components of all blocks.
static uint32_t *mark_cyclic(rp_frozen_copy *frozen, const rp_unreached *graph) {
    rp_search *search = &frozen->search;
    // The search has recorded nothing about unreached blocks, and its queue is empty, so its memory is used here.
    components at = {
        .order = search->distance,
        .earliest = search->parent,
        .open = search->next,
        .active = search->previous,
        .next_source = rp_take(frozen, frozen->heap.block_count * sizeof(uint32_t)),
    };
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        if (is_unreached(frozen, block) && at.order[block] == RP_FAR) visit_component(frozen, &at, graph, block);
    }
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        if (is_unreached(frozen, block)) search->distance[block] = RP_FAR;
    }
    return at.next_source;
}

rp_unreached rp_list_unreached(rp_frozen_copy *frozen) {
    listing at = {.first = rp_take(frozen, (frozen->heap.block_count + 1ul) * sizeof(uint32_t))};
    visit_unreached(frozen, count_source, &at);
    uint32_t total = 0;
    for (uint32_t block = 0; block <= frozen->heap.block_count; block++) {
        total += at.first[block];
        at.first[block] = total;
    }
    // Each list of sources is filled from its end, so that its entry in `first` becomes the index of its first source.
    at.sources = rp_take(frozen, total * sizeof(uint32_t));
    visit_unreached(frozen, add_source, &at);
    rp_unreached graph = {.first = at.first, .sources = at.sources};
    graph.components = mark_cyclic(frozen, &graph);
    return graph;
}

#endif
