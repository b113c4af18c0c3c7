// The retained sizes of the blocks that roots reach.
#pragma once

#include "frozen_copy.h"

/// The dominator tree. The vertices have numbers in the order of a depth-first search, from 1 on; 1 is the vertex above
/// all roots. A vertex is dominated by all vertices without which no root would reach it. Its immediate dominator is
/// the nearest of them.
typedef struct rp_dominators {
    uint32_t count;
    /// For each number, the vertex and the number of its immediate dominator.
    uint32_t *vertices, *dominators;
    /// The bytes that each vertex retains: its own, and those of all vertices that it dominates.
    uint64_t *retained;
    /// Memory for one number of each vertex, for the next step.
    uint32_t *spare[3];
} rp_dominators;

/// The room of lists by vertex or by number: the blocks, the roots, the vertex above the roots, and the number 0.
static inline size_t rp_most_vertices(const rp_frozen_copy *frozen) {
    return frozen->heap.block_count + RP_MOST_ROOT_VERTICES + 2ul;
}

// dominators.c

/// Computes the dominator tree of the recorded references, without the sizes. Uses up the lists of the graph and the
/// memory of the search.
rp_dominators rp_find_dominators(rp_frozen_copy *frozen);

// tracer_share.c

/// Assigns the blocks that only the tracer keeps to its line, in a program with the agent.
void rp_set_tracer_apart(rp_frozen_copy *frozen, const rp_dominators *tree);

// groups.c

/// Adds the retained bytes of every line, and lists the largest groups of the tree.
void rp_write_groups(rp_frozen_copy *frozen, rp_dominators *tree);

// retained.c

/// Prepares the recording if the request wants retained sizes. Call it before `rp_mark_in_use`.
void rp_prepare_retained(rp_frozen_copy *frozen);
/// Runs a step. If the memory does not suffice for it, says so in the result, if there is one, and returns false: the
/// other results of the copy stay valid.
bool rp_attempt(rp_frozen_copy *frozen, void (*step)(rp_frozen_copy *, rp_dominators *), rp_dominators *tree);
/// Computes the dominator tree of the recorded references, and sets apart what only the tracer keeps.
void rp_find_tree(rp_frozen_copy *frozen, rp_dominators *tree);
/// Counts all blocks in their lines, and computes the retained sizes from the recorded references. If the memory does
/// not suffice, says so in the result, and returns.
void rp_measure_retained(rp_frozen_copy *frozen);
