#ifdef __linux__
#include "runtime_layout.h"
#include "scan.h"

// The memory in which a task keeps the frames of its functions (swift::StackAllocator): a list of slabs, which are
// blocks of malloc. Only the used part of a slab counts.

enum {
    /// The most tasks awaiting a requesting task that are noted.
    MOST_WAITING = 1024,
    /// The bytes that are read behind a task.
    FRAGMENTS = RP_TASK_CHILD_FRAGMENT + RP_TASK_GROUP_CHILD_FRAGMENT + sizeof(uintptr_t),
};

bool rp_is_slab(const rp_snapshot *snapshot, const rp_block *block) {
    uintptr_t metadata = snapshot->request->facts.task_slab_metadata;
    return metadata && !block->type && block->size >= RP_SLAB_HEADER && rp_read64(block->address) == metadata;
}

static bool is_task(const rp_snapshot *snapshot, uintptr_t address) {
    uintptr_t metadata = rp_read64(address);
    return rp_is_readable(snapshot, metadata, sizeof(uint64_t)) && rp_read64(metadata) == RP_KIND_TASK;
}

// A slab belongs to its task alone, and other words with its address are stale. But `async let` places tasks inside a
// slab.
bool rp_may_lead_to(const rp_snapshot *snapshot, uintptr_t address, const rp_block *block) {
    if (!rp_is_slab(snapshot, block)) return true;
    address &= RP_ADDRESS_BITS;
    uintptr_t end = block->address + block->size;
    if (address < block->address + RP_SLAB_HEADER || address + RP_OBJECT_HEADER > end) return false;
    return is_task(snapshot, address);
}

uint32_t rp_used_size(const rp_snapshot *snapshot, const rp_block *block) {
    if (!rp_is_slab(snapshot, block)) return block->size;
    // A slab is a stack of the frames of async functions. The memory above the used part contains frames of functions
    // that have returned.
    uint32_t capacity = rp_read32(block->address + RP_SLAB_CAPACITY), used = rp_read32(block->address + RP_SLAB_USED);
    return capacity <= block->size - RP_SLAB_HEADER && used <= capacity ? RP_SLAB_HEADER + used : block->size;
}

/// Returns the offset of a task's first slab in the task's block; the block's size if there is no slab.
///
/// The slab is the end of the task's own block (swift_task_create_common in stdlib/public/Concurrency/Task.cpp). Except
/// for the part in use, its memory is stale.
static uint32_t offset_of_first_slab(const rp_snapshot *snapshot, const rp_block *task) {
    uintptr_t metadata = snapshot->request->facts.task_slab_metadata;
    if (!metadata) return task->size;
    for (uint32_t offset = RP_OBJECT_HEADER; offset + RP_SLAB_HEADER <= task->size; offset += sizeof(uintptr_t)) {
        uintptr_t slab = task->address + offset;
        if (rp_read64(slab) != metadata) continue;
        uint32_t room = task->size - offset - RP_SLAB_HEADER;
        uint32_t capacity = rp_read32(slab + RP_SLAB_CAPACITY), used = rp_read32(slab + RP_SLAB_USED);
        if (capacity <= room && used <= capacity) return offset;
    }
    return task->size;
}

uint32_t rp_used_size_of_task(const rp_snapshot *snapshot, const rp_block *task) {
    uint32_t offset = offset_of_first_slab(snapshot, task);
    return offset == task->size ? offset : offset + RP_SLAB_HEADER + rp_read32(task->address + offset + RP_SLAB_USED);
}

bool rp_is_in_frames(const rp_snapshot *snapshot, uint32_t block, uint32_t offset) {
    const rp_block *found = snapshot->blocks + block;
    bool is_of_task = snapshot->types[found->type].node == RP_NODE_TASK;
    return rp_is_slab(snapshot, found) || (is_of_task && offset >= offset_of_first_slab(snapshot, found));
}

/// Returns the slab at an address; `RP_NO_BLOCK` if the address is not that of a slab.
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

