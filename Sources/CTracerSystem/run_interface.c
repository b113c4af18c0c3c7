// The note about the interface of `tracer-server run` and the agent.
#include "CTracerSystem.h"
#include "exit_record_layout.h"

#define NAME "LifetimeTracerRun"

typedef struct run_note {
    uint32_t name_size;
    uint32_t description_size;
    uint32_t type;
    char name[20];
    lt_run_interface description;
} run_note;

/// The layout of a note is: sizes, type, name, description. AddressSanitizer would add poisoned bytes, which are no
/// part of a note.
#if defined(__linux__)
__attribute__((used, section(".note.LifetimeTracerRun"), aligned(4), no_sanitize("address")))
#endif
static const run_note note = {
    .name_size = sizeof NAME,
    .description_size = sizeof(lt_run_interface),
    .type = 1,
    .name = NAME,
    .description = {
        .record_size = sizeof(lt_exit_record),
        .last_state = LT_EXIT_TIMED_OUT,
        .toolchain = __VERSION__,
        .variables = LT_RUN_VARIABLES,
    },
};

const lt_run_interface *lt_own_run_interface(void)
{
    return &note.description;
}
