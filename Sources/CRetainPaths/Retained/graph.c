#ifdef __linux__
#include "Retained/retained.h"

enum {
    SHARE_OF_TARGETS = 4,
    SHARE_OF_ROOTS = 16,
    MOST_ROOT_EDGES = 1 << 24,
};

void rp_prepare_graph(rp_frozen_copy *frozen) {
    rp_graph *graph = &frozen->graph;
    uint64_t words = 0;
    for (uint32_t index = 0; index < frozen->heap.part_count; index++) {
        const rp_heap_part *part = frozen->heap.parts + index;
        words += (part->end - part->start) / sizeof(uintptr_t);
    }
    // Each word is at most one reference, and each list takes two more entries.
    words += 2ul * frozen->heap.block_count + 4ul * RP_MOST_ROOT_VERTICES;
    rp_reserve_at_most(frozen, &graph->target_memory, words * sizeof(uint32_t), SHARE_OF_TARGETS);
    rp_reserve_at_most(frozen, &graph->root_memory, RP_MOST_ROOT_VERTICES * sizeof(rp_root), SHARE_OF_ROOTS);
    rp_reserve_at_most(frozen, &graph->edge_memory, MOST_ROOT_EDGES * sizeof(rp_root_edge), SHARE_OF_ROOTS);
    graph->targets = (uint32_t *)graph->target_memory.start;
    graph->roots = (rp_root *)graph->root_memory.start;
    graph->root_edges = (rp_root_edge *)graph->edge_memory.start;
    graph->first = rp_take(frozen, rp_most_vertices(frozen) * sizeof(uint32_t));
    size_t threads = (frozen->request->thread_count + 1ul) * sizeof(uint32_t);
    graph->thread_roots = rp_take(frozen, threads);
    memset(graph->thread_roots, 0xff, threads);
    graph->anonymous_root = graph->dying_root = graph->tracer_root = RP_NO_BLOCK;
}

/// Makes room in a region; returns false, and ends the recording, if there is none.
static bool has_room(rp_frozen_copy *frozen, rp_region *region, size_t size) {
    rp_graph *graph = &frozen->graph;
    if (graph->is_cut) return false;
    if (size <= region->usable || rp_try_grow(frozen, region, size, &graph->error)) return true;
    graph->is_cut = true;
    return false;
}

static void append(rp_frozen_copy *frozen, uint32_t entry) {
    rp_graph *graph = &frozen->graph;
    if (graph->target_count == UINT32_MAX - 1) graph->is_cut = true;
    if (!has_room(frozen, &graph->target_memory, (graph->target_count + 1ul) * sizeof(uint32_t))) return;
    graph->targets[graph->target_count++] = entry;
}

void rp_begin_list(rp_frozen_copy *frozen, uint32_t vertex) {
    append(frozen, vertex);
    frozen->graph.from = vertex;
    frozen->graph.first[vertex] = frozen->graph.target_count;
}

/// Whether a word merely looks like a reference to memory to which a field of a Swift object refers. Memory without a
/// reference count has one owner, so the word is stale or does not own the memory.
static bool is_outdone(const rp_frozen_copy *frozen, const rp_edge *edge) {
    bool is_raw = !frozen->heap.blocks[edge->to].type;
    return is_raw && !edge->is_precise && frozen->totals.precise[edge->to] > 0;
}

/// Whether a word in raw memory merely looks like a reference to an object whose strong references all lie in objects
/// and variables.
static bool is_surplus(const rp_frozen_copy *frozen, const rp_edge *edge) {
    const rp_block *from = frozen->heap.blocks + frozen->graph.from, *to = frozen->heap.blocks + edge->to;
    if (edge->is_precise || !to->type || from->type || rp_is_slab(frozen, from)) return false;
    return frozen->totals.vouched[edge->to] >= rp_counts_of(frozen, to->address).strong;
}

void rp_record_edge(rp_frozen_copy *frozen, const rp_edge *edge) {
    if (!is_outdone(frozen, edge) && !is_surplus(frozen, edge)) append(frozen, edge->to);
}

void rp_end_list(rp_frozen_copy *frozen) {
    append(frozen, RP_END_OF_LIST);
}

/// Returns where the root of a kind that has only one is stored, NULL if there are several roots of the kind.
static uint32_t *place_of_root(rp_frozen_copy *frozen, const rp_root *root) {
    rp_graph *graph = &frozen->graph;
    uint32_t threads = frozen->request->thread_count;
    if (root->is_of_tracer) return &graph->tracer_root;
    switch (root->node) {
    case RP_NODE_ROOT_STACK:
    case RP_NODE_ROOT_THREAD_LOCAL: return graph->thread_roots + (root->thread < threads ? root->thread : threads);
    case RP_NODE_ROOT_ANONYMOUS: return &graph->anonymous_root;
    case RP_NODE_DYING: return &graph->dying_root;
    default: return NULL;
    }
}

