#ifdef __linux__
#include "Retained/retained.h"

// The dominator tree (Lengauer and Tarjan, A Fast Algorithm for Finding Dominators in a Flowgraph, 1979), in the
// version with path compression alone: at most m log n steps for n vertices and m references, on any graph. The simpler
// algorithm of Cooper, Harvey and Kennedy needs n² steps on graphs that programs have, such as a long list whose nodes
// refer to their owner. Nothing recurses, because a list of a million nodes is not unusual.

typedef struct state {
    rp_frozen_copy *frozen;
    uint32_t count;
    /// By vertex: its number.
    uint32_t *number_of;
    /// By number: the vertex, its parent in the tree of the search, the number of its semidominator, the number with
    /// the smallest semidominator on the compressed path, and the end of that path.
    uint32_t *vertices, *parent, *semi, *label, *ancestor;
    /// By number: the immediate dominator; before it is known, the next number in a bucket.
    uint32_t *dominators;
    uint32_t *buckets;
    /// By number: the index of the first source; the sources of a number end where those of the next begin.
    uint32_t *first_source, *sources;
    uint32_t *stack;
} state;

/// Numbers all vertices by a depth-first search.
static void number_vertices(state *at) {
    const rp_graph *graph = &at->frozen->graph;
    // The memory of `ancestor` is free until vertices are linked.
    uint32_t *cursor = at->ancestor, depth = 0, top = rp_top_vertex(at->frozen);
    at->count = 1;
    at->number_of[top] = 1;
    at->vertices[1] = top;
    cursor[top] = graph->first[top];
    at->stack[depth++] = top;
    while (depth > 0) {
        uint32_t from = at->stack[depth - 1], to = graph->targets[cursor[from]];
        if (to == RP_END_OF_LIST) {
            depth--;
            continue;
        }
        cursor[from]++;
        if (at->number_of[to] != RP_FAR) continue;
        uint32_t number = ++at->count;
        at->number_of[to] = number;
        at->vertices[number] = to;
        at->parent[number] = at->number_of[from];
        cursor[to] = graph->first[to];
        at->stack[depth++] = to;
    }
}

/// Lists the sources of the references to each number. A block that only outdone words reach has no number, and is not
/// in the tree.
static void list_sources(state *at) {
    const rp_graph *graph = &at->frozen->graph;
    uint32_t *first = at->first_source = rp_take(at->frozen, (at->count + 2ul) * sizeof(uint32_t));
    uint32_t total = 0;
    for (uint32_t index = 0; index < graph->target_count; index++) {
        uint32_t from = at->number_of[graph->targets[index]];
        for (index++; graph->targets[index] != RP_END_OF_LIST; index++) {
            if (from != RP_FAR) first[at->number_of[graph->targets[index]]]++;
        }
    }
    for (uint32_t number = 0; number <= at->count + 1; number++) {
        total += first[number];
        first[number] = total;
    }
    at->sources = rp_take(at->frozen, total * sizeof(uint32_t));
    for (uint32_t index = 0; index < graph->target_count; index++) {
        uint32_t from = at->number_of[graph->targets[index]];
        for (index++; graph->targets[index] != RP_END_OF_LIST; index++) {
            if (from != RP_FAR) at->sources[--first[at->number_of[graph->targets[index]]]] = from;
        }
    }
}

/// Shortens the path from a number to the root of its tree, and keeps the smallest semidominator of the path.
static void compress(state *at, uint32_t number) {
    uint32_t depth = 0;
    while (at->ancestor[at->ancestor[number]] != 0) {
        at->stack[depth++] = number;
        number = at->ancestor[number];
    }
    while (depth > 0) {
        number = at->stack[--depth];
        uint32_t above = at->ancestor[number];
        if (at->semi[at->label[above]] < at->semi[at->label[number]]) at->label[number] = at->label[above];
        at->ancestor[number] = at->ancestor[above];
    }
}

/// Returns the number with the smallest semidominator on the path above a number.
static uint32_t evaluate(state *at, uint32_t number) {
    if (at->ancestor[number] == 0) return number;
    compress(at, number);
    return at->label[number];
}

static void find_semidominators(state *at) {
    for (uint32_t number = at->count; number >= 2; number--) {
        for (uint32_t index = at->first_source[number]; index < at->first_source[number + 1]; index++) {
            uint32_t semi = at->semi[evaluate(at, at->sources[index])];
            if (semi < at->semi[number]) at->semi[number] = semi;
        }
        uint32_t semi = at->semi[number], parent = at->parent[number];
        at->dominators[number] = at->buckets[semi];
        at->buckets[semi] = number;
        at->ancestor[number] = parent;
        for (uint32_t member = at->buckets[parent], next; member != 0; member = next) {
            next = at->dominators[member];
            uint32_t best = evaluate(at, member);
            at->dominators[member] = at->semi[best] < at->semi[member] ? best : parent;
        }
        at->buckets[parent] = 0;
    }
}

rp_dominators rp_find_dominators(rp_frozen_copy *frozen) {
    rp_search *search = &frozen->search;
    rp_graph *graph = &frozen->graph;
    // The search from the roots is not made, so its memory is used here.
    state at = {
        .frozen = frozen,
        .number_of = search->distance,
        .parent = search->parent,
        .ancestor = search->previous,
        .stack = search->next,
        .vertices = rp_take(frozen, rp_most_vertices(frozen) * sizeof(uint32_t)),
    };
    number_vertices(&at);
    list_sources(&at);
    size_t size = (at.count + 1ul) * sizeof(uint32_t);
    at.semi = rp_take(frozen, size);
    at.dominators = rp_take(frozen, size);
    // The lists of targets are no longer needed. They have at least three entries for each vertex.
    at.label = graph->targets;
    at.buckets = graph->first;
    memset(at.buckets, 0, size);
    memset(at.ancestor, 0, size);
    for (uint32_t number = 0; number <= at.count; number++) at.semi[number] = at.label[number] = number;
    find_semidominators(&at);
    for (uint32_t number = 2; number <= at.count; number++) {
        uint32_t dominator = at.dominators[number];
        if (dominator != at.semi[number]) at.dominators[number] = at.dominators[dominator];
    }
    at.dominators[1] = 0;
    return (rp_dominators){
        .count = at.count,
        .vertices = at.vertices,
        .dominators = at.dominators,
        .retained = (uint64_t *)graph->targets,
        .spare = {at.semi, at.ancestor, at.parent},
    };
}

#endif
