// What `tracer-server run` and the agent must agree on, as a note in the files of both. The command compares the notes,
// so that it never starts a program with an agent that would ignore an option or misread the shared memory.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The names of all variables that the command sets; the same as those of `RunVariable`, in its order.
#define LT_RUN_VARIABLES                                                                                      \
    "LIFETIME_TRACER LIFETIME_TRACER_CLASSES LIFETIME_TRACER_STACKS LIFETIME_TRACER_KNOWN_LEAKS "             \
    "LIFETIME_TRACER_RULES LIFETIME_TRACER_FOLLOW LIFETIME_TRACER_STAY LIFETIME_TRACER_SUMMARY "              \
    "LIFETIME_TRACER_EXIT_RECORD LIFETIME_TRACER_EXIT_LIMIT"

enum { LT_TOOLCHAIN_SIZE = 256, LT_RUN_VARIABLES_SIZE = 512 };

/// The description of the note. Texts end with a zero byte.
typedef struct lt_run_interface {
    /// The size of the memory that the two share, and the last state in it.
    uint32_t record_size;
    uint32_t last_state;
    /// The compiler of the toolchain with which this copy was built: the Swift compiler's own clang.
    char toolchain[LT_TOOLCHAIN_SIZE];
    char variables[LT_RUN_VARIABLES_SIZE];
} lt_run_interface;

/// The description of the note in this program.
const lt_run_interface *_Nonnull lt_own_run_interface(void);
