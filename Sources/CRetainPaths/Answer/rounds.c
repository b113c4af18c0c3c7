#ifdef __linux__
#include "frozen_copy.h"

// The order in which the search consults the kinds of roots, until every target has a holder.

/// Returns the target whose result counts, if several targets of the request are the same object.
static const rp_target *same_as(const rp_frozen_copy *frozen, uint32_t index) {
    uint32_t block = frozen->targets.list[index].block;
    return block == RP_NO_BLOCK ? frozen->targets.list + index : rp_target_of(frozen, block);
}

static bool is_unreached_target(const rp_frozen_copy *frozen, uint32_t index) {
    uint32_t block = frozen->targets.list[index].block;
    return block != RP_NO_BLOCK && !(frozen->heap.blocks[block].flags & (RP_BLOCK_REACHED | RP_BLOCK_DEAD));
}

bool rp_any_unreached_target(const rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->targets.count; index++) {
        if (is_unreached_target(frozen, index)) return true;
    }
    return false;
}

static bool any_without_holder(const rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->targets.count; index++) {
        bool has_doubtful_cycle = frozen->targets.list[index].has_doubtful_cycle;
        if (has_doubtful_cycle || frozen->answer->results[index].status == RP_STATUS_NO_ROOT_FOUND) return true;
    }
    return false;
}

/// Whether a path starts at a task that has not ended. The runtime retains such a task, so the code that resumes the
/// task need not hold it.
static bool is_from_task(rp_frozen_copy *frozen, const rp_result *result) {
    if (result->step_count == 0 || result->steps[0].node != RP_NODE_TASK) return false;
    uint32_t block = rp_block_at(frozen, result->steps[0].address);
    return block != RP_NO_BLOCK && !rp_has_ended(frozen, block);
}

/// Reports a target as reachable if its path starts at a task that has not ended.
static void answer_with_tasks(rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->targets.count; index++) {
        rp_result *result = frozen->answer->results + index;
        if (result->status != RP_STATUS_NO_ROOT_FOUND) continue;
        if (is_from_task(frozen, result)) result->status = RP_STATUS_REACHABLE;
    }
}

/// The targets of a sample that are examined in any case, and the blocks that the searches for them may visit before
/// the others are left out. The search for a cycle of a million objects visits all of them, for each object again.
enum { LEAST_EXAMINED = 16, MOST_VISITED = 1 << 24 };

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b) {
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/// Returns how far apart targets are that are examined in succession. Those of a sample are examined in an order in
/// which the first ones are spread evenly, however many they are: in steps of the golden section (Knuth, The Art of
/// Computer Programming, volume 3, section 6.4).
static uint32_t stride_of(const rp_frozen_copy *frozen) {
    uint32_t count = frozen->targets.count;
    if (frozen->request->line_count == 0 || count < 2) return 1;
    uint32_t stride = (uint32_t)(count * 618ull / 1000) + 1;
    while (greatest_common_divisor(stride, count) > 1) stride++;
    return stride;
}

/// Leaves a target out if it is of a sample and the searches for the others have taken long.
static bool leave_out(rp_frozen_copy *frozen, rp_result *result, uint32_t examined) {
    bool is_of_sample = frozen->request->line_count > 0;
    if (!is_of_sample || examined < LEAST_EXAMINED || frozen->search.visited < MOST_VISITED) return false;
    memset(result, 0, sizeof *result);
    result->status = RP_STATUS_NOT_EXAMINED;
    return true;
}

/// Continues the search from a kind of roots.
static void search_from(rp_frozen_copy *frozen, uint32_t kind) {
    switch (kind) {
    case RP_NO_ROOTS: rp_search_unmanaged(frozen); break;
    case RP_ROOTS_REGISTERS:
        // To read registers interrupts threads, so it is left out as long as a cycle is certainly at fault for each
        // target.
        if (any_without_holder(frozen)) rp_search_registers(frozen);
        break;
    case RP_ROOTS_AWAITING_TASKS: rp_search_from_awaiting_tasks(frozen); break;
    default: rp_search_from_roots(frozen, kind);
    }
}

void rp_write_results(rp_frozen_copy *frozen) {
    rp_writing at = {
        .frozen = frozen,
        .path = rp_take(frozen, sizeof(rp_path)),
        .cycle = rp_take(frozen, sizeof(rp_path)),
    };
    uint32_t kinds = RP_ROOTS_DATA | RP_ROOTS_RUNNING_BLOCKS | RP_ROOTS_THREADS_AND_ANONYMOUS;
    rp_answer *answer = frozen->answer;
    if (rp_any_unreached_target(frozen)) at.unreached = rp_list_unreached(frozen);
    // Later rounds search these roots only for targets that neither earlier roots nor a cycle hold, because their
    // memory contains stale references. If an object of the cycle has more references than were found, one of these
    // roots may hold it.
    static const uint32_t later_kinds[] = {
        RP_ROOTS_SYSTEM, RP_NO_ROOTS, RP_ROOTS_REGISTERS, RP_ROOTS_STACKS, RP_ROOTS_AWAITING_TASKS,
    };
    enum { LATER_KINDS = sizeof later_kinds / sizeof *later_kinds };
    const uint32_t stride = stride_of(frozen);
    for (uint32_t round = 0; round <= LATER_KINDS; round++) {
        bool needs_more = false;
        for (uint32_t examined = 0; examined < frozen->targets.count; examined++) {
            uint32_t index = (uint32_t)((uint64_t)examined * stride % frozen->targets.count);
            at.target = frozen->targets.list + index;
            at.result = answer->results + index;
            if (same_as(frozen, index) != at.target) continue;
            bool is_doubtful = at.target->is_reconsidered || at.target->has_doubtful_cycle;
            bool is_open = at.result->status == RP_STATUS_NO_ROOT_FOUND || is_doubtful;
            bool is_new = is_open && !is_unreached_target(frozen, index);
            if (round > 0 ? !is_new : leave_out(frozen, at.result, examined)) continue;
            memset(at.result, 0, sizeof *at.result);
            rp_write_result(&at);
        }
        // Stacks and registers contain many stale references to tasks, so paths that start at a task are accepted
        // before the search of them.
        if (round < LATER_KINDS && later_kinds[round] == RP_ROOTS_REGISTERS) answer_with_tasks(frozen);
        bool is_before_unmanaged = round < LATER_KINDS && later_kinds[round] == RP_NO_ROOTS;
        for (uint32_t index = 0; index < frozen->targets.count; index++) {
            bool is_leaked = answer->results[index].status == RP_STATUS_LEAKED_BY_CYCLE;
            needs_more |= answer->results[index].status == RP_STATUS_NO_ROOT_FOUND || is_leaked;
            needs_more |= frozen->targets.list[index].has_doubtful_cycle;
            // A cycle is not at fault if an Unmanaged reference from outside the cycle retains one of its objects, so
            // the next round reconsiders these targets.
            frozen->targets.list[index].is_reconsidered =
                is_before_unmanaged && is_leaked && is_unreached_target(frozen, index);
        }
        if (!needs_more || round == LATER_KINDS) break;
        kinds |= later_kinds[round];
        search_from(frozen, later_kinds[round]);
    }
    rp_write_victims(&at, kinds);
    answer_with_tasks(frozen);
    rp_describe_frame_objects(frozen);
    for (uint32_t index = 0; index < frozen->targets.count; index++) {
        const rp_target *first = same_as(frozen, index);
        if (first == frozen->targets.list + index) continue;
        answer->results[index] = answer->results[first - frozen->targets.list];
    }
    answer->result_count = frozen->targets.count;
}

#endif
