#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "frozen_copy.h"

// Task-local values. A task keeps each value that it has bound or inherited in an item in its memory, among the frames
// of its functions.

enum {
    /// TaskLocal::ValueItem (swift/ABI/TaskLocal.h): the next item, the TaskLocal object that is the key, and the type
    /// of the value, which follows.
    KEY = 8,
    TYPE = 16,
    VALUE = 24,
    /// The most words of a value in front of the reference.
    MOST_WORDS = 16,
};

typedef struct key_search {
    uint32_t block;
    uintptr_t variable;
} key_search;

static void note_variable(rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge, void *context) {
    (void)frozen;
    key_search *at = context;
    if (edge->to == at->block && root->node == RP_NODE_ROOT_DATA && at->variable == 0) at->variable = root->address;
}

/// Returns the variable that contains a key; the key itself if the compiler has laid it out in an image's data.
static uintptr_t variable_of(rp_frozen_copy *frozen, uintptr_t key) {
    key_search search = {.block = rp_block_at(frozen, key)};
    if (search.block == RP_NO_BLOCK) return key;
    rp_visit_roots(frozen, RP_ROOTS_DATA, note_variable, &search);
    return search.variable;
}

/// Whether an item with a value that contains a word begins at an address.
static bool is_item(rp_frozen_copy *frozen, uintptr_t item, uintptr_t word) {
    uintptr_t key = rp_read64(item + KEY), type = rp_read64(item + TYPE);
    if (key % sizeof(uintptr_t) != 0 || !rp_is_readable(frozen, key, RP_OBJECT_HEADER)) return false;
    if (!rp_heap_type(frozen, rp_read64(key)) || !rp_value_type(frozen, type)) return false;
    uintptr_t witnesses = rp_read64(type + RP_METADATA_WITNESSES);
    return word - (item + VALUE) < rp_read64(witnesses + RP_WITNESSES_VALUE_SIZE);
}

bool rp_describe_task_local(rp_frozen_copy *frozen, uintptr_t word, rp_step *step) {
    uint32_t block = rp_block_around(frozen, word);
    if (block == RP_NO_BLOCK) return false;
    uintptr_t start = frozen->heap.blocks[block].address;
    for (uintptr_t before = 0; before < MOST_WORDS; before++) {
        uintptr_t item = word - before * sizeof(uintptr_t) - VALUE;
        if (item < start) return false;
        if (!is_item(frozen, item, word)) continue;
        step->is_task_local = true;
        step->function_count = 1;
        step->functions[0] = variable_of(frozen, rp_read64(item + KEY));
        return true;
    }
    return false;
}

#endif
