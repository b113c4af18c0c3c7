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
};

/// For each block that is the context of a closure in one of C's blocks: the index of that block + 1.
static uint32_t *list_owners(rp_frozen_copy *frozen) {
    uint32_t *owners = rp_take(frozen, frozen->heap.block_count * sizeof(uint32_t));
    for (uint32_t block = 0; block < frozen->heap.block_count; block++) {
        rp_c_closure closure;
        if (rp_closure_of_c_block(frozen, frozen->heap.blocks + block, &closure)) owners[closure.context] = block + 1;
    }
    return owners;
}

/// Whether a return address in a function is on the stack near an address.
static bool is_called_near(const rp_range *stack, uintptr_t address, uintptr_t function) {
    uintptr_t first = address - stack->start > REACH ? address - REACH : stack->start;
    uintptr_t last = stack->end - address > REACH ? address + REACH : stack->end;
    for (uintptr_t at = first; at + sizeof(uintptr_t) <= last; at += sizeof(uintptr_t)) {
        uintptr_t word = rp_read64(at);
        if (word > function && word - function < LONGEST_THUNK) return true;
    }
    return false;
}

static void visit_stack(rp_visit *at, const rp_thread_part *part, const uint32_t *owners) {
    const rp_frozen_copy *frozen = at->frozen;
    at->root = (rp_root){.node = RP_NODE_ROOT_STACK, .thread = part->thread};
    rp_range stack = {(part->range.start + 7) & ~(uintptr_t)7, part->range.end & ~(uintptr_t)7};
    for (uintptr_t address = stack.start; address < stack.end; address += sizeof(uintptr_t)) {
        uint32_t block = rp_block_at(frozen, rp_read64(address));
        if (block == RP_NO_BLOCK) continue;
        rp_c_closure closure;
        uint32_t owner = owners[block] ? owners[block] - 1 : block;
        if (!rp_closure_of_c_block(frozen, frozen->heap.blocks + owner, &closure)) continue;
        if (is_called_near(&stack, address, closure.function)) rp_visit_word(at, address, rp_read64(address), 0);
    }
}

void rp_visit_running_blocks(rp_visit *at) {
    const uint32_t *owners = list_owners(at->frozen);
    for (uint32_t index = 0; index < at->frozen->threads.part_count; index++) {
        const rp_thread_part *part = at->frozen->threads.parts + index;
        if (part->node == RP_NODE_ROOT_STACK) visit_stack(at, part, owners);
    }
}

#endif
