// The handles of instances without a trailer: subclasses of ManagedBuffer, which may use all bytes behind their fields.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Remembers the handle of an instance that is born; returns the handle of an earlier instance at the same address
/// whose death no hook has seen, or 0. Sets `is_kept` to false if memory is short.
uint64_t lt_put_buffer(uintptr_t object, uint64_t handle, bool *is_kept);
/// Returns and forgets the handle of an instance that dies; 0 if there is none.
uint64_t lt_take_buffer(uintptr_t object);
