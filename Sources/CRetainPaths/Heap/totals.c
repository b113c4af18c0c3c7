#ifdef __linux__
#include "frozen_copy.h"

// The references that were found, compared with the reference counts of the runtime.

bool rp_has_unexplained(const rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *object = frozen->heap.blocks + block;
    const rp_totals *totals = &frozen->totals;
    bool is_explained = object->flags & (RP_BLOCK_DEAD | RP_BLOCK_SATURATED);
    if (!totals->are_complete || !object->type || is_explained) return false;
    uint32_t found = (totals->include_unmanaged ? totals->vouched : totals->found)[block];
    return found < UINT8_MAX && found < rp_counts_of(frozen, object->address).strong;
}

#endif
