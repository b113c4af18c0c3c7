#ifdef __linux__
#include "scan.h"

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

static void count_found(rp_snapshot *snapshot, uint32_t block, bool is_vouched) {
    if (snapshot->found_counts[block] < UINT8_MAX) snapshot->found_counts[block]++;
    if (is_vouched && snapshot->vouched_counts[block] < UINT8_MAX) snapshot->vouched_counts[block]++;
}

/// Counts an unowned reference and returns true; returns false for any other reference.
static bool count_unowned(rp_snapshot *snapshot, const rp_edge *edge) {
    if (edge->kind != RP_EDGE_UNOWNED) return false;
    if (snapshot->unowned_counts[edge->to] < UINT8_MAX) snapshot->unowned_counts[edge->to]++;
    return true;
}

static void count_edge(rp_snapshot *snapshot, const rp_edge *edge, void *context) {
    const rp_block *to = snapshot->blocks + edge->to;
    if (to->flags & RP_BLOCK_DEAD || count_unowned(snapshot, edge)) return;
    counting *at = context;
    const rp_block *from = snapshot->blocks + at->from;
    count_found(snapshot, edge->to, from->type || rp_is_slab(snapshot, from));
    if (edge->is_precise && snapshot->precise_counts[edge->to] < UINT32_MAX) snapshot->precise_counts[edge->to]++;
    rp_target *target = rp_target_of(snapshot, edge->to);
    if (!target) return;
    if (edge->is_precise) {
        target->precise++;
    } else {
        target->conservative++;
    }
    rp_candidate candidate = {.from = at->from, .offset = edge->offset, .is_precise = edge->is_precise};
    note_candidate(target, &candidate, edge->is_precise);
}

static void count_root(rp_snapshot *snapshot, const rp_root *root, const rp_edge *edge, void *context) {
    (void)context;
    if (snapshot->blocks[edge->to].flags & RP_BLOCK_DEAD || count_unowned(snapshot, edge)) return;
    if (edge->is_precise && snapshot->precise_counts[edge->to] < UINT32_MAX) snapshot->precise_counts[edge->to]++;
    bool is_data = root->node == RP_NODE_ROOT_DATA;
    if (is_data || edge->is_precise) count_found(snapshot, edge->to, true);
    bool may_own = is_data && !edge->is_precise && !root->is_of_system;
    if (may_own && snapshot->variable_counts[edge->to] < UINT8_MAX) snapshot->variable_counts[edge->to]++;
    rp_target *target = rp_target_of(snapshot, edge->to);
    if (!target) return;
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

static void count_edge_by_hand(rp_snapshot *snapshot, const rp_edge *edge, void *context) {
    rp_target *target = edge->is_by_hand ? rp_target_of(snapshot, edge->to) : NULL;
    if (!target || !target->wants_by_hand) return;
    target->conservative++;
    counting *at = context;
    rp_candidate candidate = {.from = at->from, .offset = edge->offset};
    note_candidate(target, &candidate, false);
}

static void count_root_by_hand(rp_snapshot *snapshot, const rp_root *root, const rp_edge *edge, void *context) {
    (void)context;
    rp_target *target = edge->is_by_hand ? rp_target_of(snapshot, edge->to) : NULL;
    if (!target || !target->wants_by_hand) return;
    target->conservative++;
    rp_candidate candidate = {.from = RP_NO_BLOCK, .offset = edge->offset, .root = *root};
    note_candidate(target, &candidate, false);
}

void rp_count_by_hand(rp_snapshot *snapshot) {
    bool is_wanted = false;
    for (uint32_t index = 0; index < snapshot->target_count; index++) {
        rp_target *target = snapshot->targets + index;
        bool is_open = target->block != RP_NO_BLOCK && !target->is_counted_by_hand;
        target->wants_by_hand = is_open && rp_has_unexplained(snapshot, target->block);
        target->is_counted_by_hand |= target->wants_by_hand;
        is_wanted |= target->wants_by_hand;
    }
    if (!is_wanted) return;
    for (uint32_t index = 0; index < snapshot->block_count; index++) {
        counting at = {.from = index};
        rp_scan_block(snapshot, index, count_edge_by_hand, &at);
    }
    rp_visit_roots(snapshot, RP_ROOTS_DATA, count_root_by_hand, NULL);
}

static void mark_saturated(rp_snapshot *snapshot) {
    for (uint32_t index = 0; index < snapshot->block_count; index++) {
        rp_block *block = snapshot->blocks + index;
        if (!block->type || snapshot->precise_counts[index] == 0) continue;
        uint32_t strong = rp_counts_of(snapshot, block->address).strong;
        if (strong > 0 && snapshot->precise_counts[index] >= strong) {
            block->flags |= RP_BLOCK_SATURATED;
            snapshot->answer->counts.saturated++;
        }
    }
}

void rp_count_references(rp_snapshot *snapshot) {
    snapshot->precise_counts = rp_take(snapshot, snapshot->block_count * sizeof(uint32_t));
    snapshot->found_counts = rp_take(snapshot, snapshot->block_count);
    snapshot->vouched_counts = rp_take(snapshot, snapshot->block_count);
    snapshot->variable_counts = rp_take(snapshot, snapshot->block_count);
    snapshot->unowned_counts = rp_take(snapshot, snapshot->block_count);
    for (uint32_t index = 0; index < snapshot->block_count; index++) {
        counting at = {.from = index};
        rp_scan_block(snapshot, index, count_edge, &at);
    }
    uint32_t kinds = RP_ROOTS_DATA | RP_ROOTS_SYSTEM | RP_ROOTS_THREADS_AND_ANONYMOUS | RP_ROOTS_STACKS;
    rp_visit_roots(snapshot, kinds, count_root, NULL);
    mark_saturated(snapshot);
    snapshot->is_counted = true;
    rp_count_by_hand(snapshot);
}

bool rp_has_unexplained(const rp_snapshot *snapshot, uint32_t block) {
    const rp_block *object = snapshot->blocks + block;
    if (!snapshot->is_counted || !object->type || object->flags & (RP_BLOCK_DEAD | RP_BLOCK_SATURATED)) return false;
    uint32_t found = (snapshot->believes_unmanaged ? snapshot->vouched_counts : snapshot->found_counts)[block];
    return found < UINT8_MAX && found < rp_counts_of(snapshot, object->address).strong;
}

#endif
