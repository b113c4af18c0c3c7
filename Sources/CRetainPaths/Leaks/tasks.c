#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Leaks/leaks.h"

// The tasks that have not ended.

enum {
    /// The most children in the memory of their parents.
    MOST_INNER = 1 << 16,
    /// The entries of the table of alike tasks; more than there are tasks on the list.
    ALIKE_BITS = 14,
};

/// The addresses of tasks.
typedef struct task_set {
    rp_region memory;
    uintptr_t *addresses;
    uint32_t count;
    /// The tasks for which there was no memory.
    uint32_t left_out;
} task_set;

/// Tasks that wait for the same kind of event in the same functions.
typedef struct alike_tasks {
    uint64_t signature;
    uint32_t count;
} alike_tasks;

/// Whether a block is a task that has not ended. The task with which Task.sleep wakes another one is none: it only
/// stands for a timer.
static bool is_waiting_or_running(rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *task = frozen->heap.blocks + block;
    bool is_of_type = task->type && frozen->types.list[task->type].node == RP_NODE_TASK;
    if (!is_of_type || task->flags & RP_BLOCK_DEAD || !rp_is_task_at(frozen, task->address)) return false;
    if (rp_read32(task->address + RP_TASK_STATUS) & RP_TASK_IS_COMPLETE || rp_has_ended(frozen, block)) return false;
    return !rp_wakes_sleeper(frozen, block);
}

static void add(rp_frozen_copy *frozen, task_set *set, uintptr_t address) {
    int32_t error;
    // Without the memory, the other tasks are still listed.
    if (rp_try_grow(frozen, &set->memory, (set->count + (size_t)1) * sizeof(uintptr_t), &error)) {
        set->addresses[set->count++] = address;
    } else {
        set->left_out++;
    }
}

typedef struct adding {
    rp_frozen_copy *frozen;
    task_set *set;
} adding;

static void add_child(uintptr_t child, void *context) {
    adding *at = context;
    add(at->frozen, at->set, child);
}

static void find_tasks(rp_frozen_copy *frozen, task_set *set) {
    uint32_t candidates = 0;
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        uint32_t type = frozen->heap.blocks[block].type;
        candidates += type && frozen->types.list[type].node == RP_NODE_TASK;
    }
    rp_reserve(frozen, &set->memory, ((size_t)candidates + MOST_INNER) * sizeof(uintptr_t));
    set->addresses = (uintptr_t *)set->memory.start;
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        if (is_waiting_or_running(frozen, block)) add(frozen, set, frozen->heap.blocks[block].address);
    }
    // A child may have children in its own memory.
    adding at = {frozen, set};
    for (uint32_t index = 0; index < set->count; index++) {
        rp_visit_inner_children(frozen, set->addresses[index], add_child, &at);
    }
}

/// Returns the place of a task of the self-check; NULL for any other task.
static rp_listed_task *planted_at(rp_task_list *list, uintptr_t address) {
    for (uint32_t index = 0; index < list->planted_count; index++) {
        if (~list->planted_inverted[index] == address) return list->planted + index;
    }
    return NULL;
}

static uint64_t signature_of(const rp_listed_task *task) {
    const uint64_t prime = 0x100000001b3;
    uint64_t hash = (0xcbf29ce484222325 ^ task->state) * prime;
    for (uint32_t index = 0; index < task->frame_count; index++) hash = (hash ^ task->frames[index]) * prime;
    return hash ? hash : 1;
}

/// Counts a task with those that are alike; returns whether too many of them are listed.
static bool has_many_alike(alike_tasks *table, const rp_listed_task *task) {
    const uint32_t size = 1u << ALIKE_BITS;
    uint64_t signature = signature_of(task);
    uint32_t entry = (uint32_t)(signature * 0x9e3779b97f4a7c15 >> (64 - ALIKE_BITS));
    // Only listed tasks take entries, so some entry is free.
    while (table[entry].signature && table[entry].signature != signature) entry = (entry + 1) % size;
    if (table[entry].count == RP_MAX_ALIKE_TASKS) return true;
    table[entry].signature = signature;
    table[entry].count++;
    return false;
}

void rp_list_tasks(rp_frozen_copy *frozen) {
    rp_task_list *list = frozen->request->tasks;
    if (!list) return;
    task_set set = {0};
    list->is_complete = false;
    list->count = 0;
    memset(list->planted, 0, sizeof list->planted);
    find_tasks(frozen, &set);
    bool is_crowded = set.count > RP_MAX_LISTED_TASKS;
    alike_tasks *alike = is_crowded ? rp_take(frozen, sizeof *alike << ALIKE_BITS) : NULL;
    uint32_t planted = 0;
    for (uint32_t index = 0; index < set.count; index++) {
        rp_listed_task *place = planted_at(list, set.addresses[index]);
        if (place) {
            rp_describe_task(frozen, set.addresses[index], place);
            planted++;
        } else if (list->count < RP_MAX_LISTED_TASKS) {
            rp_listed_task *task = list->tasks + list->count;
            rp_describe_task(frozen, set.addresses[index], task);
            if (is_crowded && has_many_alike(alike, task)) continue;
            rp_note_types_of_task(frozen, task);
            list->count++;
        }
    }
    list->left_out = (uint64_t)set.count + set.left_out - planted - list->count;
    list->is_complete = true;
}

static bool is_unreached(rp_frozen_copy *frozen, const rp_listed_task *task) {
    // A task in the memory of its parent has no block of its own.
    uint32_t block = rp_block_at(frozen, task->address);
    if (block == RP_NO_BLOCK || !is_waiting_or_running(frozen, block)) return false;
    bool is_same = rp_read32(task->address + RP_TASK_ID) == task->id;
    return is_same && !(frozen->heap.blocks[block].flags & RP_BLOCK_REACHED);
}

void rp_mark_unreached_tasks(rp_frozen_copy *frozen) {
    rp_task_list *list = frozen->request->tasks;
    if (!list || !list->is_complete) return;
    bool is_first = frozen->request->leaks->look == RP_LOOK_FIRST;
    list->unreached_count = 0;
    for (uint32_t index = 0; index < list->count; index++) {
        rp_listed_task *task = list->tasks + index;
        task->is_unreached = (is_first || task->is_unreached) && is_unreached(frozen, task);
        list->unreached_count += task->is_unreached;
    }
}

#endif
