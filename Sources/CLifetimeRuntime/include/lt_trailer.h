// The trailer: the handle of an object whose class does not store one, in 16 bytes behind the object's fields.
//
// The hooks of allocations write and clear trailers; the search for retain paths reads them.
#pragma once

#include "lt_handles.h"

typedef struct lt_trailer {
    lt_handle handle;
    /// `lt_trailer_check` of the object's address and the handle.
    uint64_t check;
} lt_trailer;

/// Returns the offset of the trailer in an object whose fields end at `instance_size`.
static inline size_t lt_trailer_offset(size_t instance_size) { return (instance_size + 7) & ~(size_t)7; }

/// Returns the check of a trailer. It depends on the object's address, so bytes of a trailer that were copied, or that
/// an earlier object has left, are not taken for the trailer of another object.
static inline uint64_t lt_trailer_check(uintptr_t object, lt_handle handle) {
    return 0x9e6b1f0da7c35d27ull ^ handle ^ (uint64_t)object << 13;
}

static inline bool lt_is_trailer(const lt_trailer *trailer, uintptr_t object) {
    return trailer->check == lt_trailer_check(object, trailer->handle) && trailer->handle >= LT_FIRST_HANDLE;
}
