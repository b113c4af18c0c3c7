#ifdef __linux__
#include "Retained/retained.h"

// The retained sizes, from the recorded references to the result.

bool rp_attempt(rp_frozen_copy *frozen, void (*step)(rp_frozen_copy *, rp_dominators *), rp_dominators *tree) {
    jmp_buf outer;
    memcpy(&outer, &frozen->give_up, sizeof outer);
    bool gave_up = setjmp(frozen->give_up) != 0;
    if (!gave_up) step(frozen, tree);
    memcpy(&frozen->give_up, &outer, sizeof outer);
    if (!gave_up) return true;
    rp_retained *result = frozen->request->retained;
    if (result) {
        result->state = RP_RETAINED_OUT_OF_MEMORY;
        result->error = frozen->answer->error;
    }
    frozen->answer->error = 0;
    frozen->answer->state = RP_STATE_RUNNING;
    return false;
}

static void prepare(rp_frozen_copy *frozen, rp_dominators *) {
    rp_prepare_graph(frozen);
}

void rp_prepare_retained(rp_frozen_copy *frozen) {
    rp_retained *result = frozen->request->retained;
    if (!result) return;
    result->state = RP_RETAINED_MISSING;
    result->has_lines = false;
    frozen->graph.is_recorded = rp_attempt(frozen, prepare, NULL);
}

/// Returns the bytes of a vertex: those of a block with its side table, 0 for a root. The side table of an object with
/// weak references is freed with the object.
static uint64_t own_bytes(const rp_frozen_copy *frozen, uint32_t vertex) {
    if (vertex >= frozen->heap.block_count) return 0;
    const rp_block *block = frozen->heap.blocks + vertex;
    uint64_t bytes = rp_bytes_of(block);
    if (!block->type) return bytes;
    uint32_t table = rp_counts_of(frozen, block->address).side_table;
    return table == RP_NO_BLOCK ? bytes : bytes + rp_bytes_of(frozen->heap.blocks + table);
}

static void add_up(const rp_frozen_copy *frozen, const rp_dominators *tree) {
    for (uint32_t number = 1; number <= tree->count; number++) {
        tree->retained[number] = own_bytes(frozen, tree->vertices[number]);
    }
    // A dominator has a smaller number than the vertices that it dominates.
    for (uint32_t number = tree->count; number >= 2; number--) {
        tree->retained[tree->dominators[number]] += tree->retained[number];
    }
}

/// Fills in the bytes of the objects that the request asks for.
static void answer_objects(const rp_frozen_copy *frozen, const rp_dominators *tree) {
    rp_retained *result = frozen->request->retained;
    for (uint32_t position = 0; position < result->measured_count; position++) {
        rp_measured_object *object = result->measured + position;
        uint32_t block = rp_block_at(frozen, ~object->inverted_address);
        object->bytes = 0;
        for (uint32_t number = 1; block != RP_NO_BLOCK && number <= tree->count; number++) {
            if (tree->vertices[number] == block) object->bytes = tree->retained[number];
        }
    }
}

void rp_find_tree(rp_frozen_copy *frozen, rp_dominators *tree) {
    rp_close_graph(frozen);
    if (frozen->graph.is_cut) rp_give_up(frozen, RP_STATE_OUT_OF_MEMORY, frozen->graph.error);
    *tree = rp_find_dominators(frozen);
    rp_set_tracer_apart(frozen, tree);
}

static void measure(rp_frozen_copy *frozen, rp_dominators *tree) {
    rp_retained *result = frozen->request->retained;
    add_up(frozen, tree);
    result->count = 0;
    for (uint32_t number = 1; number <= tree->count; number++) {
        result->count += tree->vertices[number] < frozen->heap.block_count;
    }
    result->bytes = tree->retained[1];
    answer_objects(frozen, tree);
    rp_write_groups(frozen, tree);
    result->state = RP_RETAINED_DONE;
}

void rp_measure_retained(rp_frozen_copy *frozen) {
    if (!frozen->graph.is_recorded) return;
    rp_dominators tree;
    bool has_tree = rp_attempt(frozen, rp_find_tree, &tree);
    // After the tree, which tells the blocks that only the tracer keeps.
    rp_count_blocks(frozen);
    frozen->request->retained->has_lines = true;
    if (has_tree) rp_attempt(frozen, measure, &tree);
}

#endif
