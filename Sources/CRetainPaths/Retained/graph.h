// The references among the blocks that roots reach. The search for what is in use records them on its way, so that no
// second walk is needed.
#pragma once

#include "Roots/roots.h"

enum {
    /// The roots with a vertex of their own. Further variables share the last one.
    RP_MOST_ROOT_VERTICES = 1 << 16,
    /// The end of a list of targets.
    RP_END_OF_LIST = UINT32_MAX,
};

/// The kind of the root that stands for the objects whose deinit runs.
enum { RP_NODE_DYING = 0 };

/// A root, and a reference from it.
typedef struct rp_root_edge {
    uint32_t root, to;
} rp_root_edge;

/// The vertices are the blocks, by their indices, and behind them the roots. The vertex behind all roots is above them.
typedef struct rp_graph {
    /// Whether references are recorded.
    bool is_recorded;
    /// Whether the memory did not suffice, and the errno of a refusal.
    bool is_cut;
    int32_t error;
    /// For each vertex with a list, the index of its first target.
    uint32_t *first;
    /// The vertex whose list is being recorded.
    uint32_t from;
    /// The lists of targets, each between its vertex and `RP_END_OF_LIST`.
    rp_region target_memory;
    uint32_t *targets, target_count;
    rp_region root_memory, edge_memory;
    rp_root *roots;
    rp_root_edge *root_edges;
    uint32_t root_count, root_edge_count;
    /// The root of each thread, and behind them that of unknown threads; `RP_NO_BLOCK` while there is none.
    uint32_t *thread_roots;
    uint32_t anonymous_root, dying_root;
    /// The root that stands for all roots of the tracer, in a program with the agent.
    uint32_t tracer_root;
} rp_graph;

// graph.c

/// Prepares the recording of references.
void rp_prepare_graph(rp_frozen_copy *frozen);
/// Records a reference from a root.
void rp_record_root(rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge);
/// Records the references of a block: begin, one call for each reference, and end.
void rp_begin_list(rp_frozen_copy *frozen, uint32_t vertex);
void rp_record_edge(rp_frozen_copy *frozen, const rp_edge *edge);
void rp_end_list(rp_frozen_copy *frozen);
/// Adds the lists of the roots, and that of the vertex above them. Call it when all references are recorded.
void rp_close_graph(rp_frozen_copy *frozen);
/// The vertex above all roots.
uint32_t rp_top_vertex(const rp_frozen_copy *frozen);
