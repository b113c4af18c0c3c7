// The trailer: the handle of an object whose class does not store one, in 8 bytes behind the object's fields.
//
// The hooks of allocations write and clear trailers; the search for retain paths reads them.
#pragma once

#include "lt_handles.h"

/// The handle, each bit of which is inverted where that bit of `lt_trailer_mask` is set.
typedef uint64_t lt_trailer;

/// Returns the offset of the trailer in an object whose fields end at `instance_size`.
static inline size_t lt_trailer_offset(size_t instance_size) { return (instance_size + 7) & ~(size_t)7; }

/// Returns bits that depend on an object's address: those of a product with 2^64 / φ (Knuth, The Art of Computer
/// Programming 3, 6.4), whose lower half is improved by the upper half.
///
/// So bytes of a trailer that were copied, that an earlier object has left, or that were never a trailer are as good as
/// random, and `lt_is_handle` refuses them.
static inline uint64_t lt_trailer_mask(uintptr_t object) {
    const uint64_t product = (uint64_t)object * 0x9E3779B97F4A7C15ull;
    return product ^ product >> 32;
}

static inline lt_trailer lt_make_trailer(uintptr_t object, lt_handle handle) {
    return handle ^ lt_trailer_mask(object);
}

/// Returns the handle in the trailer of an object. If the object has no trailer, the result is as good as random.
static inline lt_handle lt_handle_in(lt_trailer trailer, uintptr_t object) {
    return trailer ^ lt_trailer_mask(object);
}
