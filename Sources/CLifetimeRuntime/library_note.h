// The note in every program and shared object that contains the library.
//
// A process must not run two copies of the library. The agent, and the command that starts programs with the agent,
// find another copy by this note. A note survives `strip`, which removes symbols, and the loader maps it.
#pragma once

#include <stdint.h>

/// The version of the library; the same text as `TracerVersion.current`.
#define LT_VERSION "0.1.0"
/// The room for the version, a multiple of four bytes.
#define LT_VERSION_SIZE 16

#if defined(__linux__)
struct lt_library_note {
    uint32_t name_size;
    uint32_t description_size;
    uint32_t type;
    char name[16];
    char description[LT_VERSION_SIZE];
};

/// The layout of a note is: sizes, type, name, description. The type 1 says that the description is the version.
/// AddressSanitizer would add poisoned bytes, which are no part of a note.
__attribute__((used, section(".note.LifetimeTracer"), aligned(4), no_sanitize("address")))
static const struct lt_library_note lt_library_note = {
    .name_size = sizeof "LifetimeTracer",
    .description_size = LT_VERSION_SIZE,
    .type = 1,
    .name = "LifetimeTracer",
    .description = LT_VERSION,
};
#endif
