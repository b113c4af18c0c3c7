// The description of what the search has found, in the memory that the frozen copy shares with the program.
#pragma once

#include "Search/search.h"

// steps.c

/// Whether a block is the storage of an array, a dictionary or a set.
bool rp_is_storage(const rp_frozen_copy *frozen, uint32_t block);
/// Describes a block in a step, without an edge.
void rp_describe_block(const rp_frozen_copy *frozen, uint32_t block, rp_step *step);
/// Adds the edge from one block to another to a step: the best edge if there are several.
void rp_describe_edge(rp_frozen_copy *frozen, uint32_t from, uint32_t to, rp_step *step);
/// Adds the edge of a possible holder, a block, to a step.
void rp_describe_candidate(rp_frozen_copy *frozen, const rp_candidate *candidate, uint32_t to, rp_step *step);
/// Describes a root and its edge in a step.
void rp_describe_root(rp_frozen_copy *frozen, const rp_root *root, uint32_t to, rp_step *step);

// stack_functions.c

/// Adds to a step the functions in whose frames on a thread's stack a word lies: that of the innermost frame, then its
/// callers; none if the word is not on a stack.
void rp_describe_stack_frames(const rp_frozen_copy *frozen, uintptr_t word, rp_step *step);

// frame_objects.c

/// Adds the places of targets that are not on the heap to their results: the stack, or the task, in whose frames
/// optimised code has placed the target.
void rp_describe_frame_objects(rp_frozen_copy *frozen);

// task_functions.c

/// Returns the task to whose frames a slab belongs; `RP_NO_BLOCK` if there is none. Looks at all tasks.
uint32_t rp_task_of_slab(rp_frozen_copy *frozen, uint32_t slab);
/// Returns the first slab of a task that is a block of its own; `RP_NO_BLOCK` if there is none.
uint32_t rp_first_slab(const rp_frozen_copy *frozen, uintptr_t task);
/// Whether a word lies in the memory of a child that `async let` has placed in its parent's memory.
bool rp_is_in_child(rp_frozen_copy *frozen, uintptr_t child, uintptr_t word);
/// Whether a word lies in the memory of such a child of a task.
bool rp_is_in_children(rp_frozen_copy *frozen, uintptr_t task, uintptr_t word);
/// Adds to a step the functions in whose frames a task holds the object of a word.
void rp_describe_functions(rp_frozen_copy *frozen, uint32_t task, uintptr_t word, rp_step *step);
/// Adds to a step the function in which a task waits or that it ran, and its callers, for a reference that is in no
/// frame.
void rp_describe_waiting_function(rp_frozen_copy *frozen, uint32_t task, rp_step *step);

// task_locals.c

/// Adds to a step the variable of a task-local value, if a word in a task's memory belongs to one; returns whether it
/// does.
bool rp_describe_task_local(rp_frozen_copy *frozen, uintptr_t word, rp_step *step);

// holders.c

/// Writes the number of explained references to a target, and their holders, to the result.
void rp_write_holders(
    rp_frozen_copy *frozen, const rp_target *target, rp_result *result, const rp_unreached *unreached);

// functions.c

/// Finds functions of closures in the results that have none yet. Scans all blocks if there is such a closure.
void rp_find_functions(rp_frozen_copy *frozen);

// results.c

/// The state of writing results.
typedef struct rp_writing {
    rp_frozen_copy *frozen;
    rp_target *target;
    rp_result *result;
    /// The references among unreached blocks; listed before the first result if no root reaches some target.
    rp_unreached unreached;
    rp_path *path, *cycle;
    /// The number of times that the task of a slab was sought.
    uint32_t sought;
} rp_writing;

/// Writes the result for `target` to `result`.
void rp_write_result(rp_writing *at);
/// Finds victims among the reachable targets: a target is a victim if its path goes through another target and no path
/// reaches it without going through a target.
void rp_write_victims(rp_writing *at, uint32_t kinds);

// rounds.c

/// Whether no root has reached some target.
bool rp_any_unreached_target(const rp_frozen_copy *frozen);
/// Writes the results for all targets. Extends the search by further kinds of roots as long as a target needs them.
void rp_write_results(rp_frozen_copy *frozen);
