#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Leaks/leaks.h"

// The tasks that have not ended.

enum {
    /// The most records and children of a task that are read, in case a list is inconsistent.
    MOST_LINKS = 1024,
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

static bool is_task(const rp_frozen_copy *frozen, uintptr_t address) {
    uint64_t size = frozen->request->facts.task_size;
    if (size == 0 || address % sizeof(uintptr_t) != 0) return false;
    if (!rp_is_readable(frozen, address, size + RP_TASK_CHILD_FRAGMENT)) return false;
    uintptr_t metadata = rp_read64(address);
    return rp_is_readable(frozen, metadata, sizeof(uint64_t)) && rp_read64(metadata) == RP_KIND_TASK;
}

/// Whether a block is a task that has not ended. The task with which Task.sleep wakes another one is none: it only
/// stands for a timer.
static bool is_waiting_or_running(rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *task = frozen->heap.blocks + block;
    bool is_of_type = task->type && frozen->types.list[task->type].node == RP_NODE_TASK;
    if (!is_of_type || task->flags & RP_BLOCK_DEAD || !is_task(frozen, task->address)) return false;
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

/// Adds the children that `async let` has placed in the memory of their parent, where they are no blocks. Each names
/// its parent, so none is added for another task.
static void add_inner_children(rp_frozen_copy *frozen, task_set *set, uintptr_t task) {
    uint64_t size = frozen->request->facts.task_size;
    uintptr_t record = rp_read64(task + RP_TASK_RECORDS);
    for (uint32_t left = MOST_LINKS; left > 0 && rp_is_readable(frozen, record, RP_RECORD_SIZE); left--) {
        bool has_children = (rp_read64(record) & RP_RECORD_KIND_BITS) == RP_RECORD_HAS_CHILDREN;
        uintptr_t child = has_children ? rp_read64(record + RP_RECORD_FIRST_CHILD) : 0;
        for (uint32_t more = MOST_LINKS; more > 0 && is_task(frozen, child); more--) {
            if (rp_read64(child + size) != task) break;
            bool has_ended = rp_read32(child + RP_TASK_STATUS) & RP_TASK_IS_COMPLETE;
            if (rp_block_at(frozen, child) == RP_NO_BLOCK && !has_ended) add(frozen, set, child);
            child = rp_read64(child + size + sizeof(uintptr_t));
        }
        record = rp_read64(record + RP_RECORD_NEXT);
    }
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
    for (uint32_t index = 0; index < set->count; index++) {
        add_inner_children(frozen, set, set->addresses[index]);
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

#endif
