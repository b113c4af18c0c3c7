// The memory that `tracer-server run` shares with the agent in the program that it has started: what the agent is to do
// at the exit of the program, and what it has found there. A program that ends in another way leaves the memory as it
// was, so the command never takes a missing search for one without leaks.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The states of the search at exit, in their order.
typedef enum lt_exit_state : uint32_t {
    /// No agent has taken the task.
    LT_EXIT_UNPLANNED,
    /// The agent has registered its exit handler.
    LT_EXIT_PLANNED,
    /// The program is in its exit handlers, and the agent searches.
    LT_EXIT_SEARCHING,
    /// The search has a result.
    LT_EXIT_SEARCHED,
    /// The result has been printed, although the program has not ended.
    LT_EXIT_PRINTED,
    /// The search was not possible; the text is the reason.
    LT_EXIT_FAILED,
    /// The search took longer than its limit.
    LT_EXIT_TIMED_OUT,
} lt_exit_state;

typedef struct lt_exit_record lt_exit_record;

/// The most bytes of the report in words, and of the report as JSON.
enum { LT_EXIT_TEXT_LIMIT = 256 << 10, LT_EXIT_JSON_LIMIT = 8 << 20 };

/// Creates the memory. Its descriptor is inherited by the programs that this process starts.
///
/// Returns null, with `errno` set, if the system refuses.
lt_exit_record *_Nullable lt_exit_record_create(int *_Nonnull descriptor);

/// Maps the memory behind an inherited descriptor and closes the descriptor.
///
/// Returns null, and changes nothing, if the descriptor belongs to something else.
lt_exit_record *_Nullable lt_exit_record_open(int descriptor);

/// The process that has created the memory.
int lt_exit_record_creator(const lt_exit_record *_Nonnull record);

lt_exit_state lt_exit_record_state(const lt_exit_record *_Nonnull record);

/// Changes the state if it has not changed meanwhile.
bool lt_exit_record_change_state(lt_exit_record *_Nonnull record, lt_exit_state from, lt_exit_state to);

/// Waits until the state is no longer the given one, or for that time at most.
void lt_exit_record_await_change(const lt_exit_record *_Nonnull record, lt_exit_state from, int milliseconds);

/// Stores a report. It counts once the state says so. Longer texts are cut.
void lt_exit_record_write(
    lt_exit_record *_Nonnull record, uint64_t leaks, const void *_Nullable text, size_t text_size,
    const void *_Nullable json, size_t json_size);

/// The number of leaks that are not known.
uint64_t lt_exit_record_leaks(const lt_exit_record *_Nonnull record);

/// The report in words, and as JSON. Both are valid as long as the process runs.
const uint8_t *_Nonnull lt_exit_record_text(const lt_exit_record *_Nonnull record, size_t *_Nonnull size);
const uint8_t *_Nonnull lt_exit_record_json(const lt_exit_record *_Nonnull record, size_t *_Nonnull size);
