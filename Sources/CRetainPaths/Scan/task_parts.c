#ifdef __linux__
#include "Heap/malloc_layout.h"
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The references of a task beside the frames of its functions: the closure that it runs, and the result after it has
// finished.

enum {
    /// The usable size of the smallest block, plus a rest that is too small for another block.
    LARGEST_SMALL_BLOCK = 24 + RP_CHUNK_ALIGNMENT,
    /// The most tasks awaiting a result that are reported.
    MOST_WAITING = 1024,
};

typedef struct parts {
    /// The offsets of the future's fragment, of the result, and of the prefix in front of the first frame.
    uint32_t future, result, prefix;
    const rp_type *type;
} parts;

/// Finds the parts of a task that has a result; returns false for other tasks, and if the parts are inconsistent.
static bool find_parts(const rp_place *at, parts *found) {
    uint64_t size = at->frozen->request->facts.task_size;
    if (size == 0 || size > at->end || !rp_fits(at, RP_JOB_FLAGS, sizeof(uint32_t))) return false;
    uint32_t flags = rp_read32(at->base + RP_JOB_FLAGS), offset = (uint32_t)size;
    if (!(flags & RP_TASK_IS_FUTURE)) return false;
    if (flags & RP_TASK_IS_CHILD) offset += RP_TASK_CHILD_FRAGMENT;
    if (flags & RP_TASK_IS_GROUP_CHILD) offset += RP_TASK_GROUP_CHILD_FRAGMENT;
    if (!rp_fits(at, offset, RP_FUTURE_SIZE)) return false;
    uintptr_t metadata = rp_word_at(at, offset + RP_FUTURE_TYPE);
    found->type = rp_value_type(at->frozen, metadata);
    if (!found->type) return false;
    uintptr_t witnesses = rp_read64(metadata + RP_METADATA_WITNESSES);
    uint32_t alignment = (rp_read32(witnesses + RP_WITNESSES_FLAGS) & RP_WITNESSES_ALIGNMENT_BITS) + 1;
    uint64_t result_size = rp_read64(witnesses + RP_WITNESSES_VALUE_SIZE);
    found->future = offset;
    found->result = rp_aligned(offset + RP_FUTURE_SIZE, alignment);
    if (found->result > at->end || result_size > at->end - found->result) return false;
    uint32_t end = found->result + (uint32_t)result_size + RP_TASK_PREFIX_SIZE;
    found->prefix = rp_aligned(end, RP_TASK_FRAME_ALIGNMENT) - RP_TASK_PREFIX_SIZE;
    if (!rp_fits(at, found->prefix, RP_TASK_PREFIX_SIZE)) return false;
    return rp_word_at(at, found->prefix + RP_TASK_PREFIX_RESULT) == at->base + found->result;
}

static void scan_result(rp_place *at, const parts *found) {
    if (found->type->is_class) {
        rp_scan_strong(at, found->result, 0, RP_EDGE_STRONG, 0);
    } else if (found->type->layout) {
        rp_scan_value(at, found->type->layout, found->result);
    } else if (found->prefix > found->result) {
        rp_scan_words(at, found->result, found->prefix - found->result, 0);
    }
}

/// Reports the tasks that await the result; each refers to the next.
static void scan_waiting(const rp_place *at, uint32_t future) {
    uintptr_t waiting = rp_word_at(at, future);
    for (uint32_t left = MOST_WAITING; left > 0; left--) {
        uint32_t block = rp_block_at(at->frozen, waiting);
        // A task of `async let` lies in the memory of its parent.
        if (block == RP_NO_BLOCK) block = rp_referenced_block(at->frozen, waiting);
        if (block == RP_NO_BLOCK) return;
        rp_report_edge(at, block, future, 0, RP_EDGE_CONSERVATIVE, 0);
        if (!rp_is_readable(at->frozen, waiting + RP_JOB_NEXT_WAITING, sizeof(uintptr_t))) return;
        waiting = rp_read64(waiting + RP_JOB_NEXT_WAITING);
    }
}

