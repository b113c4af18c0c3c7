// What the agent does to the process before the server starts, in C: it looks at the loaded objects, and it restores
// the environment and the descriptors that the program would have without the agent.
#pragma once

#include <stdbool.h>

/// Returns the path of a loaded object, other than the agent, that contains the library; null if there is none. For the
/// program itself, the path is empty. The path is valid as long as the object is loaded.
const char *_Nullable lt_agent_other_copy(void);

/// Removes the agent from the list in `LD_PRELOAD`, so that child processes start without the agent. Other entries of
/// the list stay as they are.
void lt_agent_leave_preload_list(void);

/// Removes all variables whose names begin with `LIFETIME_TRACER`.
void lt_agent_remove_variables(void);

/// Occupies the free descriptors with low numbers, so that the server gets higher ones.
///
/// A program sees the numbers of its descriptors: its first file has the number 3, and a file that it opens right after
/// closing standard input has the number 0. Must be followed by `lt_agent_release_low_descriptors`.
void lt_agent_occupy_low_descriptors(void);

/// Frees the descriptors that `lt_agent_occupy_low_descriptors` has occupied.
void lt_agent_release_low_descriptors(void);
