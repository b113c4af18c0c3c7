#ifdef __linux__
#include "runtime_layout.h"
#include "scan.h"

// The memory in which a task keeps the frames of its functions (swift::StackAllocator): blocks of malloc's, in a list, of which
// only the part in use counts.

bool rp_is_slab(const rp_snapshot *snapshot, const rp_block *block) {
    uintptr_t metadata = snapshot->request->facts.task_slab_metadata;
    return metadata && !block->type && block->size >= RP_SLAB_HEADER && rp_read64(block->address) == metadata;
}

// A slab belongs to its task alone, and what else points to it is left from what was there before; but `async let` puts tasks of its
// own into it.
bool rp_may_lead_to(const rp_snapshot *snapshot, uintptr_t address, const rp_block *block) {
    if (!rp_is_slab(snapshot, block)) return true;
    address &= RP_ADDRESS_BITS;
    uintptr_t end = block->address + block->size;
    if (address < block->address + RP_SLAB_HEADER || address + RP_OBJECT_HEADER > end) return false;
    uintptr_t metadata = rp_read64(address);
    return rp_is_readable(snapshot, metadata, sizeof(uint64_t)) && rp_read64(metadata) == RP_KIND_TASK;
}

uint32_t rp_used_size(const rp_snapshot *snapshot, const rp_block *block) {
    if (!rp_is_slab(snapshot, block)) return block->size;
    // Frames of async functions are in it, one on the other; above are those of functions that have returned.
    uint32_t capacity = rp_read32(block->address + RP_SLAB_CAPACITY), used = rp_read32(block->address + RP_SLAB_USED);
    return capacity <= block->size - RP_SLAB_HEADER && used <= capacity ? RP_SLAB_HEADER + used : block->size;
}

void rp_scan_slabs_of_task(const rp_place *at) {
    for (uint32_t offset = RP_OBJECT_HEADER; rp_fits(at, offset, sizeof(uintptr_t)); offset += sizeof(uintptr_t)) {
        uint32_t to = rp_block_at(at->snapshot, rp_word_at(at, offset));
        bool leads_on = to != RP_NO_BLOCK && rp_is_slab(at->snapshot, at->snapshot->blocks + to);
        if (leads_on) rp_tell(at, to, offset, 0, RP_EDGE_CONSERVATIVE, 0);
    }
}

void rp_scan_next_slab(const rp_place *at) {
    uint32_t next = rp_block_at(at->snapshot, rp_word_at(at, RP_SLAB_NEXT));
    bool leads_on = next != RP_NO_BLOCK && rp_is_slab(at->snapshot, at->snapshot->blocks + next);
    if (leads_on) rp_tell(at, next, RP_SLAB_NEXT, 0, RP_EDGE_CONSERVATIVE, 0);
}

#endif
