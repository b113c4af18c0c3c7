#ifdef __linux__
#include "frozen_copy.h"

// The functions of closures. The context of a closure does not contain the function: the function is stored beside each
// reference to the context.

/// Stores the function of a context. If several functions share the context, the one with the lowest address counts, so
/// that the order of the references does not matter.
void rp_note_function(rp_frozen_copy *frozen, const rp_edge *edge) {
    if (edge->kind != RP_EDGE_FUNCTION || !edge->code) return;
    uint32_t number = frozen->lines.line_of[edge->to];
    if (!(number & RP_IS_CONTEXT)) return;
    uintptr_t *function = frozen->lines.functions + (number & ~RP_IS_CONTEXT);
    if (!*function || edge->code < *function) *function = edge->code;
}

static void note_in_block(rp_frozen_copy *frozen, const rp_edge *edge, void *) {
    rp_note_function(frozen, edge);
}

static void note_in_root(rp_frozen_copy *frozen, const rp_root *, const rp_edge *edge, void *) {
    rp_note_function(frozen, edge);
}

void rp_number_contexts(rp_frozen_copy *frozen) {
    uint32_t count = 0;
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        const rp_block *block = frozen->heap.blocks + index;
        if (!block->type || frozen->lines.line_of[index]) continue;
        if (frozen->types.list[block->type].node == RP_NODE_CLOSURE) {
            frozen->lines.line_of[index] = RP_IS_CONTEXT | count++;
        }
    }
    frozen->lines.functions = rp_take(frozen, count * sizeof(uintptr_t));
}

void rp_find_functions_of_unreached(rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        bool is_scanned = frozen->heap.blocks[index].flags & (RP_BLOCK_REACHED | RP_BLOCK_DEAD);
        if (!is_scanned) rp_scan_block(frozen, index, note_in_block, NULL);
    }
}

void rp_find_context_functions(rp_frozen_copy *frozen) {
    rp_number_contexts(frozen);
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        rp_scan_block(frozen, index, note_in_block, NULL);
    }
    uint32_t kinds = RP_ROOTS_DATA | RP_ROOTS_SYSTEM | RP_ROOTS_THREADS_AND_ANONYMOUS;
    rp_visit_roots(frozen, kinds, note_in_root, NULL);
}

#endif
