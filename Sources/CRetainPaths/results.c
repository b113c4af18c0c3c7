#ifdef __linux__
#include "snapshot.h"

// The result for each target.

typedef struct writing {
    rp_snapshot *snapshot;
    rp_target *target;
    rp_result *result;
    /// The references among unreached blocks; listed before the first result if no root reaches some target.
    bool has_unreached;
    rp_unreached unreached;
    rp_path *path, *cycle;
} writing;

static rp_step *next_step(rp_result *result) {
    if (result->step_count == RP_MAX_STEPS) {
        result->is_cut = true;
        return NULL;
    }
    return result->steps + result->step_count++;
}

/// Adds the blocks of a path from index `first` on. Each step has the edge to the next block, and the last step has the
/// edge to `after`.
static void add_blocks(writing *at, const rp_path *path, uint32_t first, uint32_t after) {
    for (uint32_t index = first; index < path->count; index++) {
        rp_step *step = next_step(at->result);
        if (!step) return;
        rp_tell_block(at->snapshot, path->blocks[index], step);
        uint32_t next = index + 1 < path->count ? path->blocks[index + 1] : after;
        if (next != RP_NO_BLOCK) rp_tell_edge(at->snapshot, path->blocks[index], next, RP_ANY_OFFSET, step);
    }
    at->result->is_cut |= path->is_cut;
}

static uint32_t index_of(const rp_snapshot *snapshot, uint32_t block) {
    return (uint32_t)(rp_target_of(snapshot, block) - snapshot->targets);
}

/// Returns the index + 1 of the first target on a path that is not the current target; 0 if there is none.
static uint32_t first_other_target(const writing *at, const rp_path *path) {
    for (uint32_t index = 0; index < path->count; index++) {
        uint32_t block = path->blocks[index];
        bool is_other = block != at->target->block && at->snapshot->blocks[block].flags & RP_BLOCK_TARGET;
        if (is_other) return index_of(at->snapshot, block) + 1;
    }
    return 0;
}

/// Writes the path that the search has found, from the block behind the root to the target, and returns the root.
static const rp_root *path_from_root(const writing *at) {
    const rp_search *search = &at->snapshot->search;
    rp_path *path = at->path;
    uint32_t length = 1;
    uint32_t block = at->target->block;
    for (; !(search->parent[block] & RP_FROM_ROOT); block = search->parent[block]) length++;
    const rp_root *root = search->roots + (search->parent[block] & ~(uint32_t)RP_FROM_ROOT);
    // If a path is too long, its end is left out: the steps near the root show where a long list hangs.
    path->is_cut = length > RP_MOST_BLOCKS_OF_A_PATH;
    path->count = path->is_cut ? RP_MOST_BLOCKS_OF_A_PATH : length;
    block = at->target->block;
    for (uint32_t place = length; place > 0; place--, block = search->parent[block]) {
        if (place <= path->count) path->blocks[place - 1] = block;
    }
    return root;
}

static void write_reachable(writing *at) {
    const rp_root *root = path_from_root(at);
    at->result->status = RP_STATUS_REACHABLE;
    rp_step *step = next_step(at->result);
    rp_tell_root(at->snapshot, root, at->path->blocks[0], step);
    add_blocks(at, at->path, 0, RP_NO_BLOCK);
}

static void write_cycle(writing *at, const rp_path *cycle) {
    at->result->cycle_start = 0;
    add_blocks(at, cycle, 0, cycle->blocks[0]);
    at->result->cycle_end = at->result->step_count - 1;
    at->result->has_cycle = !at->result->is_cut;
}

