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

// A task's first slab is the end of the task's own block (swift_task_create_common in stdlib/public/Concurrency/Task.cpp): malloc's
// memory as it was before, but for what is in use.
uint32_t rp_used_size_of_task(const rp_snapshot *snapshot, const rp_block *task) {
    uintptr_t metadata = snapshot->request->facts.task_slab_metadata;
    if (!metadata) return task->size;
    for (uint32_t offset = RP_OBJECT_HEADER; offset + RP_SLAB_HEADER <= task->size; offset += sizeof(uintptr_t)) {
        uintptr_t slab = task->address + offset;
        if (rp_read64(slab) != metadata) continue;
        uint32_t room = task->size - offset - RP_SLAB_HEADER;
        uint32_t capacity = rp_read32(slab + RP_SLAB_CAPACITY), used = rp_read32(slab + RP_SLAB_USED);
        if (capacity <= room && used <= capacity) return offset + RP_SLAB_HEADER + used;
    }
    return task->size;
}

/// The slab at an address; none where something else is there.
static uint32_t slab_at(const rp_snapshot *snapshot, uintptr_t address) {
    uint32_t block = rp_block_at(snapshot, address);
    return block != RP_NO_BLOCK && rp_is_slab(snapshot, snapshot->blocks + block) ? block : RP_NO_BLOCK;
}

bool rp_is_asking(const rp_snapshot *snapshot, uint32_t block) {
    return snapshot->blocks[block].flags & RP_BLOCK_ASKING && snapshot->blocks[block].type;
}

static void note_slabs(rp_snapshot *snapshot, uint32_t slab) {
    while (slab != RP_NO_BLOCK && !(snapshot->blocks[slab].flags & RP_BLOCK_ASKING)) {
        snapshot->blocks[slab].flags |= RP_BLOCK_ASKING;
        slab = slab_at(snapshot, rp_read64(snapshot->blocks[slab].address + RP_SLAB_NEXT));
    }
}

void rp_find_asking_tasks(rp_snapshot *snapshot) {
    uint32_t asking = snapshot->request->asking_task_count;
    if (asking == 0) return;
    snapshot->asking_tasks = rp_take(snapshot, asking * sizeof(uint32_t));
    for (uint32_t index = 0; index < asking; index++) {
        uint32_t block = rp_block_at(snapshot, ~snapshot->request->asking_tasks[index]);
        if (block == RP_NO_BLOCK || snapshot->blocks[block].flags & RP_BLOCK_ASKING) continue;
        snapshot->blocks[block].flags |= RP_BLOCK_ASKING;
        snapshot->asking_tasks[snapshot->asking_task_count++] = block;
        const rp_block *task = snapshot->blocks + block;
        for (uint32_t offset = RP_OBJECT_HEADER; offset + sizeof(uintptr_t) <= task->size; offset += sizeof(uintptr_t)) {
            note_slabs(snapshot, slab_at(snapshot, rp_read64(task->address + offset)));
        }
    }
}

/// A task that is done, or a slab that is free, may still name memory that an asking task has by now.
static void tell_slab(const rp_place *at, uint32_t slab, uint32_t offset) {
    const rp_snapshot *snapshot = at->snapshot;
    if (slab == RP_NO_BLOCK) return;
    uint32_t from = rp_block_at(snapshot, at->base);
    bool is_by_asking = from != RP_NO_BLOCK && snapshot->blocks[from].flags & RP_BLOCK_ASKING;
    if (!is_by_asking && snapshot->blocks[slab].flags & RP_BLOCK_ASKING) return;
    rp_tell(at, slab, offset, 0, RP_EDGE_CONSERVATIVE, 0);
}

void rp_scan_slabs_of_task(const rp_place *at) {
    for (uint32_t offset = RP_OBJECT_HEADER; rp_fits(at, offset, sizeof(uintptr_t)); offset += sizeof(uintptr_t)) {
        tell_slab(at, slab_at(at->snapshot, rp_word_at(at, offset)), offset);
    }
}

void rp_scan_next_slab(const rp_place *at) {
    tell_slab(at, slab_at(at->snapshot, rp_word_at(at, RP_SLAB_NEXT)), RP_SLAB_NEXT);
}

#endif
