#ifdef __linux__
#include "Roots/visit.h"

// C's blocks that a thread is calling, as libdispatch calls its work. Nothing but the stack may hold such a block: the
// function that calls the block releases it afterwards. Swift's function of such a block calls the closure and then
// releases it, so its return address stays on the stack, near the address of the block or of the closure's context.
// Both words together are better evidence than a single word of unknown memory.

enum {
    /// The longest distance between the start of the block's function and a return address in it. The function is a
    /// thunk of Swift: 37 bytes in an optimised build and 57 in a debug build, without parameters.
    LONGEST_THUNK = 256,
    /// The longest distance between the two words on the stack, in bytes: a few small frames.
    REACH = 512,
    MOST_FOUND = 512,
    WORD = 8,
    /// A variable of the program is a better answer than a thread, unless the path from the variable is long and
    /// uncertain, so that it may not exist. This is the weight of four to twelve uncertain references.
    DISTANCE = 48,
};

/// A block that a thread may be calling.
typedef struct callee {
    /// The function of the block.
    uintptr_t function;
    /// The object to report as held: the context of the closure, or the block itself.
    uintptr_t held;
} callee;

/// The words on stacks that refer to running blocks. More than these are left to the search of whole stacks.
typedef struct findings {
    struct {
        uintptr_t address, held;
        uint32_t thread;
    } list[MOST_FOUND];
    uint32_t count;
} findings;

/// Stores, at the index of each context of a closure, the index of the C block that owns the closure. The other entries
/// mean nothing.
static uint32_t *list_owners(const rp_frozen_copy *frozen) {
    // The queue of the search is empty, so its links can serve as the list.
    uint32_t *owners = frozen->search.previous;
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        rp_c_closure closure;
        if (rp_closure_of_c_block(frozen, frozen->heap.blocks + block, &closure)) owners[closure.context] = block;
    }
    return owners;
}

/// Finds the C block that a block is, or whose closure's context it is.
static bool find_callee(const rp_frozen_copy *frozen, uint32_t block, const uint32_t *owners, callee *callee) {
    const rp_block *found = frozen->heap.blocks + block;
    bool may_be_context = found->type && owners[block] < frozen->heap.block_count;
    const rp_block *owner = may_be_context ? frozen->heap.blocks + owners[block] : found;
    rp_c_closure closure;
    if (!rp_closure_of_c_block(frozen, owner, &closure)) return false;
    // The context of a closure that captures a single object is that object, which does not tell the closure. The C
    // block does.
    bool is_captured = found->type && frozen->types.list[found->type].node != RP_NODE_CLOSURE;
    callee->function = closure.function;
    callee->held = is_captured ? owner->address : found->address;
    return !found->type || closure.context == block;
}

/// Whether a return address in a function is on the stack near an address.
static bool is_called_near(const rp_range *stack, uintptr_t address, uintptr_t function) {
    uintptr_t first = address - stack->start > REACH ? address - REACH : stack->start;
    uintptr_t last = stack->end - address > REACH ? address + REACH : stack->end;
    for (uintptr_t at = first; at + WORD <= last; at += WORD) {
        uintptr_t word = rp_read64(at);
        if (word > function && word - function < LONGEST_THUNK) return true;
    }
    return false;
}

static void search_stack(
    const rp_frozen_copy *frozen, const rp_thread_part *part, const uint32_t *owners, findings *found) {
    rp_range stack = {(part->range.start + 7) & ~(uintptr_t)7, part->range.end & ~(uintptr_t)7};
    for (uintptr_t address = stack.start; address < stack.end && found->count < MOST_FOUND; address += WORD) {
        uint32_t block = rp_block_at(frozen, rp_read64(address));
        callee callee;
        if (block == RP_NO_BLOCK || !find_callee(frozen, block, owners, &callee)) continue;
        if (!is_called_near(&stack, address, callee.function)) continue;
        found->list[found->count].address = address;
        found->list[found->count].held = callee.held;
        found->list[found->count++].thread = part->thread;
    }
}

void rp_visit_running_blocks(rp_visit *at) {
    const rp_threads *threads = &at->frozen->threads;
    findings found = {.count = 0};
    const uint32_t *owners = list_owners(at->frozen);
    for (uint32_t index = 0; index < threads->part_count; index++) {
        if (threads->parts[index].node != RP_NODE_ROOT_STACK) continue;
        search_stack(at->frozen, threads->parts + index, owners, &found);
    }
    // The visitor may use the queue of the search.
    for (uint32_t index = 0; index < found.count; index++) {
        at->root = (rp_root){
            .node = RP_NODE_ROOT_STACK, .thread = found.list[index].thread, .distance = DISTANCE};
        rp_visit_word(at, found.list[index].address, found.list[index].held, 0);
    }
}

#endif