/// Writes the result for a target that no root reaches.
static void write_unreached(writing *at) {
    rp_snapshot *snapshot = at->snapshot;
    uint32_t block = at->target->block;
    if (snapshot->blocks[block].flags & RP_BLOCK_CYCLIC) {
        rp_find_cycle(snapshot, block, at->cycle);
        if (at->cycle->count > 0) {
            at->result->status = RP_STATUS_CYCLE;
            write_cycle(at, at->cycle);
            return;
        }
    }
    rp_source source = rp_find_source(snapshot, &at->unreached, block, false, at->path);
    at->result->status = source == RP_SOURCE_CYCLE ? RP_STATUS_LEAKED_BY_CYCLE : RP_STATUS_NO_ROOT_FOUND;
    uint32_t culprit = 0;
    if (source == RP_SOURCE_CYCLE) {
        rp_find_cycle(snapshot, at->path->blocks[0], at->cycle);
        write_cycle(at, at->cycle);
        culprit = first_other_target(at, at->cycle);
    }
    // If the path consists of one block, that block is the target itself, with unexplained references.
    if (source == RP_SOURCE_CYCLE || at->path->count > 1) add_blocks(at, at->path, 0, RP_NO_BLOCK);
    if (!culprit) culprit = first_other_target(at, at->path);
    if (!culprit || at->snapshot->found_target_count < 2) return;
    // The culprit holds the target alone only if every path to the target goes through a target.
    source = rp_find_source(snapshot, &at->unreached, block, true, at->path);
    bool is_alone = source == RP_SOURCE_TARGET;
    if (source == RP_SOURCE_CYCLE) {
        rp_find_cycle(snapshot, at->path->blocks[0], at->cycle);
        is_alone = first_other_target(at, at->cycle) != 0;
    }
    if (is_alone) at->result->culprit = culprit;
}

static void write_result(writing *at) {
    rp_snapshot *snapshot = at->snapshot;
    rp_result *result = at->result;
    uint32_t block = at->target->block;
    if (block == RP_NO_BLOCK) {
        result->status = RP_STATUS_NOT_FOUND;
        return;
    }
    const rp_block *found = snapshot->blocks + block;
    result->address = found->address;
    result->size = found->size;
    result->metadata = snapshot->types[found->type].metadata;
    if (found->flags & RP_BLOCK_DEAD) {
        result->status = RP_STATUS_DEINITIALIZING;
        return;
    }
    if (found->flags & RP_BLOCK_REACHED) {
        write_reachable(at);
    } else {
        write_unreached(at);
    }
    rp_write_holders(snapshot, at->target, result, &at->unreached);
}

/// Returns the target whose result counts, if several targets of the request are the same object.
static const rp_target *same_as(const rp_snapshot *snapshot, uint32_t index) {
    uint32_t block = snapshot->targets[index].block;
    return block == RP_NO_BLOCK ? snapshot->targets + index : rp_target_of(snapshot, block);
}

static bool is_unreached_target(const rp_snapshot *snapshot, uint32_t index) {
    uint32_t block = snapshot->targets[index].block;
    return block != RP_NO_BLOCK && !(snapshot->blocks[block].flags & (RP_BLOCK_REACHED | RP_BLOCK_DEAD));
}

static bool any_unreached(const rp_snapshot *snapshot) {
    for (uint32_t index = 0; index < snapshot->target_count; index++) {
        if (is_unreached_target(snapshot, index)) return true;
    }
    return false;
}

/// Finds victims among the reachable targets: a target is a victim if its path goes through another target and no path
/// reaches it without going through a target.
static void write_victims(writing *at, uint32_t kinds) {
    rp_snapshot *snapshot = at->snapshot;
    bool is_marked = false;
    for (uint32_t index = 0; index < snapshot->target_count; index++) {
        at->target = snapshot->targets + index;
        at->result = snapshot->answer->results + index;
        if (at->result->status != RP_STATUS_REACHABLE) continue;
        path_from_root(at);
        uint32_t culprit = first_other_target(at, at->path);
        if (!culprit) continue;
        if (!is_marked) rp_mark_freely_reached(snapshot, kinds);
        is_marked = true;
        bool is_free = snapshot->blocks[at->target->block].flags & RP_BLOCK_REACHED_FREELY;
        if (!is_free) at->result->culprit = culprit;
    }
}

