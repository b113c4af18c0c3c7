// Access to the trailers of objects.
#pragma once

#include "class_layout.h"

#include <CLifetimeRuntime.h>
#include <stdbool.h>

#define INLINE static inline __attribute__((always_inline))

/// Returns the place of the trailer, if the object has one.
INLINE lt_trailer *trailer_of(const lt_object *object, const lt_class *metadata) {
    return (lt_trailer *)((char *)object + lt_trailer_offset(metadata->instance_size));
}

INLINE void write_trailer(lt_object *object, size_t offset, lt_handle handle) {
    *(lt_trailer *)((char *)object + offset) = lt_make_trailer((uintptr_t)object, handle);
}

/// Whether the memory at the place of a trailer can be read, even if the object has no trailer.
///
/// The words behind an object are those of malloc's next block, or those of the caller's frame. But a block for which
/// malloc has mapped memory of its own may be the last on its page, and the next page may be unmapped. Such a block has
/// its size before its first byte, with the bit 1 set (malloc/malloc.c of glibc: IS_MMAPPED).
INLINE bool can_read_trailer(const lt_object *object, const lt_trailer *trailer) {
    enum { SMALLEST_PAGE_BITS = 12, BLOCK_HEADER = 2 * sizeof(size_t), IS_MAPPED = 2, FLAGS = 7 };
    const uintptr_t last_field = (uintptr_t)trailer - 1, end = (uintptr_t)(trailer + 1);
    if (__builtin_expect(last_field >> SMALLEST_PAGE_BITS == (end - 1) >> SMALLEST_PAGE_BITS, true)) return true;
    const size_t size = ((const size_t *)object)[-1];
    return !(size & IS_MAPPED) || end <= (uintptr_t)object - BLOCK_HEADER + (size & ~(size_t)FLAGS);
}
