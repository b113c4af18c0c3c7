// The objects that no root reaches, by the cycles that keep them.
#pragma once

#include "frozen_copy.h"

/// Blocks that are to be scanned.
typedef struct rp_worklist {
    uint32_t *blocks;
    uint32_t count;
} rp_worklist;

// in_use.c

/// Marks everything that roots of all kinds reach as in use.
void rp_mark_in_use(rp_frozen_copy *frozen);
/// Marks a block, and everything that it holds, as in use.
void rp_mark_block_in_use(rp_frozen_copy *frozen, uint32_t block);

// tracer_blocks.c

/// Assigns the blocks that only an agent keeps to the line of the tracer, and undoes all marks of the blocks. Call it
/// after the references are counted, and before the targets are chosen. If the memory does not suffice, no block is
/// assigned.
void rp_find_tracer_blocks(rp_frozen_copy *frozen);

// noted_objects.c

/// Whether a block is an object that nothing reaches.
bool rp_is_unreached_object(const rp_frozen_copy *frozen, uint32_t block);
/// Notes the objects that nothing reaches for the second look.
void rp_note_unreached(rp_frozen_copy *frozen);
/// Marks the objects that the first look has not noted, and everything that they hold, as in use.
void rp_keep_noted(rp_frozen_copy *frozen);

// leaks.c

/// Finds the leaks. Call it after the references are counted.
void rp_find_leaks(rp_frozen_copy *frozen);

// task_description.c

/// Returns the runtime's record of what a task awaits; 0 if there is none.
uintptr_t rp_dependency_of(const rp_frozen_copy *frozen, uintptr_t task);
/// Describes a task without the types that it holds.
void rp_describe_task(rp_frozen_copy *frozen, uintptr_t address, rp_listed_task *task);

// task_holdings.c

/// Adds the types of the objects to which the frames of a task refer, and those that its closure captures.
void rp_note_types_of_task(rp_frozen_copy *frozen, rp_listed_task *task);

// tasks.c

/// Lists the tasks that have not ended, if the request wants them. If there are more than the list has room for, at
/// most `RP_MAX_ALIKE_TASKS` of those that wait in the same functions are listed, so that a crowd does not displace the
/// others.
void rp_list_tasks(rp_frozen_copy *frozen);
/// Marks the listed tasks to which nothing in use refers, in the first look; in the second look, keeps only the marks
/// of those to which still nothing refers.
void rp_mark_unreached_tasks(rp_frozen_copy *frozen);

// leak_entries.c

/// The state of writing leaks.
typedef struct rp_leak_writing {
    rp_writing writing;
    rp_unreached graph;
    rp_target *target;
    /// The number of objects of each type in the current cycle.
    uint32_t *type_counts;
    uint32_t type_capacity;
} rp_leak_writing;

void rp_prepare_leaks(rp_frozen_copy *frozen, rp_leak_writing *at, rp_unreached graph);
/// Claims a block with everything that it holds, and adds it as a leak. Of a cycle, any block is given.
void rp_add_leak(rp_leak_writing *at, uint32_t block, uint8_t kind);
/// Whether a block is in use, or belongs to a leak that was added.
bool rp_is_claimed(const rp_frozen_copy *frozen, uint32_t block);
