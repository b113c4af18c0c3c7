#ifdef __linux__
#include "Leaks/leaks.h"

// What is in use. All roots count alike: an object that may be in use is never called a leak. The search for paths
// prefers certain roots instead, and consults the others only for objects that would have no holder.
//
// The search records the references for the retained sizes. Those sizes need the likely holders of an object instead: a
// stale word on a stack would hide what a variable keeps. A word on a stack, in thread-local variables, in anonymous
// memory, in a variable of a library of the system or in an object whose deinit runs is therefore recorded only if
// nothing else reaches the object, or if the object has more references than were found.

static void mark(rp_frozen_copy *frozen, uint32_t block, rp_worklist *list) {
    rp_block *found = frozen->heap.blocks + block;
    if (found->flags & (RP_BLOCK_REACHED | RP_BLOCK_DEAD)) return;
    found->flags |= RP_BLOCK_REACHED;
    frozen->answer->counts.reached++;
    list->blocks[list->count++] = block;
}

/// Notes an Unmanaged reference to an object that it does not retain, and returns true. The program may be using the
/// object nevertheless.
static bool note_unmanaged(rp_frozen_copy *frozen, const rp_edge *edge) {
    if (!edge->is_unmanaged || rp_has_unexplained(frozen, edge->to)) return false;
    frozen->totals.unmanaged[edge->to] = 1;
    return true;
}

static void mark_edge(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    if (!note_unmanaged(frozen, edge) && rp_counts_edge(frozen, edge)) mark(frozen, edge->to, context);
}

/// Whether a word on a stack, or in a frame of an async function, is stale because it refers to a continuation of
/// libdispatch. Such a continuation is in a list until libdispatch takes it out, copies it, and frees it for reuse,
/// before the call. Only a running thread that is about to add it to a list holds one, for a moment.
static bool is_stale_continuation(const rp_frozen_copy *frozen, const rp_edge *edge) {
    return rp_is_continuation(frozen, frozen->heap.blocks + edge->to);
}

/// Whether a word in a frame of an async function is stale. Such functions refer to a group by its DispatchGroup.
static bool is_stale_in_frame(const rp_frozen_copy *frozen, const rp_edge *edge) {
    return is_stale_continuation(frozen, edge) || rp_is_wrapped_group(frozen, edge->to);
}

static bool is_stale_on_stack(const rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge) {
    if (is_stale_continuation(frozen, edge)) return true;
    return rp_is_wrapped_group(frozen, edge->to) && !rp_may_run_dispatch(frozen, root->address);
}

static void mark_edge_of_frame(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    if (!is_stale_in_frame(frozen, edge)) mark_edge(frozen, edge, context);
}

static void record_edge(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    if (note_unmanaged(frozen, edge) || !rp_counts_edge(frozen, edge)) return;
    mark(frozen, edge->to, context);
    rp_record_edge(frozen, edge);
    rp_note_function(frozen, edge);
}

static void record_edge_of_frame(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    if (!is_stale_in_frame(frozen, edge)) record_edge(frozen, edge, context);
}

static void mark_root(rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge, void *context) {
    if (note_unmanaged(frozen, edge)) return;
    if (!rp_counts_edge(frozen, edge)) {
        // A variable of the program that does not retain the object is unowned, or a pointer.
        if (!root->is_of_system) frozen->totals.unmanaged[edge->to] = 1;
        return;
    }
    mark(frozen, edge->to, context);
    if (!frozen->graph.is_recorded) return;
    rp_record_root(frozen, root, edge);
    rp_note_function(frozen, edge);
}

/// Marks a block to which an uncertain root refers.
static void mark_uncertain(
    rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge, rp_worklist *list) {
    rp_block *to = frozen->heap.blocks + edge->to;
    bool is_new = !(to->flags & RP_BLOCK_REACHED);
    mark(frozen, edge->to, list);
    if (!frozen->graph.is_recorded || !(to->flags & RP_BLOCK_REACHED)) return;
    // No targets are searched for in this copy, so their flag marks the blocks that only uncertain roots hold directly.
    if (is_new) to->flags |= RP_BLOCK_REACHED_FREELY;
    bool is_needed = to->flags & RP_BLOCK_REACHED_FREELY || rp_is_root_of_task(root);
    if (is_needed || rp_has_unexplained(frozen, edge->to)) rp_record_root(frozen, root, edge);
}

