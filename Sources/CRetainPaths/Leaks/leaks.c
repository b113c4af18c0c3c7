#ifdef __linux__
#include "Leaks/leaks.h"

// A leak is a cycle that nothing in use holds, and that no other such cycle holds, with everything that only it holds.
// Every reference to the objects of the cycle must be accounted for by the cycle itself: then nobody else holds them,
// not even a register.

/// What is known about the component of a block (the blocks that hold each other), by its number.
enum component_state {
    /// A block outside the component holds it.
    IS_HELD = 1,
    HAS_OBJECT = 2,
    /// Layouts do not confirm all references to some object, an Unmanaged reference in use or a global variable refers
    /// to it without retaining it, or a task has not ended.
    IS_UNCERTAIN = 4,
};

static bool is_unreached(const rp_frozen_copy *frozen, uint32_t block) {
    return !(frozen->heap.blocks[block].flags & (RP_BLOCK_REACHED | RP_BLOCK_DEAD));
}

/// Whether a block is an object with a reference count of its own. A task that has ended is not at fault for a cycle.
static bool is_object(const rp_frozen_copy *frozen, uint32_t block) {
    uint32_t type = frozen->heap.blocks[block].type;
    return type && frozen->types.list[type].node != RP_NODE_TASK;
}

/// Whether a block is a task that has not ended. Nothing that the search sees can resume the task, but something out of
/// sight may.
static bool is_pending_task(rp_frozen_copy *frozen, uint32_t block) {
    uint32_t type = frozen->heap.blocks[block].type;
    return type && frozen->types.list[type].node == RP_NODE_TASK && !rp_has_ended(frozen, block);
}

static uint8_t *judge_components(rp_frozen_copy *frozen, const rp_unreached *graph) {
    uint8_t *states = rp_take(frozen, frozen->heap.block_count);
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        if (!is_unreached(frozen, block)) continue;
        uint32_t component = graph->components[block];
        if (is_object(frozen, block)) {
            states[component] |= HAS_OBJECT;
            bool is_saturated = frozen->heap.blocks[block].flags & RP_BLOCK_SATURATED;
            if (!is_saturated || frozen->totals.unmanaged[block]) states[component] |= IS_UNCERTAIN;
        } else if (is_pending_task(frozen, block)) {
            states[component] |= IS_UNCERTAIN;
        }
        for (uint32_t index = graph->first[block]; index < graph->first[block + 1]; index++) {
            uint32_t source = graph->sources[index] & ~(uint32_t)RP_IS_CONSERVATIVE;
            if (graph->components[source] != component) states[component] |= IS_HELD;
        }
    }
    return states;
}

static uint32_t found_references(const rp_unreached *graph, uint32_t block) {
    return graph->first[block + 1] - graph->first[block];
}

/// Whether no reference to an object is known or counted: a component of its own that nothing explains.
static bool is_uncounted(const rp_frozen_copy *frozen, const rp_unreached *graph, uint32_t block) {
    return found_references(graph, block) == 0
        && rp_counts_of(frozen, frozen->heap.blocks[block].address).strong == 0;
}

static bool is_over_retained(const rp_frozen_copy *frozen, const rp_unreached *graph, uint32_t block) {
    return found_references(graph, block) < rp_counts_of(frozen, frozen->heap.blocks[block].address).strong;
}

/// Marks tasks and memory of C that nothing holds, and objects without a reference count. Something may hold them in
/// ways that the search does not see.
static void mark_unknown_use(rp_frozen_copy *frozen, const rp_unreached *graph, const uint8_t *states) {
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        if (!is_unreached(frozen, block)) continue;
        bool has_object = states[graph->components[block]] & HAS_OBJECT;
        bool is_of_c = !has_object && !(states[graph->components[block]] & IS_HELD);
        if (is_of_c || (has_object && is_object(frozen, block) && is_uncounted(frozen, graph, block))) {
            rp_mark_block_in_use(frozen, block);
        }
    }
}

static void add_over_retained(rp_leak_writing *at) {
    rp_frozen_copy *frozen = at->writing.frozen;
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        if (rp_is_claimed(frozen, block) || !is_object(frozen, block)) continue;
        if (is_over_retained(frozen, &at->graph, block)) rp_add_leak(at, block, RP_LEAK_OVER_RETAINED);
    }
}

static void add_cycles(rp_leak_writing *at, const uint8_t *states, uint8_t state, uint8_t kind) {
    rp_frozen_copy *frozen = at->writing.frozen;
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        if (rp_is_claimed(frozen, block)) continue;
        if (states[at->graph.components[block]] == state) rp_add_leak(at, block, kind);
    }
}

static void write_leaks(rp_frozen_copy *frozen) {
    rp_unreached graph = rp_list_unreached(frozen);
    const uint8_t *states = judge_components(frozen, &graph);
    mark_unknown_use(frozen, &graph, states);
    rp_leak_writing at;
    rp_prepare_leaks(frozen, &at, graph);
    // What an uncertain leak holds may be in use, so it is claimed before the certain leaks are added.
    add_over_retained(&at);
    add_cycles(&at, states, HAS_OBJECT | IS_UNCERTAIN, RP_LEAK_UNCERTAIN_CYCLE);
    add_cycles(&at, states, HAS_OBJECT, RP_LEAK_CYCLE);
    frozen->answer->result_count = frozen->request->leaks->count;
}

void rp_find_leaks(rp_frozen_copy *frozen) {
    rp_mark_in_use(frozen);
    if (frozen->graph.is_recorded) rp_find_functions_of_unreached(frozen);
    if (frozen->request->leaks->look == RP_LOOK_FIRST) {
        rp_note_unreached(frozen);
        return;
    }
    // Before tasks that nothing holds count as in use.
    rp_mark_unreached_tasks(frozen);
    rp_keep_noted(frozen);
    write_leaks(frozen);
}

#endif
