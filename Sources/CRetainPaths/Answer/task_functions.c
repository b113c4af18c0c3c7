#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "frozen_copy.h"

// The async functions in whose frames a task holds an object. The frame of a function is its context, which its caller
// has allocated in the task's memory, and whatever the function itself allocates behind it. That memory is a stack in
// several slabs. A word therefore lies in the frame whose context is the last one at or before the word.

enum {
    /// The most frames of a task that are read.
    MOST_FRAMES = 256,
    /// The most slabs of a task, and the most tasks of `async let` inside each other.
    MOST_SLABS = 1024,
    MOST_NESTED = 4,
    /// The runtime's words behind a child: its parent, and the tasks that await it.
    FRAGMENTS_OF_CHILD = RP_TASK_CHILD_FRAGMENT + RP_FUTURE_SIZE,
    NO_SLAB = UINT32_MAX,
};

/// The frames of a task, the innermost first: each context, and the function to which it belongs.
typedef struct frames {
    uintptr_t contexts[MOST_FRAMES], functions[MOST_FRAMES];
    uint32_t count;
} frames;

/// The memory of a task: its block, or its part of the memory of its parent.
typedef struct owner {
    uintptr_t start, end;
    /// The first slab in that memory, or 0.
    uintptr_t slab;
} owner;

typedef struct child_search {
    rp_frozen_copy *frozen;
    uintptr_t word;
    owner found;
} child_search;

/// Returns the memory of a task; `slab` is the first slab if it lies there, else 0, and `size` is the size without it.
static owner memory_of(uintptr_t task, uintptr_t slab, uint64_t size) {
    uintptr_t end = slab ? slab + RP_SLAB_HEADER + rp_read32(slab + RP_SLAB_CAPACITY) : task + size;
    return (owner){.start = task, .end = end, .slab = slab};
}

/// Returns the first slab of a task that is a block.
static uint32_t first_block(const rp_frozen_copy *frozen, const owner *task) {
    if (task->slab) return rp_slab_after(frozen, task->slab);
    uint64_t size = frozen->request->facts.task_size;
    for (uint32_t offset = RP_OBJECT_HEADER; offset + sizeof(uintptr_t) <= size; offset += sizeof(uintptr_t)) {
        uint32_t block = rp_block_at(frozen, rp_read64(task->start + offset));
        if (block != RP_NO_BLOCK && rp_is_slab(frozen, frozen->heap.blocks + block)) return block;
    }
    return RP_NO_BLOCK;
}

/// Returns the number of the slab that contains an address, in the order of their use. The task itself counts as a part
/// of its first slab.
static uint32_t slab_around(const rp_frozen_copy *frozen, const owner *task, uintptr_t address) {
    if (address >= task->start && address < task->end) return 0;
    uint32_t block = first_block(frozen, task);
    for (uint32_t number = 1; number < MOST_SLABS && block != RP_NO_BLOCK; number++) {
        const rp_block *slab = frozen->heap.blocks + block;
        if (address >= slab->address && address - slab->address < slab->size) return number;
        block = rp_slab_after(frozen, slab->address);
    }
    return NO_SLAB;
}

/// Returns the memory of a child that `async let` has placed in its parent's memory.
static owner memory_of_child(const rp_frozen_copy *frozen, uintptr_t child) {
    // Without a slab, the end of the child's memory is not known.
    uintptr_t slab = rp_first_slab_of_child(frozen, child);
    return memory_of(child, slab, frozen->request->facts.task_size + FRAGMENTS_OF_CHILD);
}

static owner memory_of_block(const rp_frozen_copy *frozen, const rp_block *task) {
    uint32_t offset = rp_offset_of_first_slab(frozen, task);
    return memory_of(task->address, offset < task->size ? task->address + offset : 0, task->size);
}

uint32_t rp_first_slab(const rp_frozen_copy *frozen, uintptr_t task) {
    uint32_t block = rp_block_at(frozen, task);
    owner memory = block == RP_NO_BLOCK
        ? memory_of_child(frozen, task) : memory_of_block(frozen, frozen->heap.blocks + block);
    return first_block(frozen, &memory);
}

static void look_in_child(uintptr_t child, void *context) {
    child_search *at = context;
    if (at->found.start) return;
    owner memory = memory_of_child(at->frozen, child);
    if (slab_around(at->frozen, &memory, at->word) != NO_SLAB) at->found = memory;
}

bool rp_is_in_child(rp_frozen_copy *frozen, uintptr_t child, uintptr_t word) {
    child_search at = {.frozen = frozen, .word = word};
    look_in_child(child, &at);
    return at.found.start;
}

bool rp_is_in_children(rp_frozen_copy *frozen, uintptr_t task, uintptr_t word) {
    child_search at = {.frozen = frozen, .word = word};
    rp_visit_inner_children(frozen, task, look_in_child, &at);
    return at.found.start;
}

