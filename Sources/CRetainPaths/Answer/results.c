#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "frozen_copy.h"

// The result for a target: its status, and the path or cycle that holds it.

/// How often the task of a slab is sought. Each time takes a look at all blocks.
enum { MOST_SOUGHT = 64 };

static rp_step *next_step(rp_result *result) {
    if (result->step_count == RP_MAX_STEPS) {
        result->is_cut = true;
        return NULL;
    }
    return result->steps + result->step_count++;
}

/// Adds the functions in whose frames a task keeps the next block to the task's step; to the slab's step if the path
/// leads to the slab from elsewhere, because a child of `async let` lies in it.
static void describe_slab(rp_writing *at, uint32_t slab, rp_step *of_task, rp_step *step) {
    if (!step->edge || step->offset < RP_SLAB_HEADER) return;
    uint32_t task = RP_NO_BLOCK;
    if (of_task) {
        task = rp_block_at(at->frozen, of_task->address);
    } else if (at->sought++ < MOST_SOUGHT) {
        task = rp_task_of_slab(at->frozen, slab);
    }
    if (task == RP_NO_BLOCK) return;
    rp_describe_functions(at->frozen, task, step->address + step->offset, of_task ? of_task : step);
}

/// Adds some blocks of a path. Each step has the edge to the next block, and the last step of the path has the edge to
/// `after`.
static void add_range(rp_writing *at, const rp_path *path, uint32_t first, uint32_t end, uint32_t after) {
    const rp_block *blocks = at->frozen->heap.blocks;
    rp_step *task = NULL;
    for (uint32_t index = first; index < end; index++) {
        rp_step *step = next_step(at->result);
        if (!step) return;
        uint32_t block = path->blocks[index];
        rp_describe_block(at->frozen, block, step);
        uint32_t next = index + 1 < path->count ? path->blocks[index + 1] : after;
        if (next != RP_NO_BLOCK) rp_describe_edge(at->frozen, block, next, step);
        bool is_slab = rp_is_slab(at->frozen, blocks + block);
        if (is_slab) describe_slab(at, block, task, step);
        if (!is_slab) task = step->node == RP_NODE_TASK ? step : NULL;
    }
}

/// Adds the blocks round a cycle.
static void add_cycle(rp_writing *at, const rp_path *cycle) {
    add_range(at, cycle, 0, cycle->count, cycle->blocks[0]);
    at->result->is_cut |= cycle->is_cut;
}

/// Adds the blocks of a path to the target. Of a path that is too long, the middle is left out: the steps near the root
/// tell where a long list hangs, and those near the target what holds it.
static void add_path(rp_writing *at, const rp_path *path) {
    rp_result *result = at->result;
    uint32_t room = RP_MAX_STEPS - result->step_count;
    if (!path->is_cut && path->count <= room) {
        add_range(at, path, 0, path->count, RP_NO_BLOCK);
        return;
    }
    result->is_cut = true;
    if (room <= RP_END_OF_A_PATH) return;
    add_range(at, path, 0, room - RP_END_OF_A_PATH, RP_NO_BLOCK);
    result->gap = result->step_count;
    add_range(at, path, path->count - RP_END_OF_A_PATH, path->count, RP_NO_BLOCK);
}

static uint32_t index_of(const rp_frozen_copy *frozen, uint32_t block) {
    return (uint32_t)(rp_target_of(frozen, block) - frozen->targets.list);
}

/// Returns the index + 1 of the first target on a path that is not the current target; 0 if there is none.
static uint32_t first_other_target(const rp_writing *at, const rp_path *path) {
    for (uint32_t index = 0; index < path->count; index++) {
        uint32_t block = path->blocks[index];
        bool is_other = block != at->target->block && at->frozen->heap.blocks[block].flags & RP_BLOCK_TARGET;
        if (is_other) return index_of(at->frozen, block) + 1;
    }
    return 0;
}

static void write_reachable(rp_writing *at) {
    const rp_root *root = rp_path_from_root(at->frozen, at->target, at->path);
    at->result->status = RP_STATUS_REACHABLE;
    rp_step *step = next_step(at->result);
    rp_describe_root(at->frozen, root, at->path->blocks[0], step);
    add_path(at, at->path);
}

static bool any_unexplained(const rp_frozen_copy *frozen, const rp_path *path) {
    for (uint32_t index = 0; index < path->count; index++) {
        if (rp_has_unexplained(frozen, path->blocks[index])) return true;
    }
    return false;
}

