#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The memory in which a task keeps the frames of its functions (swift::StackAllocator): a list of slabs, which are
// blocks of malloc. Only the used part of a slab counts.

enum {
    /// The most tasks awaiting a requesting task that are noted.
    MOST_WAITING = 1024,
    /// The most children of `async let` inside each other.
    MOST_NESTED = 4,
    /// NumWords_AsyncLet (swift/ABI/MetadataValues.h): the memory that a function reserves for a child.
    MEMORY_OF_CHILD = 80 * sizeof(uintptr_t),
    /// The bytes that are read behind a task.
    FRAGMENTS = RP_TASK_CHILD_FRAGMENT + RP_TASK_GROUP_CHILD_FRAGMENT + sizeof(uintptr_t),
};

bool rp_is_slab(const rp_frozen_copy *frozen, const rp_block *block) {
    uintptr_t metadata = frozen->request->facts.task_slab_metadata;
    return metadata && !block->type && block->size >= RP_SLAB_HEADER && rp_read64(block->address) == metadata;
}

static bool is_task(const rp_frozen_copy *frozen, uintptr_t address) {
    uintptr_t metadata = rp_read64(address);
    return rp_is_readable(frozen, metadata, sizeof(uint64_t)) && rp_read64(metadata) == RP_KIND_TASK;
}

// A slab belongs to its task alone, and other words with its address are stale. But `async let` places tasks inside a
// slab.
bool rp_may_lead_to(const rp_frozen_copy *frozen, uintptr_t address, const rp_block *block) {
    if (!rp_is_slab(frozen, block)) return true;
    address &= RP_ADDRESS_BITS;
    uintptr_t end = block->address + block->size;
    if (address < block->address + RP_SLAB_HEADER || address + RP_OBJECT_HEADER > end) return false;
    return is_task(frozen, address);
}

uint32_t rp_used_size(const rp_frozen_copy *frozen, const rp_block *block) {
    if (!rp_is_slab(frozen, block)) return rp_size_without_slack(block);
    // A slab is a stack of the frames of async functions. The memory above the used part contains frames of functions
    // that have returned.
    uint32_t capacity = rp_read32(block->address + RP_SLAB_CAPACITY), used = rp_read32(block->address + RP_SLAB_USED);
    return capacity <= block->size - RP_SLAB_HEADER && used <= capacity ? RP_SLAB_HEADER + used : block->size;
}

