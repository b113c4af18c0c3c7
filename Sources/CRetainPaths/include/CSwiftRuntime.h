// What is asked of Swift's runtime in its own calling convention, and the trial of what it might not survive.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Types by their mangled names

/// The type with a mangled name that may refer to the generic arguments of a type's context; NULL when there is none.
///
/// `swift_getTypeByMangledNameInContext` (stdlib/public/runtime/MetadataLookup.cpp). Ends the program for names that it cannot build.
const void *rp_type_in_context(
    const char *name, size_t length, const void *context, const void *const *arguments);
/// The same with the arguments of a generic environment (swift/ABI/GenericContext.h, TargetGenericEnvironment).
const void *rp_type_in_environment(
    const char *name, size_t length, const void *environment, const void *const *arguments);

// MARK: Trials

enum { RP_TRIAL_ENTRIES = 1 << 15 };

enum rp_trial_entry_kind {
    /// A mangled name is resolved.
    RP_TRIAL_NAME = 1,
    /// The symbol at an address is wanted, which only the parent can look up.
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

/// What a trial has come to, in memory that it shares with its parent.
typedef struct rp_trial {
    /// Grows with everything that is done.
    uint64_t progress;
    /// The number of the item that is worked on.
    uint32_t item;
    uint32_t entry_count;
    /// Whether all was done, or the entries ran out.
    bool is_done;
    bool is_full;
    rp_trial_entry entries[RP_TRIAL_ENTRIES];
} rp_trial;

/// Maps the memory of a trial; NULL when there is none.
rp_trial *rp_make_trial(void);
/// An entry; the index must be less than RP_TRIAL_ENTRIES.
static inline rp_trial_entry *rp_trial_entry_at(rp_trial *trial, uint32_t index) {
    return &trial->entries[index];
}
void rp_free_trial(rp_trial *trial);
/// Copies the process, for one that may abort, crash or hang: 0 in the copy, its id in the parent, negative when it cannot be copied.
///
/// In the copy there is the calling thread only, and locks of others stay locked. It is silent, dumps no core, has the default
/// dispositions for the signals of crashes, `memory_limit` bytes beyond what the process had, and ends with the calling thread.
int rp_clone_for_trial(uint64_t memory_limit);
/// Ends the copy without running anything else.
_Noreturn void rp_end_trial(void);

enum rp_trial_end {
    RP_TRIAL_EXITED = 1,
    RP_TRIAL_CRASHED,
    /// It waited for a lock that nobody in the copy would ever release.
    RP_TRIAL_BLOCKED,
    /// It used up its time on one thing.
    RP_TRIAL_TIMED_OUT,
};

/// Waits until a trial ends or is to be ended, and leaves nothing behind.
///
/// `seconds_without_progress` are of processor time, so that a busy machine makes no difference; of wall-clock time it may take
/// `seconds_in_all`.
enum rp_trial_end rp_await_trial(
    int process, const rp_trial *trial, double seconds_without_progress, double seconds_in_all);
