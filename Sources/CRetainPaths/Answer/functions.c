#ifdef __linux__
#include "frozen_copy.h"

// The functions of closures that a path reaches without a function, for example from a word on a stack. Another holder
// of the closure may store the function beside its reference to the closure, as the block that Dispatch runs does.

enum { MOST_WANTED = 64 };

typedef struct wanted {
    uintptr_t address;
    uint32_t block;
    uintptr_t code;
} wanted;

typedef struct search {
    wanted list[MOST_WANTED];
    uint32_t count, left;
} search;

static bool has_uncertain_edge(const rp_step *step) {
    return step->edge == RP_EDGE_CONSERVATIVE || step->edge == RP_EDGE_RAW;
}

static wanted *entry_of(search *at, uintptr_t address) {
    for (uint32_t index = 0; index < at->count; index++) {
        if (at->list[index].address == address) return at->list + index;
    }
    return NULL;
}

static void want(const rp_frozen_copy *frozen, search *at, const rp_step *step) {
    if (step->node != RP_NODE_CLOSURE || at->count == MOST_WANTED || entry_of(at, step->address)) return;
    uint32_t block = rp_block_at(frozen, step->address);
    if (block == RP_NO_BLOCK) return;
    at->list[at->count++] = (wanted){.address = step->address, .block = block};
    at->left++;
}

static bool is_in_path(const rp_result *result, uintptr_t address) {
    for (uint32_t index = 0; index < result->step_count; index++) {
        if (result->steps[index].address == address) return true;
    }
    return false;
}

/// Collects the closures that need a function: those that a conservative or raw edge without code holds, and holders
/// outside the path. A variable that closures capture is a context too: a precise edge holds it, and it has no
/// function.
static void want_of(const rp_frozen_copy *frozen, search *at, const rp_result *result) {
    for (uint32_t index = 1; index < result->step_count; index++) {
        const rp_step *before = result->steps + index - 1;
        if (!before->code && has_uncertain_edge(before)) want(frozen, at, result->steps + index);
    }
    for (uint32_t index = 0; index < result->holder_count; index++) {
        const rp_step *holder = result->holders + index;
        if (!is_in_path(result, holder->address)) want(frozen, at, holder);
    }
}

static void note_function(rp_frozen_copy *, const rp_edge *edge, void *context) {
    search *at = context;
    if (edge->kind != RP_EDGE_FUNCTION || !edge->code) return;
    for (uint32_t index = 0; index < at->count; index++) {
        wanted *entry = at->list + index;
        if (entry->block != edge->to || entry->code) continue;
        entry->code = edge->code;
        at->left--;
    }
}

static void tell(search *at, rp_step *steps, uint32_t count) {
    for (uint32_t index = 0; index < count; index++) {
        const wanted *entry = entry_of(at, steps[index].address);
        if (entry && steps[index].node == RP_NODE_CLOSURE) steps[index].own_code = entry->code;
    }
}

void rp_find_functions(rp_frozen_copy *frozen) {
    rp_answer *answer = frozen->answer;
    search *at = rp_take(frozen, sizeof *at);
    for (uint32_t index = 0; index < answer->result_count; index++) want_of(frozen, at, answer->results + index);
    for (uint32_t block = 0; block < frozen->heap.block_count && at->left > 0; block++) {
        if (!(frozen->heap.blocks[block].flags & RP_BLOCK_DEAD)) rp_scan_block(frozen, block, note_function, at);
    }
    if (at->count == 0) return;
    for (uint32_t index = 0; index < answer->result_count; index++) {
        rp_result *result = answer->results + index;
        tell(at, result->steps, result->step_count);
        tell(at, result->holders, result->holder_count);
    }
}

#endif
