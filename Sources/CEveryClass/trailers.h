// Access to the trailers of objects.
#pragma once

#include "class_layout.h"

#include <CLifetimeRuntime.h>

#define INLINE static inline __attribute__((always_inline))

/// Returns the place of the trailer, if the object has one.
INLINE lt_trailer *trailer_of(const lt_object *object, const lt_class *metadata) {
    return (lt_trailer *)((char *)object + lt_trailer_offset(metadata->instance_size));
}

INLINE void write_trailer(lt_trailer *trailer, const lt_object *object, lt_handle handle) {
    trailer->handle = handle;
    trailer->check = lt_trailer_check((uintptr_t)object, handle);
}
