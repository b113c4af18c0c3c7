#ifdef __linux__
#include "snapshot.h"

// Memory outside the heap that has a known purpose. The rest of the anonymous mappings may contain anything, including
// roots.

enum { MOST_CLAIMS = 1 << 18, SHARE_OF_CLAIMS = 16 };

void rp_claim(rp_snapshot *snapshot, rp_range range) {
    if (!snapshot->claimed) {
        rp_reserve_at_most(snapshot, &snapshot->claim_memory, MOST_CLAIMS * sizeof(rp_range), SHARE_OF_CLAIMS);
        snapshot->claimed = (rp_range *)snapshot->claim_memory.start;
    }
    if (range.start >= range.end || snapshot->claimed_count == MOST_CLAIMS) return;
    rp_grow(snapshot, &snapshot->claim_memory, (snapshot->claimed_count + 1) * sizeof(rp_range));
    // Claims arrive nearly in order, so the insertion is cheap.
    uint32_t place = snapshot->claimed_count++;
    for (; place > 0 && snapshot->claimed[place - 1].start > range.start; place--) {
        snapshot->claimed[place] = snapshot->claimed[place - 1];
    }
    snapshot->claimed[place] = range;
}

rp_range rp_unclaimed_from(const rp_snapshot *snapshot, uintptr_t start, uintptr_t end, uint32_t *cursor) {
    while (*cursor < snapshot->claimed_count && start < end) {
        rp_range claim = snapshot->claimed[*cursor];
        if (claim.start > start) return (rp_range){start, claim.start < end ? claim.start : end};
        if (claim.end > end) return (rp_range){end, end};
        if (claim.end > start) start = claim.end;
        (*cursor)++;
    }
    return (rp_range){start, end};
}

#endif
