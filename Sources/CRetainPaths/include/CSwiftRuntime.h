// Calls to Swift's runtime in its own calling convention, and trials: copies of the process for calls that the process
// might not survive.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Types by their mangled names

/// Returns the type for a mangled name, which may refer to the generic arguments of a type's context; NULL if there is
/// none.
///
/// Calls `swift_getTypeByMangledNameInContext` (stdlib/public/runtime/MetadataLookup.cpp), which aborts the program for
/// names that it cannot build.
const void *rp_type_in_context(
    const char *name, size_t length, const void *context, const void *const *arguments);
/// Does the same with the arguments of a generic environment (swift/ABI/GenericContext.h, TargetGenericEnvironment).
const void *rp_type_in_environment(
    const char *name, size_t length, const void *environment, const void *const *arguments);

// MARK: Tasks

/// Allocates memory of the current task, as an async function does for its frame.
void *rp_allocate_frame(size_t size);
/// Frees the memory that was allocated last.
void rp_free_frame(void *frame);

// MARK: Trials

enum { RP_TRIAL_ENTRIES = 1 << 15 };

enum rp_trial_entry_kind {
    /// The resolution of a mangled name.
    RP_TRIAL_NAME = 1,
    /// A request for the symbol at an address, which only the parent can look up.
    RP_TRIAL_SYMBOL,
};

enum rp_trial_entry_state {
    RP_TRIAL_BEGUN = 1,
    RP_TRIAL_ENDED,
};

typedef struct rp_trial_entry {
    uintptr_t address;
    uint64_t arguments;
    uint8_t kind;
    uint8_t state;
} rp_trial_entry;

/// The progress and the results of a trial, in memory that it shares with its parent.
typedef struct rp_trial {
    /// Increases with every step of the trial.
    uint64_t progress;
    /// The number of the current item.
    uint32_t item;
    uint32_t entry_count;
    /// Whether all items are done, and whether the entries have run out.
    bool is_done;
    bool is_full;
    rp_trial_entry entries[RP_TRIAL_ENTRIES];
} rp_trial;

/// Maps the memory of a trial; returns NULL if there is too little memory.
rp_trial *rp_make_trial(void);
/// Returns an entry; the index must be less than RP_TRIAL_ENTRIES.
static inline rp_trial_entry *rp_trial_entry_at(rp_trial *trial, uint32_t index) {
    return &trial->entries[index];
}
void rp_free_trial(rp_trial *trial);
/// Copies the process for code that may abort, crash or hang. Returns 0 in the copy, the copy's process id in the
/// parent, and a negative number if the process cannot be copied.
///
/// The copy contains only the calling thread; locks of other threads stay locked. The copy writes nothing to standard
/// error, dumps no core, has the default dispositions for the signals of crashes, and may use `memory_limit` bytes more
/// than the process had. It ends with the calling thread.
int rp_clone_for_trial(uint64_t memory_limit);
/// Ends the copy without running any exit handlers.
_Noreturn void rp_end_trial(void);

enum rp_trial_end {
    RP_TRIAL_EXITED = 1,
    RP_TRIAL_CRASHED,
    /// The copy waited for a lock that no thread of the copy can release.
    RP_TRIAL_BLOCKED,
    /// The copy used up its time without progress, or in total.
    RP_TRIAL_TIMED_OUT,
};

/// Waits until a trial ends, or ends it; reaps the copy and leaves no process behind.
///
/// `seconds_without_progress` is processor time, so that a busy machine does not matter. `seconds_in_all` is wall-clock
/// time.
enum rp_trial_end rp_await_trial(
    int process, const rp_trial *trial, double seconds_without_progress, double seconds_in_all);