static void read_frames(const rp_frozen_copy *frozen, uintptr_t task, frames *read) {
    read->count = 0;
    // The functions of a running task may have returned since its frames were noted.
    if (rp_read32(task + RP_TASK_STATUS) & RP_TASK_IS_RUNNING) return;
    uintptr_t function = rp_read64(task + RP_JOB_FUNCTION), context = rp_read64(task + RP_TASK_FRAME);
    while (read->count < MOST_FRAMES && context % sizeof(uintptr_t) == 0 && rp_is_code(frozen, function)
           && rp_is_readable(frozen, context, RP_FRAME_SIZE)) {
        read->contexts[read->count] = context;
        read->functions[read->count++] = function;
        function = rp_read64(context + RP_FRAME_FUNCTION);
        context = rp_read64(context);
    }
}

static void add(const rp_frozen_copy *frozen, rp_step *step, uintptr_t function) {
    uint32_t count = step->function_count;
    if (count == RP_MAX_STEP_FUNCTIONS || !function || rp_is_of_concurrency_library(frozen, function)) return;
    if (count > 0 && step->functions[count - 1] == function) return;
    step->functions[step->function_count++] = function;
}

/// Adds the function of the frame around a word, then its callers. Behind them are the functions that it calls, in case
/// none of the callers is the program's.
static void add_functions(
    const rp_frozen_copy *frozen, const owner *task, uintptr_t word, bool with_called, rp_step *step) {
    frames read;
    read_frames(frozen, task->start, &read);
    uint32_t slab = slab_around(frozen, task, word), found = 0;
    for (; found < read.count; found++) {
        uint32_t other = slab_around(frozen, task, read.contexts[found]);
        if (other == NO_SLAB || slab == NO_SLAB) continue;
        if (other < slab || (other == slab && read.contexts[found] <= word)) break;
    }
    for (uint32_t index = found; index < read.count; index++) add(frozen, step, read.functions[index]);
    if (!with_called) return;
    for (uint32_t index = found; index > 0; index--) add(frozen, step, read.functions[index - 1]);
}

uint32_t rp_task_of_slab(rp_frozen_copy *frozen, uint32_t slab) {
    const rp_block *blocks = frozen->heap.blocks;
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        bool is_task = blocks[block].type && frozen->types.list[blocks[block].type].node == RP_NODE_TASK;
        if (!is_task || blocks[block].flags & RP_BLOCK_DEAD || rp_has_ended(frozen, block)) continue;
        owner memory = memory_of_block(frozen, blocks + block);
        if (slab_around(frozen, &memory, blocks[slab].address) != NO_SLAB) return block;
    }
    return RP_NO_BLOCK;
}

// Of a task that has ended, only the function that it ran is known.
void rp_describe_waiting_function(rp_frozen_copy *frozen, uint32_t block, rp_step *step) {
    step->function_count = 0;
    step->is_task_local = false;
    uint64_t size = frozen->request->facts.task_size;
    if (size == 0 || frozen->heap.blocks[block].size < size) return;
    frames read = {.count = 0};
    if (!rp_has_ended(frozen, block)) read_frames(frozen, frozen->heap.blocks[block].address, &read);
    for (uint32_t index = 0; index < read.count; index++) add(frozen, step, read.functions[index]);
    add(frozen, step, rp_function_of_task(frozen, block));
}

/// Adds the function that a task runs, then those that it has called. A closure without captures is only in a frame.
static void add_outermost(rp_frozen_copy *frozen, uint32_t block, rp_step *step) {
    frames read;
    read_frames(frozen, frozen->heap.blocks[block].address, &read);
    add(frozen, step, rp_function_of_task(frozen, block));
    for (uint32_t index = read.count; index > 0; index--) add(frozen, step, read.functions[index - 1]);
}

void rp_describe_functions(rp_frozen_copy *frozen, uint32_t block, uintptr_t word, rp_step *step) {
    const rp_block *task = frozen->heap.blocks + block;
    uint64_t size = frozen->request->facts.task_size;
    step->function_count = 0;
    step->is_task_local = false;
    if (size == 0 || task->size < size || rp_has_ended(frozen, block)) return;
    if (rp_describe_task_local(frozen, word, step)) {
        add_outermost(frozen, block, step);
        return;
    }
    owner owners[MOST_NESTED] = {memory_of_block(frozen, task)};
    uint32_t count = 1;
    for (; count < MOST_NESTED; count++) {
        child_search inner = {.frozen = frozen, .word = word};
        rp_visit_inner_children(frozen, owners[count - 1].start, look_in_child, &inner);
        if (!inner.found.start) break;
        owners[count] = inner.found;
    }
    // The runtime's own words in a child are no variables.
    if (count > 1 && word >= owners[count - 1].start
        && word - owners[count - 1].start < size + FRAGMENTS_OF_CHILD) return;
    for (uint32_t index = count; index-- > 0;) {
        bool is_innermost = index + 1 == count;
        add_functions(frozen, owners + index, is_innermost ? word : owners[index + 1].start, is_innermost, step);
    }
    add(frozen, step, rp_function_of_task(frozen, block));
}

#endif
