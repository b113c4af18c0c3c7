#ifdef __linux__
#include "Leaks/leaks.h"
#include "Retained/retained.h"

// The blocks that only an agent keeps, for a search for the holders of the objects of a type. The search goes on
// afterwards as if it had not been interrupted, with all its memory.

static void find(rp_frozen_copy *frozen, rp_dominators *tree) {
    rp_prepare_graph(frozen);
    frozen->graph.is_recorded = true;
    frozen->threads.includes_own = true;
    rp_mark_in_use(frozen);
    rp_find_tree(frozen, tree);
}

void rp_find_tracer_blocks(rp_frozen_copy *frozen) {
    rp_step_memory step;
    rp_dominators tree;
    rp_begin_step(frozen, &step);
    rp_attempt(frozen, find, &tree);
    rp_end_step(frozen);
    frozen->graph = (rp_graph){0};
    frozen->threads.includes_own = false;
    // Read again if a later part of the search needs them.
    frozen->threads.registers = NULL;
    frozen->threads.register_count = 0;
    frozen->totals.unmanaged = NULL;
    frozen->totals.include_unmanaged = false;
    frozen->totals.wants_all_unmanaged = false;
    rp_forget_reached(frozen);
}

#endif
