#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "frozen_copy.h"

// The places of targets that are not on the heap. Optimised code places an object in the frame of the function that
// creates the object, if no reference to it leaves that function: on the thread's stack, or in the memory of the task
// that runs the function. It may also leave the object out and keep only its fields, among them the word by which the
// request names the target.

enum {
    WORD = sizeof(uintptr_t),
    /// The largest object whose header is sought before the word.
    LARGEST_OBJECT = 4096,
};

/// A target whose word was not found on the heap.
typedef struct missing {
    uint64_t word;
    uint32_t target;
    /// The place of the word; 0 while it is unknown.
    uintptr_t place;
    /// The address of the object around the word; 0 if there is none.
    uintptr_t object;
    const rp_thread_part *part;
    uint32_t block;
} missing;

typedef struct missing_list {
    missing *list;
    uint32_t count;
    uint64_t smallest, largest;
} missing_list;

/// A part of a stack, or a block of a task's memory, in which the words are sought.
typedef struct frames {
    rp_range range;
    const rp_thread_part *part;
    uint32_t block;
    /// Whether the frames are those of a requesting task. They contain the question, and so perhaps its words.
    bool is_requesting;
} frames;

/// Inserts a target into the list, which is sorted by words. Words mostly arrive in that order.
static void insert(missing_list *list, missing target) {
    uint32_t place = list->count++;
    for (; place > 0 && list->list[place - 1].word > target.word; place--) list->list[place] = list->list[place - 1];
    list->list[place] = target;
}

static missing_list list_missing(rp_frozen_copy *frozen) {
    const rp_targets *targets = &frozen->targets;
    missing_list found = {.list = rp_take(frozen, targets->count * sizeof(missing))};
    for (uint32_t index = frozen->request->address_count; index < targets->count; index++) {
        if (targets->list[index].block != RP_NO_BLOCK) continue;
        insert(&found, (missing){.word = ~frozen->request->targets[index], .target = index});
    }
    if (found.count == 0) return found;
    found.smallest = found.list[0].word;
    found.largest = found.list[found.count - 1].word;
    return found;
}

static missing *missing_with(const missing_list *list, uint64_t word) {
    uint32_t low = 0, high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->list[middle].word < word) low = middle + 1;
        else high = middle;
    }
    return low < list->count && list->list[low].word == word ? list->list + low : NULL;
}

/// Returns the address of the object in whose fields a word lies; 0 if no object begins before the word.
static uintptr_t object_around(rp_frozen_copy *frozen, rp_range range, uintptr_t word) {
    for (uintptr_t offset = RP_OBJECT_HEADER; offset < LARGEST_OBJECT; offset += WORD) {
        if (word - range.start < offset) return 0;
        uintptr_t metadata = rp_read64(word - offset);
        const rp_type *type = frozen->types.list + rp_heap_type(frozen, metadata);
        if (type->node == RP_NODE_OBJECT) return offset + WORD <= type->instance_size ? word - offset : 0;
    }
    return 0;
}

static void search_frames(rp_frozen_copy *frozen, const missing_list *list, const frames *frames) {
    for (uintptr_t at = (frames->range.start + WORD - 1) & ~(uintptr_t)(WORD - 1); at + WORD <= frames->range.end;
         at += WORD) {
        uint64_t word = rp_read64(at);
        if (word < list->smallest || word > list->largest) continue;
        missing *found = missing_with(list, word);
        if (!found || found->object) continue;
        uintptr_t object = object_around(frozen, frames->range, at);
        if (!object && (found->place || frames->is_requesting)) continue;
        found->place = at;
        found->object = object;
        found->part = frames->part;
        found->block = frames->block;
    }
}

static void search_stacks(rp_frozen_copy *frozen, const missing_list *list) {
    for (uint32_t index = 0; index < frozen->threads.part_count; index++) {
        const rp_thread_part *part = frozen->threads.parts + index;
        if (part->node != RP_NODE_ROOT_STACK) continue;
        search_frames(frozen, list, &(frames){.range = part->range, .part = part, .block = RP_NO_BLOCK});
    }
}

static void search_tasks(rp_frozen_copy *frozen, const missing_list *list) {
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        const rp_block *block = frozen->heap.blocks + index;
        if (block->flags & RP_BLOCK_DEAD) continue;
        bool is_task = frozen->types.list[block->type].node == RP_NODE_TASK && !rp_has_ended(frozen, index);
        if (!is_task && !rp_is_slab(frozen, block)) continue;
        frames task = {.range = {block->address, block->address + block->size}, .block = index};
        if (is_task) task.range.start += rp_offset_of_frames(frozen, index);
        task.is_requesting = rp_is_requesting(frozen, index);
        search_frames(frozen, list, &task);
    }
}

static void describe(rp_frozen_copy *frozen, const missing *found) {
    rp_result *result = frozen->answer->results + found->target;
    if (!found->place || result->status != RP_STATUS_NOT_FOUND) return;
    if (found->object && rp_counts_of(frozen, found->object).is_deinitializing) {
        result->status = RP_STATUS_DEINITIALIZING;
        return;
    }
    rp_step *step = result->steps;
    uint32_t task = found->block;
    if (found->part) {
        memset(step, 0, sizeof *step);
        step->node = RP_NODE_ROOT_STACK;
        step->address = found->place;
        step->index = -1;
        step->thread = found->part->thread;
        step->is_reached = true;
        rp_describe_stack_frames(frozen, found->place, step);
    } else {
        if (rp_is_slab(frozen, frozen->heap.blocks + task)) task = rp_task_of_slab(frozen, task);
        if (task == RP_NO_BLOCK) return;
        rp_describe_block(frozen, task, step);
        rp_describe_functions(frozen, task, found->place, step);
    }
    step->edge = found->object ? RP_EDGE_STRONG : RP_EDGE_CONSERVATIVE;
    step->is_precise = found->object != 0;
    result->step_count = 1;
}

void rp_describe_frame_objects(rp_frozen_copy *frozen) {
    missing_list list = list_missing(frozen);
    if (list.count == 0) return;
    search_stacks(frozen, &list);
    search_tasks(frozen, &list);
    for (uint32_t index = 0; index < list.count; index++) describe(frozen, list.list + index);
}

#endif
