// Handles: the 8 bytes in an object that lead to its record and its type.
#pragma once

#include "lt_records.h"

/// The type index (19 bits), "unlisted" (1 bit), and the record's address / 16 or, for an unlisted instance, the low
/// bits of its id (44 bits). User addresses are below 2^48 on x86-64 and arm64.
typedef uint64_t lt_handle;

enum {
    LT_TYPE_BITS = 19,
    LT_PAYLOAD_SHIFT = 20,
};
#define LT_UNLISTED (1ull << 19)
#define LT_TYPE_MASK (LT_UNLISTED - 1)

/// The handle of an instance that was born while tracing was off: type index 0, and in place of the id a number by
/// which its death can be reported. If memory was short, the handle has no number and equals this constant.
#define LT_UNTRACED LT_UNLISTED
/// The difference between the handles of two such instances with successive numbers.
#define LT_UNTRACED_STEP (1ull << LT_PAYLOAD_SHIFT)

/// The type index of a context whose instances are not traced. Nothing is counted at this index.
enum { LT_NO_TYPE = 0 };

/// Results of a birth instead of a handle. Type indices start above them.
enum {
    /// The birth has to be recorded in a scoped registry, or needs a context.
    LT_NEEDS_CONTEXT = 1,
    LT_NEEDS_STRIPE,
    LT_NEEDS_ROOM,
    LT_NEEDS_TOTAL_ROOM,
    LT_NEEDS_RECORDS,
    LT_FIRST_TYPE = 16,
};
/// The smallest handle.
#define LT_FIRST_HANDLE 16ull

/// Whether a word can be the handle of a live instance of the shared registry.
///
/// Of a listed instance, the record must exist, and be that of a live instance of the type; while 4,000,000 are live,
/// fewer than one of 2^40 random words pass. Of another one, the type must exist and the id or number have been given;
/// after a billion births of 1,000 types, fewer than one of 2^23 random words pass.
bool lt_is_handle(lt_handle handle);

/// Returns the record of a listed instance.
static inline lt_record *lt_place(lt_handle handle) {
    return (lt_record *)(uintptr_t)(handle >> LT_PAYLOAD_SHIFT << 4);
}