static void scan_future(rp_place *at, const parts *found) {
    uint64_t status = rp_word_at(at, found->future) & RP_FUTURE_STATUS_BITS;
    if (status == RP_FUTURE_IS_RUNNING) {
        scan_waiting(at, found->future);
        uintptr_t function = rp_word_at(at, found->prefix + RP_TASK_PREFIX_FUNCTION);
        rp_scan_strong(at, found->prefix + RP_TASK_PREFIX_CONTEXT, 0, RP_EDGE_FUNCTION, function);
    } else if (status == RP_FUTURE_IS_SUCCESS) {
        scan_result(at, found);
    } else {
        rp_scan_strong(at, found->future + RP_FUTURE_ERROR, 0, RP_EDGE_STRONG, 0);
    }
}

bool rp_is_running_task(rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *task = frozen->heap.blocks + block;
    if (frozen->types.list[task->type].node != RP_NODE_TASK || task->flags & RP_BLOCK_DEAD) return false;
    rp_place at = {.frozen = frozen, .base = task->address, .end = task->size};
    parts found;
    return find_parts(&at, &found) && !(rp_word_at(&at, found.future) & RP_FUTURE_STATUS_BITS);
}

bool rp_has_ended(rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *task = frozen->heap.blocks + block;
    rp_place at = {.frozen = frozen, .base = task->address, .end = task->size};
    parts found;
    return find_parts(&at, &found) && rp_word_at(&at, found.future) & RP_FUTURE_STATUS_BITS;
}

uintptr_t rp_function_of_task(rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *task = frozen->heap.blocks + block;
    rp_place at = {.frozen = frozen, .base = task->address, .end = task->size};
    parts found;
    return find_parts(&at, &found) ? rp_word_at(&at, found.prefix + RP_TASK_PREFIX_FUNCTION) : 0;
}

uint32_t rp_offset_of_frames(rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *task = frozen->heap.blocks + block;
    rp_place at = {.frozen = frozen, .base = task->address, .end = task->size};
    parts found;
    if (find_parts(&at, &found)) return found.prefix + RP_TASK_PREFIX_SIZE;
    return (uint32_t)frozen->request->facts.task_size;
}

bool rp_is_of_concurrency_library(const rp_frozen_copy *frozen, uintptr_t function) {
    rp_range library = frozen->request->facts.concurrency_library;
    return function >= library.start && function < library.end;
}

static bool is_starter(const rp_frozen_copy *frozen, uintptr_t function) {
    const uintptr_t *starters = frozen->request->facts.task_starters;
    return function && (function == starters[0] || function == starters[1]);
}

/// Whether a task has not begun: the runtime is about to call its function in its first frame. The memory of that frame
/// is still stale.
static bool is_not_begun(const rp_place *at, const parts *found) {
    uintptr_t first_frame = at->base + found->prefix + RP_TASK_PREFIX_SIZE;
    uintptr_t next = rp_word_at(at, RP_JOB_FUNCTION);
    return rp_word_at(at, RP_TASK_FRAME) == first_frame
        && (is_starter(at->frozen, next) || rp_is_of_concurrency_library(at->frozen, next));
}

/// Clears the rest of a block, in the frozen copy alone.
static void clear(const rp_block *block, uint32_t offset) {
    memset((void *)(block->address + offset), 0, block->size - offset);
}

/// Finds the parts of a task with which Task.sleep wakes another one; returns false for other tasks. The library has
/// made the task, which does not begin before the other one is to wake.
static bool find_waker(const rp_place *at, parts *found) {
    return find_parts(at, found) && is_not_begun(at, found)
        && rp_is_of_concurrency_library(at->frozen, rp_word_at(at, found->prefix + RP_TASK_PREFIX_FUNCTION));
}

bool rp_wakes_sleeper(rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *task = frozen->heap.blocks + block;
    rp_place at = {.frozen = frozen, .base = task->address, .end = task->size};
    parts found;
    return find_waker(&at, &found);
}