static void write_cycle(rp_writing *at, const rp_path *cycle) {
    at->target->has_doubtful_cycle = any_unexplained(at->frozen, cycle);
    at->result->cycle_start = 0;
    add_cycle(at, cycle);
    at->result->cycle_end = at->result->step_count - 1;
    at->result->has_cycle = !at->result->is_cut;
}

/// Lets a path from a cycle, and the cycle, begin at the object that keeps a collection instead of the collection's
/// storage. The path and the rest of the cycle may go through different elements of the collection.
static void begin_at_owner(const rp_writing *at) {
    rp_path *path = at->path, *cycle = at->cycle;
    uint32_t left = cycle->count;
    while (left-- > 1 && rp_is_storage(at->frozen, path->blocks[0]) && path->count < RP_MOST_BLOCKS_OF_A_PATH) {
        uint32_t owner = cycle->blocks[cycle->count - 1];
        memmove(cycle->blocks + 1, cycle->blocks, (cycle->count - 1) * sizeof *cycle->blocks);
        cycle->blocks[0] = owner;
        memmove(path->blocks + 1, path->blocks, path->count * sizeof *path->blocks);
        path->blocks[0] = owner;
        path->count++;
    }
}

/// Writes the result for a target that no root reaches.
static void write_unreached(rp_writing *at) {
    rp_frozen_copy *frozen = at->frozen;
    uint32_t block = at->target->block;
    if (frozen->heap.blocks[block].flags & RP_BLOCK_CYCLIC) {
        rp_find_cycle(frozen, block, at->cycle);
        if (at->cycle->count > 0) {
            at->result->status = RP_STATUS_CYCLE;
            write_cycle(at, at->cycle);
            return;
        }
    }
    rp_source source = rp_find_source_of_target(frozen, &at->unreached, at->target, at->path);
    at->result->status = source == RP_SOURCE_CYCLE ? RP_STATUS_LEAKED_BY_CYCLE : RP_STATUS_NO_ROOT_FOUND;
    uint32_t culprit = 0;
    if (source == RP_SOURCE_CYCLE) {
        rp_find_cycle(frozen, at->path->blocks[0], at->cycle);
        begin_at_owner(at);
        write_cycle(at, at->cycle);
        culprit = first_other_target(at, at->cycle);
    }
    // If the path consists of one block, that block is the target itself, with unexplained references.
    if (source == RP_SOURCE_CYCLE || at->path->count > 1) add_path(at, at->path);
    if (!culprit) culprit = first_other_target(at, at->path);
    if (!culprit || at->frozen->targets.found_count < 2) return;
    // The culprit holds the target alone only if every path to the target goes through a target.
    source = rp_find_source(frozen, &at->unreached, block, true, at->path);
    bool is_alone = source == RP_SOURCE_TARGET;
    if (source == RP_SOURCE_CYCLE) {
        rp_find_cycle(frozen, at->path->blocks[0], at->cycle);
        is_alone = first_other_target(at, at->cycle) != 0;
    }
    if (is_alone) at->result->culprit = culprit;
}

void rp_write_result(rp_writing *at) {
    rp_frozen_copy *frozen = at->frozen;
    rp_result *result = at->result;
    uint32_t block = at->target->block;
    at->target->has_doubtful_cycle = false;
    if (block == RP_NO_BLOCK) {
        result->status = RP_STATUS_NOT_FOUND;
        return;
    }
    const rp_block *found = frozen->heap.blocks + block;
    result->address = found->address;
    result->size = found->size;
    result->metadata = frozen->types.list[found->type].metadata;
    if (found->flags & RP_BLOCK_DEAD) {
        result->status = RP_STATUS_DEINITIALIZING;
        return;
    }
    if (found->flags & RP_BLOCK_REACHED) {
        write_reachable(at);
    } else {
        write_unreached(at);
    }
    rp_write_holders(frozen, at->target, result, &at->unreached);
}

void rp_write_victims(rp_writing *at, uint32_t kinds) {
    rp_frozen_copy *frozen = at->frozen;
    bool is_marked = false;
    for (uint32_t index = 0; index < frozen->targets.count; index++) {
        at->target = frozen->targets.list + index;
        at->result = frozen->answer->results + index;
        if (at->result->status != RP_STATUS_REACHABLE) continue;
        rp_path_from_root(frozen, at->target, at->path);
        uint32_t culprit = first_other_target(at, at->path);
        if (!culprit) continue;
        if (!is_marked) rp_mark_freely_reached(frozen, kinds);
        is_marked = true;
        bool is_free = frozen->heap.blocks[at->target->block].flags & RP_BLOCK_REACHED_FREELY;
        if (!is_free) at->result->culprit = culprit;
    }
}

#endif
