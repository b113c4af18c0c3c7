#ifdef __linux__
#include "frozen_copy.h"

// Which references the search follows, and how far each of them leads.

uint32_t rp_weight(const rp_frozen_copy *frozen, uint32_t from, const rp_edge *edge) {
    // A certain path is better than a shorter path that may not exist. Most edges from C memory are conservative, so
    // their weight is moderate.
    enum { PRECISE = 1, TO_EQUAL = 2, IN_RAW_MEMORY = 4, IN_OBJECT = 8, IN_TAIL = 12 };
    const rp_block *block = frozen->heap.blocks + from;
    // A key of a dictionary says more about an object than its place in a linked list.
    if (edge->is_precise) return block->type && block->type == frozen->heap.blocks[edge->to].type ? TO_EQUAL : PRECISE;
    if (edge->is_in_tail) return IN_TAIL;
    if (block->type) return frozen->types.list[block->type].node == RP_NODE_TASK ? IN_RAW_MEMORY : IN_OBJECT;
    // In C memory, a word that looks like a reference to an object is more often stale than a word that looks like a
    // reference to other C memory.
    uint8_t to = frozen->types.list[frozen->heap.blocks[edge->to].type].node;
    bool is_of_c = to == 0 || to == RP_NODE_TASK || rp_is_slab(frozen, block);
    return is_of_c ? IN_RAW_MEMORY : IN_OBJECT;
}

bool rp_counts_edge(const rp_frozen_copy *frozen, const rp_edge *edge) {
    if (edge->kind == RP_EDGE_UNOWNED) return false;
    uint32_t flags = frozen->heap.blocks[edge->to].flags;
    return !(flags & RP_BLOCK_DEAD) && (edge->is_precise || !(flags & RP_BLOCK_SATURATED));
}

#endif