static void mark_uncertain_root(
    rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge, void *context) {
    if (note_unmanaged(frozen, edge) || !rp_counts_edge(frozen, edge)) return;
    if (root->node == RP_NODE_ROOT_STACK && is_stale_on_stack(frozen, root, edge)) return;
    mark_uncertain(frozen, root, edge, context);
    if (frozen->graph.is_recorded) rp_note_function(frozen, edge);
}

static void expand(rp_frozen_copy *frozen, rp_worklist *list) {
    while (list->count > 0) {
        uint32_t block = list->blocks[--list->count];
        bool is_slab = rp_is_slab(frozen, frozen->heap.blocks + block);
        if (!frozen->graph.is_recorded) {
            rp_scan_block(frozen, block, is_slab ? mark_edge_of_frame : mark_edge, list);
            continue;
        }
        rp_begin_list(frozen, block);
        rp_scan_block(frozen, block, is_slab ? record_edge_of_frame : record_edge, list);
        rp_end_list(frozen);
    }
}

static rp_worklist empty_list(const rp_frozen_copy *frozen) {
    // The queue of the search is empty, so its links can serve as the list.
    return (rp_worklist){.blocks = frozen->search.next};
}

void rp_mark_block_in_use(rp_frozen_copy *frozen, uint32_t block) {
    rp_worklist list = empty_list(frozen);
    frozen->totals.wants_all_unmanaged = true;
    mark(frozen, block, &list);
    expand(frozen, &list);
    frozen->totals.wants_all_unmanaged = false;
}

static void mark_unless_explained(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    if (note_unmanaged(frozen, edge)) return;
    bool is_explained = frozen->heap.blocks[edge->to].flags & RP_BLOCK_SATURATED;
    if (edge->kind == RP_EDGE_UNOWNED || is_explained) return;
    mark_uncertain(frozen, &(rp_root){.node = RP_NODE_DYING}, edge, context);
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

/// Whether some object that no root reaches has more references than were found.
static bool any_unexplained(const rp_frozen_copy *frozen) {
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        bool is_reached = frozen->heap.blocks[block].flags & RP_BLOCK_REACHED;
        if (!is_reached && rp_has_unexplained(frozen, block)) return true;
    }
    return false;
}

/// Marks what only registers of waiting threads hold. To read registers interrupts the threads, so it is left out if
/// nothing needs them.
static void mark_held_by_registers(rp_frozen_copy *frozen, rp_worklist *list) {
    if (!any_unexplained(frozen)) return;
    rp_read_thread_registers(frozen);
    rp_visit_roots(frozen, RP_ROOTS_REGISTERS, mark_uncertain_root, list);
    expand(frozen, list);
}

void rp_mark_in_use(rp_frozen_copy *frozen) {
    rp_worklist list = empty_list(frozen);
    frozen->totals.include_unmanaged = true;
    frozen->totals.unmanaged = rp_take(frozen, frozen->heap.block_count);
    frozen->totals.wants_all_unmanaged = true;
    rp_visit_roots(frozen, RP_ROOTS_DATA, mark_root, &list);
    expand(frozen, &list);
    mark_held_by_dying(frozen, &list);
    uint32_t uncertain =
        RP_ROOTS_SYSTEM | RP_ROOTS_THREADS_AND_ANONYMOUS | RP_ROOTS_STACKS | RP_ROOTS_AWAITING_TASKS;
    rp_visit_roots(frozen, uncertain, mark_uncertain_root, &list);
    expand(frozen, &list);
    mark_held_by_registers(frozen, &list);
    frozen->totals.wants_all_unmanaged = false;
}

#endif