static bool is_same(const rp_root *root, const rp_root *other) {
    if (root->node != other->node) return false;
    if (root->object || other->object) return root->object == other->object;
    return root->address == other->address && !rp_is_root_of_task(root);
}

/// Returns the index of a root, and adds the root if it is new. The words of a variable follow one another.
static uint32_t index_of_root(rp_frozen_copy *frozen, const rp_root *root) {
    rp_graph *graph = &frozen->graph;
    uint32_t *place = place_of_root(frozen, root);
    if (place && *place != RP_NO_BLOCK) return *place;
    uint32_t last = graph->root_count - 1;
    bool is_known = graph->root_count > 0 && !place && is_same(graph->roots + last, root);
    if (is_known || graph->root_count == RP_MOST_ROOT_VERTICES) return last;
    if (!has_room(frozen, &graph->root_memory, (graph->root_count + 1ul) * sizeof(rp_root))) return 0;
    graph->roots[graph->root_count] = *root;
    if (root->node == RP_NODE_ROOT_THREAD_LOCAL) graph->roots[graph->root_count].node = RP_NODE_ROOT_STACK;
    if (root->is_of_tracer) graph->roots[graph->root_count] = (rp_root){.node = RP_NODE_ROOT_TRACER};
    if (place) *place = graph->root_count;
    return graph->root_count++;
}

void rp_record_root(rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge) {
    rp_graph *graph = &frozen->graph;
    if (is_outdone(frozen, edge)) return;
    uint32_t index = index_of_root(frozen, root);
    if (graph->root_edge_count == MOST_ROOT_EDGES) graph->is_cut = true;
    if (!has_room(frozen, &graph->edge_memory, (graph->root_edge_count + 1ul) * sizeof(rp_root_edge))) return;
    graph->root_edges[graph->root_edge_count++] = (rp_root_edge){index, edge->to};
}

/// Sorts the references from roots by their roots (counting sort).
static void add_lists_of_roots(rp_frozen_copy *frozen) {
    rp_graph *graph = &frozen->graph;
    uint32_t first_root = frozen->heap.block_count, *first = graph->first + first_root;
    memset(first, 0, graph->root_count * sizeof(uint32_t));
    for (uint32_t edge = 0; edge < graph->root_edge_count; edge++) first[graph->root_edges[edge].root]++;
    size_t needed = graph->target_count + graph->root_edge_count + 2ul * graph->root_count;
    if (needed >= UINT32_MAX - 1) graph->is_cut = true;
    if (!has_room(frozen, &graph->target_memory, needed * sizeof(uint32_t))) return;
    uint32_t at = graph->target_count;
    for (uint32_t root = 0; root < graph->root_count; root++) {
        uint32_t count = first[root];
        graph->targets[at] = first_root + root;
        graph->targets[at + 1 + count] = RP_END_OF_LIST;
        // The list is filled from its end.
        first[root] = at + 1 + count;
        at += count + 2;
    }
    graph->target_count = at;
    for (uint32_t edge = 0; edge < graph->root_edge_count; edge++) {
        const rp_root_edge *found = graph->root_edges + edge;
        graph->targets[--first[found->root]] = found->to;
    }
}

/// Whether a block is a task that keeps itself until it ends, whatever refers to it. A requesting task has a root.
static bool is_pending_task(rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *task = frozen->heap.blocks + block;
    if (!(task->flags & RP_BLOCK_REACHED) || !task->type) return false;
    if (frozen->types.list[task->type].node != RP_NODE_TASK) return false;
    return !(task->flags & RP_BLOCK_REQUESTING) && !rp_has_ended(frozen, block);
}

uint32_t rp_top_vertex(const rp_frozen_copy *frozen) {
    return frozen->heap.block_count + frozen->graph.root_count;
}

/// Whether a task runs a closure of the agent.
static bool is_of_tracer(rp_frozen_copy *frozen, uint32_t task) {
    return rp_has_agent(frozen) && rp_is_code_of_tracer(frozen, rp_function_of_task(frozen, task));
}

/// Adds a reference from the tracer's root to each pending task of the tracer.
static void record_tasks_of_tracer(rp_frozen_copy *frozen) {
    if (!rp_has_agent(frozen)) return;
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        if (!is_pending_task(frozen, block) || !is_of_tracer(frozen, block)) continue;
        rp_record_root(frozen, &(rp_root){.is_of_tracer = true}, &(rp_edge){.to = block, .is_precise = true});
    }
}

void rp_close_graph(rp_frozen_copy *frozen) {
    record_tasks_of_tracer(frozen);
    add_lists_of_roots(frozen);
    rp_begin_list(frozen, rp_top_vertex(frozen));
    for (uint32_t root = 0; root < frozen->graph.root_count; root++) {
        append(frozen, frozen->heap.block_count + root);
    }
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        if (is_pending_task(frozen, block) && !is_of_tracer(frozen, block)) append(frozen, block);
    }
    rp_end_list(frozen);
}

#endif
