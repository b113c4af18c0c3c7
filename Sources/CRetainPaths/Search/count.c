#ifdef __linux__
#include "Scan/scan.h"

// Every strong reference is counted for the object to which it refers. If the precise references account for all strong
// references of an object, any other word that looks like a reference to it is known not to be one. This makes the
// answers precise even if memory without layouts surrounds the objects.

typedef struct counting {
    uint32_t from;
} counting;

static void note_candidate(rp_target *target, const rp_candidate *candidate, bool comes_first) {
    // The first half of the list is for precise references and image data, the second half for all others.
    uint32_t *count = comes_first ? &target->precise_candidates : &target->other_candidates;
    if (*count == RP_MAX_HOLDERS) return;
    target->candidates[(comes_first ? 0 : RP_MAX_HOLDERS) + (*count)++] = *candidate;
}

static void count_found(rp_frozen_copy *frozen, uint32_t block, bool is_vouched) {
    if (frozen->totals.found[block] < UINT8_MAX) frozen->totals.found[block]++;
    if (is_vouched && frozen->totals.vouched[block] < UINT8_MAX) frozen->totals.vouched[block]++;
}

/// Counts an unowned reference and returns true; returns false for any other reference.
static bool count_unowned(rp_frozen_copy *frozen, const rp_edge *edge) {
    if (edge->kind != RP_EDGE_UNOWNED) return false;
    if (frozen->totals.unowned[edge->to] < UINT8_MAX) frozen->totals.unowned[edge->to]++;
    return true;
}

/// Adds a reference from a block to the holders of a target.
static void note_edge(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    const counting *at = context;
    rp_target *target = rp_target_of(frozen, edge->to);
    if (!target || frozen->heap.blocks[edge->to].flags & RP_BLOCK_DEAD || edge->kind == RP_EDGE_UNOWNED) return;
    if (edge->is_precise) {
        target->precise++;
    } else {
        target->conservative++;
    }
    rp_candidate candidate = {
        .from = at->from, .offset = edge->offset, .position = edge->position, .is_precise = edge->is_precise,
    };
    note_candidate(target, &candidate, edge->is_precise);
}

static void count_edge(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    const rp_block *to = frozen->heap.blocks + edge->to;
    if (to->flags & RP_BLOCK_DEAD || count_unowned(frozen, edge)) return;
    const counting *at = context;
    const rp_block *from = frozen->heap.blocks + at->from;
    count_found(frozen, edge->to, from->type);
    if (edge->is_precise && frozen->totals.precise[edge->to] < UINT32_MAX) frozen->totals.precise[edge->to]++;
    note_edge(frozen, edge, context);
}

/// Adds a reference from a root to the holders of a target.
static void note_root(rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge, void *) {
    rp_target *target = rp_target_of(frozen, edge->to);
    if (!target || frozen->heap.blocks[edge->to].flags & RP_BLOCK_DEAD || edge->kind == RP_EDGE_UNOWNED) return;
    bool is_data = root->node == RP_NODE_ROOT_DATA;
    if (edge->is_precise) {
        target->precise++;
    } else if (is_data) {
        target->from_data++;
    } else {
        target->from_elsewhere++;
    }
    rp_candidate candidate = {
        .from = RP_NO_BLOCK, .offset = edge->offset, .root = *root, .is_precise = edge->is_precise,
    };
    note_candidate(target, &candidate, edge->is_precise || is_data);
}

static void count_root(rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge, void *context) {
    if (frozen->heap.blocks[edge->to].flags & RP_BLOCK_DEAD || count_unowned(frozen, edge)) return;
    if (edge->is_precise && frozen->totals.precise[edge->to] < UINT32_MAX) frozen->totals.precise[edge->to]++;
    bool is_data = root->node == RP_NODE_ROOT_DATA;
    if (is_data || edge->is_precise) count_found(frozen, edge->to, true);
    bool may_own = is_data && !edge->is_precise && !root->is_of_system;
    if (may_own && frozen->totals.in_variables[edge->to] < UINT8_MAX) frozen->totals.in_variables[edge->to]++;
    note_root(frozen, root, edge, context);
}

static void count_unmanaged_edge(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    rp_target *target = edge->is_unmanaged ? rp_target_of(frozen, edge->to) : NULL;
    if (!target || !target->wants_unmanaged) return;
    target->conservative++;
    counting *at = context;
    rp_candidate candidate = {.from = at->from, .offset = edge->offset, .position = edge->position};
    note_candidate(target, &candidate, false);
}

