#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Leaks/leaks.h"

// The objects to which the frames of a task refer, and those that its closure captures.

/// The most slabs of a task, and the most tasks of `async let` inside each other, in case a list is inconsistent.
enum { MOST_SLABS = 1024, MOST_NESTED = 64 };

typedef struct noting {
    rp_listed_task *task;
    /// The block that is scanned, and the offset at which frames begin in it.
    uint32_t block, frames;
    /// Whether the task lies in the memory of its parent, as those of `async let` do.
    bool is_inner;
    /// Whether there are such children of the task.
    bool has_inner;
    /// The word with what the task awaits, which is the runtime's; or a word of no task.
    uintptr_t awaited;
} noting;

typedef struct noting_captures {
    rp_listed_task *task;
    /// The closure whose context is scanned; 1 for the first.
    uint8_t closure;
} noting_captures;

static void note_type(rp_frozen_copy *frozen, const rp_edge *edge, uint8_t captor, rp_listed_task *task) {
    const rp_type *type = frozen->types.list + frozen->heap.blocks[edge->to].type;
    if (!frozen->heap.blocks[edge->to].type || type->node != RP_NODE_OBJECT || !rp_counts_edge(frozen, edge)) return;
    for (uint32_t index = 0; index < task->type_count; index++) {
        if (task->types[index] == type->metadata && task->captors[index] == captor) return;
    }
    if (task->type_count == RP_MAX_TASK_TYPES) return;
    task->captors[task->type_count] = captor;
    task->types[task->type_count++] = type->metadata;
}

static bool is_context(const rp_frozen_copy *frozen, uint32_t block) {
    uint32_t type = frozen->heap.blocks[block].type;
    return type && frozen->types.list[type].node == RP_NODE_CLOSURE;
}

/// Notes what a closure captures. The thunk of a task captures the closure of the program, perhaps behind other thunks.
static void note_capture(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    const noting_captures *at = context;
    rp_listed_task *task = at->task;
    if (!edge->code || !is_context(frozen, edge->to)) {
        note_type(frozen, edge, at->closure, task);
    } else if (task->closure_count == at->closure && at->closure < RP_MAX_TASK_CLOSURES) {
        task->closures[task->closure_count++] = edge->code;
        noting_captures inner = {.task = task, .closure = at->closure + 1};
        rp_scan_block(frozen, edge->to, note_capture, &inner);
    }
}

/// Notes a reference in the task's memory, unless it is in the memory of another task or in front of the frames.
static void note_in_memory(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    const noting *at = context;
    rp_listed_task *task = at->task;
    if (edge->offset < at->frames) {
        // The only closure in front of the frames is the one with which the task in this block began.
        noting_captures closure = {.task = task, .closure = 1};
        bool is_closure = edge->kind == RP_EDGE_FUNCTION && !at->is_inner && task->closure_count == 1;
        if (is_closure) rp_scan_block(frozen, edge->to, note_capture, &closure);
        return;
    }
    uintptr_t word = frozen->heap.blocks[at->block].address + edge->offset;
    if (word == at->awaited) return;
    if (at->is_inner && !rp_is_in_child(frozen, task->address, word)) return;
    if (at->has_inner && rp_is_in_children(frozen, task->address, word)) return;
    note_type(frozen, edge, 0, task);
}

/// Returns the block of a task, or of the task in whose memory it lies.
static uint32_t block_around(rp_frozen_copy *frozen, uintptr_t task) {
    for (uint32_t left = MOST_NESTED; left > 0 && rp_is_task_at(frozen, task); left--) {
        uint32_t block = rp_block_at(frozen, task);
        if (block != RP_NO_BLOCK) return block;
        task = rp_read64(task + frozen->request->facts.task_size);
    }
    return RP_NO_BLOCK;
}

static void note_in_slabs(rp_frozen_copy *frozen, uintptr_t task, noting *at) {
    at->block = rp_first_slab(frozen, task);
    for (uint32_t left = MOST_SLABS; left > 0 && at->block != RP_NO_BLOCK; left--) {
        rp_scan_block(frozen, at->block, note_in_memory, at);
        at->block = rp_slab_after(frozen, frozen->heap.blocks[at->block].address);
    }
}

static void note_child(uintptr_t, void *context) {
    noting *at = context;
    at->has_inner = true;
}

void rp_note_types_of_task(rp_frozen_copy *frozen, rp_listed_task *task) {
    noting at = {.task = task, .block = block_around(frozen, task->address)};
    if (at.block == RP_NO_BLOCK) return;
    uintptr_t outermost = frozen->heap.blocks[at.block].address;
    at.awaited = rp_dependency_of(frozen, task->address) + RP_DEPENDENCY_ON;
    at.is_inner = outermost != task->address;
    rp_visit_inner_children(frozen, task->address, note_child, &at);
    at.frames = rp_offset_of_frames(frozen, at.block);
    rp_scan_block(frozen, at.block, note_in_memory, &at);
    at.frames = 0;
    note_in_slabs(frozen, outermost, &at);
    if (at.is_inner) note_in_slabs(frozen, task->address, &at);
}

#endif
