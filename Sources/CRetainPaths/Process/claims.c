#ifdef __linux__
#include "frozen_copy.h"

// Memory outside the heap that has a known purpose. The rest of the anonymous mappings may contain anything, including
// roots.

enum { MOST_CLAIMS = 1 << 18, SHARE_OF_CLAIMS = 16 };

void rp_claim(rp_frozen_copy *frozen, rp_range range) {
    if (!frozen->claims.ranges) {
        rp_reserve_at_most(frozen, &frozen->claims.memory, MOST_CLAIMS * sizeof(rp_range), SHARE_OF_CLAIMS);
        frozen->claims.ranges = (rp_range *)frozen->claims.memory.start;
    }
    if (range.start >= range.end || frozen->claims.count == MOST_CLAIMS) return;
    rp_grow(frozen, &frozen->claims.memory, (frozen->claims.count + 1) * sizeof(rp_range));
    // Claims arrive nearly in order, so the insertion is cheap.
    uint32_t place = frozen->claims.count++;
    for (; place > 0 && frozen->claims.ranges[place - 1].start > range.start; place--) {
        frozen->claims.ranges[place] = frozen->claims.ranges[place - 1];
    }
    frozen->claims.ranges[place] = range;
}

rp_range rp_unclaimed_from(const rp_frozen_copy *frozen, uintptr_t start, uintptr_t end, uint32_t *cursor) {
    while (*cursor < frozen->claims.count && start < end) {
        rp_range claim = frozen->claims.ranges[*cursor];
        if (claim.start > start) return (rp_range){start, claim.start < end ? claim.start : end};
        if (claim.end > end) return (rp_range){end, end};
        if (claim.end > start) start = claim.end;
        (*cursor)++;
    }
    return (rp_range){start, end};
}

#endif