static void count_unmanaged_root(rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge, void *context) {
    (void)context;
    rp_target *target = edge->is_unmanaged ? rp_target_of(frozen, edge->to) : NULL;
    if (!target || !target->wants_unmanaged) return;
    target->conservative++;
    rp_candidate candidate = {.from = RP_NO_BLOCK, .offset = edge->offset, .root = *root};
    note_candidate(target, &candidate, false);
}

void rp_count_unmanaged(rp_frozen_copy *frozen) {
    bool is_wanted = false;
    for (uint32_t index = 0; index < frozen->targets.count; index++) {
        rp_target *target = frozen->targets.list + index;
        bool is_open = target->block != RP_NO_BLOCK && !target->is_unmanaged_counted;
        target->wants_unmanaged = is_open && rp_has_unexplained(frozen, target->block);
        target->is_unmanaged_counted |= target->wants_unmanaged;
        is_wanted |= target->wants_unmanaged;
    }
    if (!is_wanted) return;
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        counting at = {.from = index};
        rp_scan_block(frozen, index, count_unmanaged_edge, &at);
    }
    rp_visit_roots(frozen, RP_ROOTS_DATA, count_unmanaged_root, NULL);
}

void rp_count_registers(rp_frozen_copy *frozen) {
    rp_visit_roots(frozen, RP_ROOTS_REGISTERS, count_root, NULL);
}

/// Returns the number of strong references to a block; 0 if it is not known.
static uint32_t strong_count(const rp_frozen_copy *frozen, const rp_block *block) {
    if (block->type) return rp_counts_of(frozen, block->address).strong;
    return rp_is_c_block(frozen, block) ? rp_count_of_c_block(block) : 0;
}

static void mark_saturated(rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        rp_block *block = frozen->heap.blocks + index;
        if (frozen->totals.precise[index] == 0) continue;
        uint32_t strong = strong_count(frozen, block);
        // If more references are found than are counted, some of them are stale, such as those in an array that is
        // making room for elements. Then another word may be the true one.
        if (strong > 0 && frozen->totals.precise[index] == strong) {
            block->flags |= RP_BLOCK_SATURATED;
            frozen->answer->counts.saturated++;
        }
    }
}

static void clear_saturated(uintptr_t access, uint32_t block, void *context) {
    (void)access;
    rp_frozen_copy *frozen = context;
    if (!(frozen->heap.blocks[block].flags & RP_BLOCK_SATURATED)) return;
    frozen->heap.blocks[block].flags &= (uint8_t)~RP_BLOCK_SATURATED;
    frozen->answer->counts.saturated--;
}

static void scan_blocks(rp_frozen_copy *frozen, bool of_objects, rp_visitor visitor) {
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        if ((frozen->heap.blocks[index].type != 0) != of_objects) continue;
        counting at = {.from = index};
        rp_scan_block(frozen, index, visitor, &at);
    }
}

static void scan_all(rp_frozen_copy *frozen, rp_visitor visitor, rp_root_visitor root_visitor) {
    // The scan of an object can clear stale words in C's memory, which is therefore scanned afterwards.
    scan_blocks(frozen, true, visitor);
    scan_blocks(frozen, false, visitor);
    uint32_t kinds = RP_ROOTS_DATA | RP_ROOTS_SYSTEM | RP_ROOTS_THREADS_AND_ANONYMOUS | RP_ROOTS_STACKS;
    rp_visit_roots(frozen, kinds, root_visitor, NULL);
}

void rp_count_references(rp_frozen_copy *frozen) {
    frozen->totals.precise = rp_take(frozen, frozen->heap.block_count * sizeof(uint32_t));
    frozen->totals.found = rp_take(frozen, frozen->heap.block_count);
    frozen->totals.vouched = rp_take(frozen, frozen->heap.block_count);
    frozen->totals.in_variables = rp_take(frozen, frozen->heap.block_count);
    frozen->totals.unowned = rp_take(frozen, frozen->heap.block_count);
    scan_all(frozen, count_edge, count_root);
    mark_saturated(frozen);
    // One of the references to an object that is being modified may be in a place that the function has emptied.
    rp_visit_all_accesses(frozen, clear_saturated, frozen);
    frozen->totals.are_complete = true;
    rp_count_unmanaged(frozen);
}

void rp_find_holders(rp_frozen_copy *frozen) {
    // The scans then report the same references as when they were counted: none of those in Unmanaged values.
    frozen->totals.are_complete = false;
    scan_all(frozen, note_edge, note_root);
    frozen->totals.are_complete = true;
    rp_count_unmanaged(frozen);
}

#endif
