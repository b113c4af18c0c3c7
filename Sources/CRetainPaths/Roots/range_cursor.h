// Positions in lists of ranges, for visits whose addresses rise.
#pragma once

#include "rp_request.h"

/// The rest of a list of ranges, which are sorted and disjoint.
///
/// A visit asks for the address of each word of the data of all images. Its addresses rise, so that a comparison with
/// the first range is nearly always enough, where a binary search costs several mispredicted branches.
typedef struct rp_range_cursor {
    const rp_range *first, *end;
} rp_range_cursor;

/// Returns the ranges that do not end before an address.
static inline rp_range_cursor rp_ranges_from(const rp_range *ranges, uint32_t count, uintptr_t address) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ranges[middle].end <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (rp_range_cursor){ranges + low, ranges + count};
}

/// Returns the range that contains an address; NULL if there is none. The addresses must rise from call to call.
static inline const rp_range *rp_next_range_at(rp_range_cursor *at, uintptr_t address) {
    while (at->first < at->end && at->first->end <= address) at->first++;
    return at->first < at->end && at->first->start <= address ? at->first : NULL;
}

/// The start of the first range that does not end before the address of the last call; UINTPTR_MAX if there is none.
static inline uintptr_t rp_next_start(const rp_range_cursor *at) {
    return at->first < at->end ? at->first->start : UINTPTR_MAX;
}