/// Reports a target as reachable if its path starts at a task. The runtime retains a task that has not finished, so the
/// code that resumes the task need not hold it.
static void answer_with_tasks(rp_snapshot *snapshot) {
    for (uint32_t index = 0; index < snapshot->target_count; index++) {
        rp_result *result = snapshot->answer->results + index;
        bool is_from_task = result->step_count > 0 && result->steps[0].node == RP_NODE_TASK;
        if (result->status == RP_STATUS_NO_ROOT_FOUND && is_from_task) result->status = RP_STATUS_REACHABLE;
    }
}

void rp_write_results(rp_snapshot *snapshot) {
    writing at = {
        .snapshot = snapshot,
        .path = rp_take(snapshot, sizeof(rp_path)),
        .cycle = rp_take(snapshot, sizeof(rp_path)),
    };
    uint32_t kinds = RP_ROOTS_DATA | RP_ROOTS_THREADS_AND_ANONYMOUS;
    rp_answer *answer = snapshot->answer;
    if (any_unreached(snapshot)) at.unreached = rp_list_unreached(snapshot);
    // Later rounds search these roots only for targets that neither earlier roots nor a cycle hold, because their
    // memory contains stale references.
    static const uint32_t later_kinds[] = {RP_ROOTS_SYSTEM, RP_NO_ROOTS, RP_ROOTS_STACKS, RP_ROOTS_WAITING_TASKS};
    enum { LATER_KINDS = sizeof later_kinds / sizeof *later_kinds };
    for (uint32_t round = 0; round <= LATER_KINDS; round++) {
        bool needs_more = false;
        for (uint32_t index = 0; index < snapshot->target_count; index++) {
            at.target = snapshot->targets + index;
            at.result = answer->results + index;
            if (same_as(snapshot, index) != at.target) continue;
            bool is_open = at.result->status == RP_STATUS_NO_ROOT_FOUND || snapshot->targets[index].is_open_by_hand;
            bool is_new = is_open && !is_unreached_target(snapshot, index);
            if (round > 0 && !is_new) continue;
            memset(at.result, 0, sizeof *at.result);
            write_result(&at);
        }
        // Stacks contain many stale references to tasks, so paths that start at a task are accepted before the search
        // of stacks.
        if (round < LATER_KINDS && later_kinds[round] == RP_ROOTS_STACKS) answer_with_tasks(snapshot);
        bool is_before_by_hand = round < LATER_KINDS && later_kinds[round] == RP_NO_ROOTS;
        for (uint32_t index = 0; index < snapshot->target_count; index++) {
            bool is_leaked = answer->results[index].status == RP_STATUS_LEAKED_BY_CYCLE;
            needs_more |= answer->results[index].status == RP_STATUS_NO_ROOT_FOUND || is_leaked;
            // A cycle is not at fault if an Unmanaged reference from outside the cycle retains one of its objects, so
            // the next round reconsiders these targets.
            snapshot->targets[index].is_open_by_hand =
                is_before_by_hand && is_leaked && is_unreached_target(snapshot, index);
        }
        if (!needs_more || round == LATER_KINDS) break;
        kinds |= later_kinds[round];
        if (later_kinds[round] == RP_NO_ROOTS) {
            rp_search_by_hand(snapshot);
        } else if (later_kinds[round] == RP_ROOTS_WAITING_TASKS) {
            rp_search_from_waiting_tasks(snapshot);
        } else {
            rp_search_from_roots(snapshot, later_kinds[round]);
        }
    }
    write_victims(&at, kinds);
    answer_with_tasks(snapshot);
    for (uint32_t index = 0; index < snapshot->target_count; index++) {
        const rp_target *first = same_as(snapshot, index);
        if (first == snapshot->targets + index) continue;
        answer->results[index] = answer->results[first - snapshot->targets];
    }
    answer->result_count = snapshot->target_count;
}

#endif
