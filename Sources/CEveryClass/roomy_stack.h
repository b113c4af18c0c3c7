// A larger stack for functions of the tracer.
#pragma once

#include <stdint.h>

/// Calls a function on the calling thread: on the thread's stack if that has enough room, else on another one.
///
/// Must not be called in a process with a sanitizer, which knows only the stacks of threads.
uint64_t lt_call_with_room(uint64_t (*body)(const void *), const void *argument);
