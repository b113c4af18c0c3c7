#ifdef __linux__
#include "Retained/retained.h"

// The blocks that only an agent keeps. All of its variables, threads and tasks are one root, so these are the blocks
// that this root dominates. An object of the program to which the agent refers, too, is not among them.

static void set_apart(rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *found = frozen->heap.blocks + block;
    frozen->lines.line_of[block] = RP_LINE_TRACER;
    if (!found->type) return;
    uint32_t table = rp_counts_of(frozen, found->address).side_table;
    if (table != RP_NO_BLOCK) frozen->lines.line_of[table] = RP_LINE_TRACER;
}

void rp_set_tracer_apart(rp_frozen_copy *frozen, const rp_dominators *tree) {
    if (frozen->graph.tracer_root == RP_NO_BLOCK) return;
    uint32_t root = frozen->heap.block_count + frozen->graph.tracer_root;
    uint32_t *is_apart = tree->spare[0];
    is_apart[0] = is_apart[1] = false;
    // A dominator has a smaller number than the vertices that it dominates.
    for (uint32_t number = 2; number <= tree->count; number++) {
        uint32_t vertex = tree->vertices[number];
        is_apart[number] = vertex == root || is_apart[tree->dominators[number]];
        if (is_apart[number] && vertex != root) set_apart(frozen, vertex);
    }
}

#endif
