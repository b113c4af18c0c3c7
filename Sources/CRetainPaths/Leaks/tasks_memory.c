#define _GNU_SOURCE

#include "CRetainPaths.h"
#include "Process/shared_memory.h"

// The memory for tasks.

rp_task_list *rp_make_tasks(void) {
    return rp_map_shared(sizeof(rp_task_list));
}

void rp_free_tasks(rp_task_list *tasks) {
    munmap(tasks, sizeof(rp_task_list));
}

const rp_listed_task *rp_listed_task_at(const rp_task_list *tasks, uint32_t index) {
    return tasks->tasks + index;
}

const uintptr_t *rp_task_frames(const rp_listed_task *task) {
    return task->frames;
}

const uintptr_t *rp_task_types(const rp_listed_task *task) {
    return task->types;
}
