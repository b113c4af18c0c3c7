#define _GNU_SOURCE

#include "CRetainPaths.h"
#include "Heap/runtime_layout.h"
#include "Process/process.h"
#include "Process/shared_memory.h"

// The memory for tasks.

rp_task_list *rp_make_tasks(void) {
    return rp_map_shared(sizeof(rp_task_list));
}

void rp_free_tasks(rp_task_list *tasks) {
    munmap(tasks, sizeof(rp_task_list));
}

void rp_plant_task(rp_task_list *tasks, uintptr_t inverted) {
    if (tasks->planted_count < RP_MAX_PLANTED_TASKS) tasks->planted_inverted[tasks->planted_count++] = inverted;
}

bool rp_is_marked_as_running(uintptr_t inverted) {
    return rp_read32(~inverted + RP_TASK_STATUS) & RP_TASK_IS_RUNNING;
}

const rp_listed_task *rp_planted_task_at(const rp_task_list *tasks, uint32_t index) {
    return tasks->planted + index;
}

const rp_listed_task *rp_listed_task_at(const rp_task_list *tasks, uint32_t index) {
    return tasks->tasks + index;
}

const uintptr_t *rp_task_frames(const rp_listed_task *task) {
    return task->frames;
}

const uintptr_t *rp_task_closures(const rp_listed_task *task) {
    return task->closures;
}

const uintptr_t *rp_task_types(const rp_listed_task *task) {
    return task->types;
}

const uint8_t *rp_task_captors(const rp_listed_task *task) {
    return task->captors;
}

const char *rp_task_label(const rp_listed_task *task) {
    return task->label;
}
