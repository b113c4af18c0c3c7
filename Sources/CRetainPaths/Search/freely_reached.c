#ifdef __linux__
#include "frozen_copy.h"

// A second walk from the roots, which stops at targets. Only other targets hold a target that this walk does not reach.

typedef struct worklist {
    uint32_t *blocks;
    uint32_t count;
} worklist;

static void add(rp_frozen_copy *frozen, const rp_edge *edge, worklist *list) {
    rp_block *to = frozen->heap.blocks + edge->to;
    if (to->flags & RP_BLOCK_REACHED_FREELY || !rp_counts_edge(frozen, edge)) return;
    to->flags |= RP_BLOCK_REACHED_FREELY;
    if (!(to->flags & RP_BLOCK_TARGET)) list->blocks[list->count++] = edge->to;
}

static void add_edge(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    add(frozen, edge, context);
}

static void add_root(rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge, void *context) {
    (void)root;
    add(frozen, edge, context);
}

void rp_mark_freely_reached(rp_frozen_copy *frozen, uint32_t kinds) {
    // The queue of the search is empty, so its links can serve as the worklist.
    worklist list = {.blocks = frozen->search.next};
    rp_visit_roots(frozen, kinds, add_root, &list);
    while (list.count > 0) rp_scan_block(frozen, list.blocks[--list.count], add_edge, &list);
}

#endif
