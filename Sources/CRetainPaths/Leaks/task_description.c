#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Leaks/leaks.h"

// One task: its state, frames and parent.

/// The most records of a task that are read, in case the list is inconsistent.
enum { MOST_LINKS = 1024 };

static void describe_frames(const rp_frozen_copy *frozen, rp_listed_task *task) {
    task->frames[task->frame_count++] = rp_read64(task->address + RP_JOB_FUNCTION);
    uintptr_t frame = rp_read64(task->address + RP_TASK_FRAME);
    while (task->frame_count < RP_MAX_TASK_FRAMES && frame % sizeof(uintptr_t) == 0
           && rp_is_readable(frozen, frame, RP_FRAME_SIZE)) {
        uintptr_t function = rp_read64(frame + RP_FRAME_FUNCTION);
        if (!rp_is_code(frozen, function)) return;
        // The innermost frame of a continuation repeats the function that runs next.
        if (task->frames[task->frame_count - 1] == function) task->frame_count--;
        task->frames[task->frame_count++] = function;
        frame = rp_read64(frame);
    }
}

/// Returns the first record of a kind in a task's status; 0 if there is none.
static uintptr_t record_of(const rp_frozen_copy *frozen, uintptr_t task, uint64_t kind) {
    uintptr_t record = rp_read64(task + RP_TASK_RECORDS);
    for (uint32_t left = MOST_LINKS; left > 0 && rp_is_readable(frozen, record, RP_RECORD_SIZE); left--) {
        if ((rp_read64(record) & RP_RECORD_KIND_BITS) == kind) return record;
        record = rp_read64(record + RP_RECORD_NEXT);
    }
    return 0;
}

uintptr_t rp_dependency_of(const rp_frozen_copy *frozen, uintptr_t task) {
    if (!(rp_read32(task + RP_TASK_STATUS) & RP_TASK_HAS_DEPENDENCY)) return 0;
    return record_of(frozen, task, RP_RECORD_IS_DEPENDENCY);
}

static void copy_label(const rp_frozen_copy *frozen, rp_listed_task *task) {
    uintptr_t record = record_of(frozen, task->address, RP_RECORD_IS_NAME);
    if (!record) return;
    uintptr_t name = rp_read64(record + RP_RECORD_NAME);
    while (task->label_length < RP_MAX_TASK_LABEL && rp_is_readable(frozen, name + task->label_length, 1)) {
        char byte = *(const char *)(name + task->label_length);
        if (!byte) return;
        task->label[task->label_length++] = byte;
    }
}

static uint8_t state_awaiting(uint32_t kind) {
    switch (kind) {
    case RP_DEPENDS_ON_TASK: return RP_TASK_AWAITS_TASK;
    case RP_DEPENDS_ON_CONTINUATION: return RP_TASK_AWAITS_CONTINUATION;
    case RP_DEPENDS_ON_GROUP: return RP_TASK_AWAITS_GROUP;
    case RP_DEPENDS_ON_EXECUTOR: return RP_TASK_WAITS_FOR_EXECUTOR;
    default: return RP_TASK_SUSPENDED;
    }
}

static void describe_state(const rp_frozen_copy *frozen, rp_listed_task *task) {
    uint32_t status = rp_read32(task->address + RP_TASK_STATUS);
    task->is_cancelled = status & RP_TASK_IS_CANCELLED;
    task->handles_cancellation = record_of(frozen, task->address, RP_RECORD_HANDLES_CANCELLATION) != 0;
    task->state = status & RP_TASK_IS_ENQUEUED ? RP_TASK_WAITS_FOR_EXECUTOR : RP_TASK_SUSPENDED;
    if (status & RP_TASK_IS_RUNNING) {
        task->state = RP_TASK_RUNNING;
        return;
    }
    uintptr_t record = rp_dependency_of(frozen, task->address);
    if (!record) return;
    task->state = state_awaiting(rp_read32(record + RP_DEPENDENCY_KIND));
    task->awaits = rp_read64(record + RP_DEPENDENCY_ON);
    uint32_t block = rp_block_at(frozen, task->awaits);
    if (block != RP_NO_BLOCK && frozen->heap.blocks[block].type) {
        task->awaited_type = frozen->types.list[frozen->heap.blocks[block].type].metadata;
    }
}

void rp_describe_task(rp_frozen_copy *frozen, uintptr_t address, rp_listed_task *task) {
    uint64_t size = frozen->request->facts.task_size;
    memset(task, 0, sizeof *task);
    task->address = address;
    task->id = rp_read32(address + RP_TASK_ID);
    if (rp_read32(address + RP_JOB_FLAGS) & RP_TASK_IS_CHILD) task->parent = rp_read64(address + size);
    describe_state(frozen, task);
    describe_frames(frozen, task);
    copy_label(frozen, task);
    uint32_t block = rp_block_at(frozen, address);
    uintptr_t function = block == RP_NO_BLOCK ? 0 : rp_function_of_task(frozen, block);
    if (function) task->closures[task->closure_count++] = function;
}

#endif
