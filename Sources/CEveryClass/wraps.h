// The calls of a program that was linked with --wrap, which take the place of slots.
#pragma once

#include "hooks.h"
#include "images.h"

/// The options with which a program must be linked, as people write them.
#define LT_WRAP_OPTIONS                                                                                                \
    "--wrap=swift_allocObject, --wrap=swift_bufferAllocate, --wrap=swift_deallocClassInstance, "                       \
    "--wrap=swift_deallocPartialClassInstance and --wrap=swift_initStackObject"

/// Whether all calls that the hooks need were wrapped when this image was linked.
bool lt_are_calls_wrapped(void);
/// The runtime's functions, behind the wrapped calls. Those of actors and most of those of buffers are missing: they
/// allocate and free through wrapped calls, because they are linked into the same image.
lt_runtime lt_wrapped_runtime(void);
/// Makes the wrapped calls lead to the hooks, or to the runtime again.
void lt_replace_wrapped(const lt_replacement *replacements, size_t count, bool restores);
