#ifdef __linux__
#include "Leaks/leaks.h"

// What is in use. All roots count alike: an object that may be in use is never called a leak. The search for paths
// prefers certain roots instead, and consults the others only for objects that would have no holder.

static void mark(rp_frozen_copy *frozen, uint32_t block, rp_worklist *list) {
    rp_block *found = frozen->heap.blocks + block;
    if (found->flags & (RP_BLOCK_REACHED | RP_BLOCK_DEAD)) return;
    found->flags |= RP_BLOCK_REACHED;
    frozen->answer->counts.reached++;
    list->blocks[list->count++] = block;
}

static void mark_edge(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    if (rp_counts_edge(frozen, edge)) mark(frozen, edge->to, context);
}

static void mark_root(rp_frozen_copy *frozen, const rp_root *, const rp_edge *edge, void *context) {
    mark_edge(frozen, edge, context);
}

static void expand(rp_frozen_copy *frozen, rp_worklist *list) {
    while (list->count > 0) rp_scan_block(frozen, list->blocks[--list->count], mark_edge, list);
}

static rp_worklist empty_list(const rp_frozen_copy *frozen) {
    // The queue of the search is empty, so its links can serve as the list.
    return (rp_worklist){.blocks = frozen->search.next};
}

void rp_mark_block_in_use(rp_frozen_copy *frozen, uint32_t block) {
    rp_worklist list = empty_list(frozen);
    mark(frozen, block, &list);
    expand(frozen, &list);
}

static void mark_unless_explained(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    bool is_explained = frozen->heap.blocks[edge->to].flags & RP_BLOCK_SATURATED;
    if (edge->kind != RP_EDGE_UNOWNED && !is_explained) mark(frozen, edge->to, context);
}

/// An object whose deinit is running still holds the values of its properties. But it may also be an object to which
/// only unowned references are left, and its memory is stale.
static void mark_held_by_dying(rp_frozen_copy *frozen, rp_worklist *list) {
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        const rp_block *dying = frozen->heap.blocks + block;
        if (!(dying->flags & RP_BLOCK_DEINITIALIZING)) continue;
        const rp_type *type = frozen->types.list + dying->type;
        rp_scan_object(frozen, dying->address, dying->size, type, mark_unless_explained, list);
    }
}

void rp_mark_in_use(rp_frozen_copy *frozen) {
    rp_worklist list = empty_list(frozen);
    frozen->totals.include_unmanaged = true;
    uint32_t kinds =
        RP_ROOTS_DATA | RP_ROOTS_SYSTEM | RP_ROOTS_THREADS_AND_ANONYMOUS | RP_ROOTS_STACKS | RP_ROOTS_AWAITING_TASKS;
    rp_visit_roots(frozen, kinds, mark_root, &list);
    mark_held_by_dying(frozen, &list);
    expand(frozen, &list);
}

#endif