/// Clears stale memory around a sleep. Task.sleep creates a second task, which wakes the sleeping one, and a word that
/// both tasks share (Task._sleep in stdlib/public/Concurrency/TaskSleepDuration.swift). The memory behind that word in
/// its block is stale, and so is the memory behind the word's address in the context of the second task's closure.
static void clear_behind_word_of_sleep(rp_frozen_copy *frozen, const rp_block *task) {
    rp_place at = {.frozen = frozen, .base = task->address, .end = task->size};
    parts found;
    if (!find_waker(&at, &found)) return;
    const rp_block *blocks = frozen->heap.blocks;
    uint32_t context = rp_block_at(frozen, rp_word_at(&at, found.prefix + RP_TASK_PREFIX_CONTEXT));
    if (context == RP_NO_BLOCK || blocks[context].size < RP_OBJECT_HEADER + sizeof(uintptr_t)) return;
    uint32_t word = rp_block_at(frozen, rp_read64(blocks[context].address + RP_OBJECT_HEADER));
    if (word == RP_NO_BLOCK || blocks[word].type || blocks[word].size > LARGEST_SMALL_BLOCK) return;
    clear(blocks + word, sizeof(uintptr_t));
    if (blocks[context].size <= LARGEST_SMALL_BLOCK) {
        clear(blocks + context, RP_OBJECT_HEADER + sizeof(uintptr_t));
    }
}

void rp_clear_words_of_sleeps(rp_frozen_copy *frozen) {
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        const rp_block *task = frozen->heap.blocks + block;
        bool is_task = task->type && frozen->types.list[task->type].node == RP_NODE_TASK;
        if (is_task && !(task->flags & RP_BLOCK_DEAD)) clear_behind_word_of_sleep(frozen, task);
    }
}

/// Scans the link to the next job in an executor's queue. The other words in front of the fragments belong to the
/// runtime: they are stale, or addresses in the task's own memory.
static void scan_header(const rp_place *at) {
    if (!rp_fits(at, RP_TASK_STATUS, sizeof(uint32_t))) return;
    if (!(rp_read32(at->base + RP_TASK_STATUS) & RP_TASK_IS_ENQUEUED)) return;
    rp_scan_words(at, RP_JOB_NEXT_WAITING, sizeof(uintptr_t), 0);
}

/// Scans the task's parent, which awaits the task, and the task's group, and returns the end of these fragments. The
/// parent's next child, between the two, belongs to the parent's list.
static uint32_t scan_fragments(const rp_place *at, uint32_t offset) {
    uint32_t flags = rp_fits(at, RP_JOB_FLAGS, sizeof(uint32_t)) ? rp_read32(at->base + RP_JOB_FLAGS) : 0;
    if (flags & RP_TASK_IS_CHILD) {
        rp_scan_words(at, offset, sizeof(uintptr_t), 0);
        offset += RP_TASK_CHILD_FRAGMENT;
    }
    if (flags & RP_TASK_IS_GROUP_CHILD) {
        rp_scan_words(at, offset, RP_TASK_GROUP_CHILD_FRAGMENT, 0);
        offset += RP_TASK_GROUP_CHILD_FRAGMENT;
    }
    return offset;
}

void rp_scan_task(rp_place *at) {
    parts found;
    uint64_t size = at->frozen->request->facts.task_size;
    if (size == 0 || size > at->end) {
        rp_scan_words(at, RP_OBJECT_HEADER, 0, 0);
        return;
    }
    scan_header(at);
    rp_scan_children(at);
    rp_scan_accesses(at);
    uint32_t end = scan_fragments(at, (uint32_t)size);
    if (!find_parts(at, &found)) {
        rp_scan_words(at, end, 0, 0);
        return;
    }
    scan_future(at, &found);
    uint32_t frames = found.prefix + RP_TASK_PREFIX_SIZE;
    if (frames < at->end && !is_not_begun(at, &found)) rp_scan_words(at, frames, 0, 0);
}

#endif
