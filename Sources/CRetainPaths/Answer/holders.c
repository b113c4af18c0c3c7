#ifdef __linux__
#include "frozen_copy.h"

// The references to a target: how many of them are explained, and their holders.

typedef struct telling {
    rp_frozen_copy *frozen;
    const rp_target *target;
    rp_result *result;
    const rp_unreached *unreached;
} telling;

/// Whether a possible holder without a precise edge is believed. The words in a raw block to which nothing refers are
/// stale.
static bool is_believed(const telling *at, const rp_candidate *candidate) {
    if (candidate->from == RP_NO_BLOCK) return true;
    const rp_block *from = at->frozen->heap.blocks + candidate->from;
    if (from->flags & RP_BLOCK_DEAD) return false;
    if (from->type || from->flags & RP_BLOCK_REACHED) return true;
    const uint32_t *first = at->unreached->first;
    return at->result->status != RP_STATUS_REACHABLE && first
        && first[candidate->from + 1] > first[candidate->from];
}

/// Returns `rp_target.conservative` without the references that are not believed.
static uint32_t believed_conservative(const telling *at) {
    uint32_t count = at->target->conservative;
    for (uint32_t index = 0; index < at->target->other_candidates; index++) {
        if (!is_believed(at, at->target->candidates + RP_MAX_HOLDERS + index)) count--;
    }
    return count;
}

static void write_counts(const telling *at) {
    const rp_target *target = at->target;
    rp_result *result = at->result;
    rp_reference_counts counts = {.strong = 0};
    if (result->metadata) {
        counts = rp_counts_of(at->frozen, result->address);
    } else {
        // Raw memory has no reference count, so the references that were found count as all references.
        counts.strong = target->precise + target->conservative + target->from_data + target->from_elsewhere;
    }
    result->strong_count = counts.strong;
    result->unowned_count = counts.unowned;
    result->weak_count = counts.weak;
    result->precise = target->precise;
    uint32_t left = counts.strong > target->precise ? counts.strong - target->precise : 0;
    // Precise references are counted first, then image data. Words elsewhere are believed as far as references remain.
    result->from_roots = target->from_data < left ? target->from_data : left;
    left -= result->from_roots;
    uint32_t conservative = believed_conservative(at);
    if (conservative > left) conservative = left;
    left -= conservative;
    uint32_t elsewhere = target->from_elsewhere < left ? target->from_elsewhere : left;
    result->from_roots += elsewhere;
    result->found = target->precise + result->from_roots + conservative;
}

/// Describes the block or root through which the search has reached a block, or a block that refers to an unreached
/// block. Returns the block; `RP_NO_BLOCK` if there is none.
static uint32_t describe_owner(const telling *at, uint32_t block, rp_step *step) {
    rp_frozen_copy *frozen = at->frozen;
    uint32_t from = RP_NO_BLOCK;
    if (frozen->heap.blocks[block].flags & RP_BLOCK_REACHED) {
        from = frozen->search.parent[block];
        if (from & RP_FROM_ROOT) {
            rp_describe_root(frozen, frozen->search.roots + (from & ~(uint32_t)RP_FROM_ROOT), block, step);
            return RP_NO_BLOCK;
        }
    } else if (at->unreached->first && at->unreached->first[block + 1] > at->unreached->first[block]) {
        from = at->unreached->sources[at->unreached->first[block]] & ~(uint32_t)RP_IS_CONSERVATIVE;
    }
    if (from == RP_NO_BLOCK) return RP_NO_BLOCK;
    rp_describe_block(frozen, from, step);
    rp_describe_edge(frozen, from, block, step);
    return from;
}

/// Whether a block is the storage of a collection or the context of a closure, which alone tells little about a holder.
static bool needs_owner(const rp_frozen_copy *frozen, uint32_t block) {
    return rp_is_storage(frozen, block) || frozen->types.list[frozen->heap.blocks[block].type].node == RP_NODE_CLOSURE;
}

static void add_owners(const telling *at, uint32_t block, uint32_t holder) {
    uint8_t *count = at->result->owner_counts + holder;
    while (*count < RP_MAX_OWNERS && block != RP_NO_BLOCK && needs_owner(at->frozen, block)) {
        rp_step *step = at->result->owners[holder] + *count;
        block = describe_owner(at, block, step);
        if (!step->edge) return;
        ++*count;
    }
}

static void add_holder(const telling *at, const rp_candidate *candidate) {
    rp_result *result = at->result;
    if (result->holder_count == RP_MAX_HOLDERS) {
        result->is_cut = true;
        return;
    }
    rp_step *step = result->holders + result->holder_count;
    if (candidate->from == RP_NO_BLOCK) {
        rp_describe_root(at->frozen, &candidate->root, at->target->block, step);
    } else {
        rp_describe_block(at->frozen, candidate->from, step);
        rp_describe_candidate(at->frozen, candidate, at->target->block, step);
    }
    // The reference may have been dropped since it was noted; the step then has no edge.
    if (!step->edge) return;
    add_owners(at, candidate->from, result->holder_count);
    result->holder_count++;
}

static void write_holders(const telling *at) {
    const rp_target *target = at->target;
    bool is_saturated = at->frozen->heap.blocks[target->block].flags & RP_BLOCK_SATURATED;
    for (uint32_t index = 0; index < target->precise_candidates; index++) {
        const rp_candidate *candidate = target->candidates + index;
        // If precise references account for all references, a variable merely knows the target.
        if (candidate->is_precise || !is_saturated) add_holder(at, candidate);
    }
    if (is_saturated) return;
    // Image data is among the first candidates. The others count as far as references remain unexplained.
    uint32_t listed = at->result->holder_count;
    for (uint32_t index = 0; index < target->other_candidates && listed < at->result->found; index++) {
        const rp_candidate *candidate = target->candidates + RP_MAX_HOLDERS + index;
        if (!is_believed(at, candidate)) continue;
        uint32_t before = at->result->holder_count;
        add_holder(at, candidate);
        listed += at->result->holder_count - before;
    }
}

void rp_write_holders(
    rp_frozen_copy *frozen, const rp_target *target, rp_result *result, const rp_unreached *unreached
) {
    telling at = {frozen, target, result, unreached};
    write_counts(&at);
    write_holders(&at);
}

#endif