// The first slab is the end of the task's own block (swift_task_create_common in stdlib/public/Concurrency/Task.cpp).
// Except for the part in use, its memory is stale.
uint32_t rp_offset_of_first_slab(const rp_frozen_copy *frozen, const rp_block *task) {
    uintptr_t metadata = frozen->request->facts.task_slab_metadata;
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

uintptr_t rp_first_slab_of_child(const rp_frozen_copy *frozen, uintptr_t child) {
    if (!rp_is_readable(frozen, child, MEMORY_OF_CHILD)) return 0;
    rp_block memory = {.address = child, .size = MEMORY_OF_CHILD};
    uint32_t offset = rp_offset_of_first_slab(frozen, &memory);
    return offset < MEMORY_OF_CHILD ? child + offset : 0;
}

uint32_t rp_used_size_of_task(const rp_frozen_copy *frozen, const rp_block *task) {
    uint32_t offset = rp_offset_of_first_slab(frozen, task);
    return offset == task->size ? offset : offset + RP_SLAB_HEADER + rp_read32(task->address + offset + RP_SLAB_USED);
}

bool rp_is_in_frames(const rp_frozen_copy *frozen, uint32_t block, uint32_t offset) {
    const rp_block *found = frozen->heap.blocks + block;
    bool is_of_task = frozen->types.list[found->type].node == RP_NODE_TASK;
    return rp_is_slab(frozen, found) || (is_of_task && offset >= rp_offset_of_first_slab(frozen, found));
}

/// Returns the slab at an address; `RP_NO_BLOCK` if the address is not that of a slab.
static uint32_t slab_at(const rp_frozen_copy *frozen, uintptr_t address) {
    uint32_t block = rp_block_at(frozen, address);
    return block != RP_NO_BLOCK && rp_is_slab(frozen, frozen->heap.blocks + block) ? block : RP_NO_BLOCK;
}

uint32_t rp_slab_after(const rp_frozen_copy *frozen, uintptr_t slab) {
    return slab_at(frozen, rp_read64(slab + RP_SLAB_NEXT));
}

/// Returns the first slab that is a block of its own, of a task of some bytes; `RP_NO_BLOCK` if there is none.
static uint32_t separate_slab(const rp_frozen_copy *frozen, uintptr_t task, uint32_t size) {
    if (size < RP_TASK_FIRST_SLAB + sizeof(uintptr_t)) return RP_NO_BLOCK;
    uintptr_t first = rp_read64(task + RP_TASK_FIRST_SLAB);
    bool is_inside = first > task && first - task < size && size - (first - task) >= RP_SLAB_HEADER;
    return is_inside ? rp_slab_after(frozen, first) : slab_at(frozen, first);
}

bool rp_is_requesting(const rp_frozen_copy *frozen, uint32_t block) {
    return frozen->heap.blocks[block].flags & RP_BLOCK_REQUESTING && frozen->heap.blocks[block].type;
}

static void note_slabs(rp_frozen_copy *frozen, uint32_t slab) {
    while (slab != RP_NO_BLOCK && !(frozen->heap.blocks[slab].flags & RP_BLOCK_REQUESTING)) {
        frozen->heap.blocks[slab].flags |= RP_BLOCK_REQUESTING;
        slab = rp_slab_after(frozen, frozen->heap.blocks[slab].address);
    }
}

/// Notes a task unless it is known. A task of `async let` has no block of its own: it lies in the memory of its parent.
static void note_task(rp_frozen_copy *frozen, uintptr_t address) {
    bool is_readable = rp_is_readable(frozen, address, frozen->request->facts.task_size + FRAGMENTS);
    if (frozen->tasks.count == frozen->tasks.capacity || !is_readable || !is_task(frozen, address)) return;
    uint32_t block = rp_block_at(frozen, address);
    if (block != RP_NO_BLOCK) {
        rp_block *task = frozen->heap.blocks + block;
        if (task->flags & RP_BLOCK_REQUESTING) return;
        task->flags |= RP_BLOCK_REQUESTING;
        note_slabs(frozen, separate_slab(frozen, address, task->size));
    }
    frozen->tasks.addresses[frozen->tasks.count++] = address;
}

/// Notes the parent of a task, and the tasks that await its result.
static void note_awaiting_tasks(rp_frozen_copy *frozen, uintptr_t task) {
    uint64_t size = frozen->request->facts.task_size;
    if (size == 0) return;
    uintptr_t fragment = task + size;
    uint32_t flags = rp_read32(task + RP_JOB_FLAGS);
    if (flags & RP_TASK_IS_CHILD) {
        note_task(frozen, rp_read64(fragment));
        fragment += RP_TASK_CHILD_FRAGMENT;
    }
    if (flags & RP_TASK_IS_GROUP_CHILD) fragment += RP_TASK_GROUP_CHILD_FRAGMENT;
    uintptr_t waiting = flags & RP_TASK_IS_FUTURE ? rp_read64(fragment) : 0;
    if (waiting & RP_FUTURE_STATUS_BITS) return;
    for (uint32_t left = MOST_WAITING; left > 0 && rp_is_readable(frozen, waiting, size); left--) {
        note_task(frozen, waiting);
        waiting = rp_read64(waiting + RP_JOB_NEXT_WAITING);
    }
}

void rp_find_requesting_tasks(rp_frozen_copy *frozen) {
    uint32_t asking = frozen->request->requesting_task_count;
    if (asking == 0) return;
    frozen->tasks.capacity = asking + MOST_WAITING;
    frozen->tasks.addresses = rp_take(frozen, frozen->tasks.capacity * sizeof(uintptr_t));
    for (uint32_t index = 0; index < asking; index++) note_task(frozen, ~frozen->request->requesting_tasks[index]);
    frozen->tasks.first_awaiting = frozen->tasks.count;
    // Other tasks may await each task that this loop finds.
    for (uint32_t index = 0; index < frozen->tasks.count; index++) {
        note_awaiting_tasks(frozen, frozen->tasks.addresses[index]);
    }
}

/// Reports a reference to a slab. A finished task or a free slab may still contain the address of a slab that now
/// belongs to a requesting or awaiting task, so only such tasks and their slabs lead to these slabs.
static void report_slab(const rp_place *at, uint32_t slab, uint32_t offset) {
    const rp_frozen_copy *frozen = at->frozen;
    if (slab == RP_NO_BLOCK) return;
    uint32_t from = rp_block_at(frozen, at->base);
    bool is_by_requesting = from != RP_NO_BLOCK && frozen->heap.blocks[from].flags & RP_BLOCK_REQUESTING;
    if (!is_by_requesting && frozen->heap.blocks[slab].flags & RP_BLOCK_REQUESTING) return;
    rp_report_edge(at, slab, offset, 0, RP_EDGE_CONSERVATIVE, 0);
}

/// The place of a scan, and how many more tasks may lie inside each other.
typedef struct inner_scan {
    const rp_place *at;
    uint32_t depth;
} inner_scan;

/// Reports the slabs of a child of `async let`, which lies in the memory of the task at the place. The child has no
/// block that could refer to them.
static void report_slabs_of_child(uintptr_t child, void *context) {
    const inner_scan *outer = context;
    const rp_frozen_copy *frozen = outer->at->frozen;
    report_slab(outer->at, separate_slab(frozen, child, MEMORY_OF_CHILD), RP_TASK_RECORDS);
    inner_scan inner = {outer->at, outer->depth - 1};
    if (inner.depth > 0) rp_visit_inner_children(frozen, child, report_slabs_of_child, &inner);
}

void rp_scan_slabs_of_task(const rp_place *at) {
    uint64_t size = at->frozen->request->facts.task_size;
    report_slab(at, separate_slab(at->frozen, at->base, at->end), RP_TASK_FIRST_SLAB);
    if (size == 0 || size > at->end || rp_read32(at->base + RP_TASK_STATUS) & RP_TASK_IS_COMPLETE) return;
    inner_scan inner = {at, MOST_NESTED};
    rp_visit_inner_children(at->frozen, at->base, report_slabs_of_child, &inner);
}

void rp_scan_next_slab(const rp_place *at) {
    report_slab(at, slab_at(at->frozen, rp_word_at(at, RP_SLAB_NEXT)), RP_SLAB_NEXT);
}

#endif