/// Notes a task unless it is known. A task of `async let` has no block of its own: it lies in the memory of its parent.
static void note_task(rp_snapshot *snapshot, uintptr_t address) {
    bool is_readable = rp_is_readable(snapshot, address, snapshot->request->facts.task_size + FRAGMENTS);
    if (snapshot->asking_task_count == snapshot->most_asking_tasks || !is_readable || !is_task(snapshot, address)) return;
    uint32_t block = rp_block_at(snapshot, address);
    if (block != RP_NO_BLOCK) {
        rp_block *task = snapshot->blocks + block;
        if (task->flags & RP_BLOCK_ASKING) return;
        task->flags |= RP_BLOCK_ASKING;
        for (uint32_t offset = RP_OBJECT_HEADER; offset + sizeof(uintptr_t) <= task->size; offset += sizeof(uintptr_t)) {
            note_slabs(snapshot, slab_at(snapshot, rp_read64(task->address + offset)));
        }
    }
    snapshot->asking_tasks[snapshot->asking_task_count++] = address;
}

/// Notes the parent of a task, and the tasks that await its result.
static void note_who_waits_for(rp_snapshot *snapshot, uintptr_t task) {
    uint64_t size = snapshot->request->facts.task_size;
    if (size == 0) return;
    uintptr_t fragment = task + size;
    uint32_t flags = rp_read32(task + RP_JOB_FLAGS);
    if (flags & RP_TASK_IS_CHILD) {
        note_task(snapshot, rp_read64(fragment));
        fragment += RP_TASK_CHILD_FRAGMENT;
    }
    if (flags & RP_TASK_IS_GROUP_CHILD) fragment += RP_TASK_GROUP_CHILD_FRAGMENT;
    uintptr_t waiting = flags & RP_TASK_IS_FUTURE ? rp_read64(fragment) : 0;
    if (waiting & RP_FUTURE_STATUS_BITS) return;
    for (uint32_t left = MOST_WAITING; left > 0 && rp_is_readable(snapshot, waiting, size); left--) {
        note_task(snapshot, waiting);
        waiting = rp_read64(waiting + RP_JOB_NEXT_WAITING);
    }
}

void rp_find_asking_tasks(rp_snapshot *snapshot) {
    uint32_t asking = snapshot->request->asking_task_count;
    if (asking == 0) return;
    snapshot->most_asking_tasks = asking + MOST_WAITING;
    snapshot->asking_tasks = rp_take(snapshot, snapshot->most_asking_tasks * sizeof(uintptr_t));
    for (uint32_t index = 0; index < asking; index++) note_task(snapshot, ~snapshot->request->asking_tasks[index]);
    snapshot->first_waiting_task = snapshot->asking_task_count;
    // Other tasks may await each task that this loop finds.
    for (uint32_t index = 0; index < snapshot->asking_task_count; index++) {
        note_who_waits_for(snapshot, snapshot->asking_tasks[index]);
    }
}

/// Reports a reference to a slab. A finished task or a free slab may still contain the address of a slab that now
/// belongs to a requesting or awaiting task, so only such tasks and their slabs lead to these slabs.
static void tell_slab(const rp_place *at, uint32_t slab, uint32_t offset) {
    const rp_snapshot *snapshot = at->snapshot;
    if (slab == RP_NO_BLOCK) return;
    uint32_t from = rp_block_at(snapshot, at->base);
    bool is_by_asking = from != RP_NO_BLOCK && snapshot->blocks[from].flags & RP_BLOCK_ASKING;
    if (!is_by_asking && snapshot->blocks[slab].flags & RP_BLOCK_ASKING) return;
    rp_tell(at, slab, offset, 0, RP_EDGE_CONSERVATIVE, 0);
}

void rp_scan_slabs_of_task(const rp_place *at) {
    // The allocator's words are in the runtime's own part of the task. The frames may contain stale words of earlier
    // ones.
    uint64_t size = at->snapshot->request->facts.task_size;
    uint32_t end = size != 0 && size < at->end ? (uint32_t)size : at->end;
    for (uint32_t offset = RP_OBJECT_HEADER; offset + sizeof(uintptr_t) <= end; offset += sizeof(uintptr_t)) {
        tell_slab(at, slab_at(at->snapshot, rp_word_at(at, offset)), offset);
    }
}

void rp_scan_next_slab(const rp_place *at) {
    tell_slab(at, slab_at(at->snapshot, rp_word_at(at, RP_SLAB_NEXT)), RP_SLAB_NEXT);
}

#endif
