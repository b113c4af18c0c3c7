// The tasks: every task of the process that has not ended, and what it awaits.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    /// Tasks that are listed; further tasks are counted only.
    RP_MAX_LISTED_TASKS = 1 << 13,
    /// Of more tasks, those in the same state and functions that are listed.
    RP_MAX_ALIKE_TASKS = 1 << 10,
    /// Tasks whose states are known, for the self-check.
    RP_MAX_PLANTED_TASKS = 8,
    /// The innermost frames of a task, and the types of objects that it holds, that are listed.
    RP_MAX_TASK_FRAMES = 32,
    RP_MAX_TASK_TYPES = 16,
    /// The closure with which a task began, behind the thunks that call it.
    RP_MAX_TASK_CLOSURES = 4,
    /// The bytes of a task's label that are copied.
    RP_MAX_TASK_LABEL = 64,
};

enum rp_task_state {
    /// The task runs on a thread.
    RP_TASK_RUNNING = 1,
    /// The task waits for its turn in an executor's queue; `awaits` is the executor's actor, 0 for no actor.
    RP_TASK_WAITS_FOR_EXECUTOR,
    /// The task awaits the end of another task (`awaits`).
    RP_TASK_AWAITS_TASK,
    /// The task awaits a continuation.
    RP_TASK_AWAITS_CONTINUATION,
    /// The task awaits the children of a task group.
    RP_TASK_AWAITS_GROUP,
    /// The task does not run, and the runtime does not say what it awaits.
    RP_TASK_SUSPENDED,
};

typedef struct rp_listed_task {
    uintptr_t address;
    /// Of a child of another task: the address of the parent; else 0.
    uintptr_t parent;
    uintptr_t awaits;
    /// The metadata of the object at `awaits`; 0 if there is none.
    uintptr_t awaited_type;
    /// The number that the runtime has given the task.
    uint32_t id;
    /// An `rp_task_state`.
    uint8_t state;
    bool is_cancelled;
    /// A function of the task handles the task's cancellation.
    bool handles_cancellation;
    /// Nothing in use refers to the task, in either look.
    bool is_unreached;
    /// The function that runs next in the innermost frame, then those that the frames return to.
    uint32_t frame_count;
    uintptr_t frames[RP_MAX_TASK_FRAMES];
    /// The function with which the task began, or the async function pointer to it. If the function is a thunk, the
    /// closure that it captures follows, and so on.
    uint32_t closure_count;
    uintptr_t closures[RP_MAX_TASK_CLOSURES];
    /// The metadata of the objects to which the task's frames refer, and of those that the closures capture; and for
    /// each the closure that captures it: 1 for the first, 0 for a frame.
    uint32_t type_count;
    uintptr_t types[RP_MAX_TASK_TYPES];
    uint8_t captors[RP_MAX_TASK_TYPES];
    /// The name that the program gave the task, in UTF-8 without a zero at the end; cut after 64 bytes.
    uint32_t label_length;
    char label[RP_MAX_TASK_LABEL];
} rp_listed_task;

/// The memory that parent and copy share for tasks. The search of the self-check or the first look at the leaks fills
/// it.
typedef struct rp_task_list {
    /// The tasks of the self-check, which are not listed: their addresses, inverted, from the parent; and what the copy
    /// has found, with the state 0 for a task that it has not found.
    uint32_t planted_count;
    uintptr_t planted_inverted[RP_MAX_PLANTED_TASKS];
    rp_listed_task planted[RP_MAX_PLANTED_TASKS];
    /// Whether the copy has listed the tasks.
    bool is_complete;
    /// The number of listed tasks to which nothing in use refers.
    uint32_t unreached_count;
    uint32_t count;
    uint64_t left_out;
    rp_listed_task tasks[RP_MAX_LISTED_TASKS];
} rp_task_list;

/// Maps the memory for tasks; returns NULL if there is too little memory. Free it with `rp_free_tasks`.
rp_task_list *rp_make_tasks(void);
void rp_free_tasks(rp_task_list *tasks);
/// Adds a task of the self-check, by its inverted address, if there is room.
void rp_plant_task(rp_task_list *tasks, uintptr_t inverted);
/// Whether a task of this process is marked as running. The task must exist.
bool rp_is_marked_as_running(uintptr_t inverted);
const rp_listed_task *rp_planted_task_at(const rp_task_list *tasks, uint32_t index);
const rp_listed_task *rp_listed_task_at(const rp_task_list *tasks, uint32_t index);
const uintptr_t *rp_task_frames(const rp_listed_task *task);
const uintptr_t *rp_task_closures(const rp_listed_task *task);
const uintptr_t *rp_task_types(const rp_listed_task *task);
const uint8_t *rp_task_captors(const rp_listed_task *task);
const char *rp_task_label(const rp_listed_task *task);
