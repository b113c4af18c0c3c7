#ifdef __linux__
#include "frozen_copy.h"

// The stacks and the thread-local variables of threads. A thread's descriptor (glibc's struct pthread) contains its own
// address as its first and third words. It lies at the upper end of the stack, above the thread's variables. The memory
// below the stack pointer contains stale words of calls that have returned.

enum {
    DESCRIPTOR_ALIGNMENT = 64,
    /// tcbhead_t: tcb and self (sysdeps/x86_64/nptl/tls.h).
    DESCRIPTOR_SELF = 16,
    /// The part of struct pthread that must be readable, including thread-specific data; about the size of the whole
    /// struct, which is smaller than a page.
    DESCRIPTOR_SIZE = 0x900,
    MOST_THREAD_PARTS = 1 << 16,
    SHARE_OF_THREAD_PARTS = 16,

    /// libdispatch's struct dispatch_tsd: dc_cache, the list of continuations that are kept for reuse; each contains
    /// the link to the next (do_next of struct dispatch_continuation_s).
    DISPATCH_CACHE = 24,
    DISPATCH_NEXT = 16,
    DISPATCH_CONTINUATION_SIZE = 56,
    LONGEST_CACHE = 4096,
};

/// The number of a thread in its descriptor. The kernel writes 0 when the thread ends (CLONE_CHILD_CLEARTID), and
/// pthread_join writes -1 (nptl/pthread_join_common.c).
enum {
    UNKNOWN_ID = INT32_MIN,
    ENDED = 0,
    JOINED = -1,
};

static void add_part(rp_frozen_copy *frozen, rp_thread_part part) {
    if (part.range.start >= part.range.end || frozen->threads.part_count == MOST_THREAD_PARTS) return;
    rp_grow(
        frozen, &frozen->threads.memory, (frozen->threads.part_count + 1) * sizeof(rp_thread_part));
    frozen->threads.parts[frozen->threads.part_count++] = part;
    rp_claim(frozen, part.range);
}

/// Adds memory that is not searched.
static void skip_part(rp_frozen_copy *frozen, uintptr_t start, uintptr_t end, uint32_t thread) {
    add_part(frozen, (rp_thread_part){.range = {start, end}, .thread = thread});
}

/// Marks the continuations that libdispatch keeps for reuse. They still contain pointers to the last work.
static void skip_dispatch_cache(rp_frozen_copy *frozen, uintptr_t descriptor) {
    int64_t offset = frozen->request->facts.dispatch_offset;
    if (offset == 0) return;
    uintptr_t variables = descriptor + (uintptr_t)offset;
    if (!rp_is_readable(frozen, variables, DISPATCH_CACHE + sizeof(uintptr_t))) return;
    uintptr_t continuation = rp_read64(variables + DISPATCH_CACHE);
    for (uint32_t count = 0; continuation != 0 && count < LONGEST_CACHE; count++) {
        uint32_t block = rp_block_at(frozen, continuation);
        if (block == RP_NO_BLOCK || frozen->heap.blocks[block].size < DISPATCH_CONTINUATION_SIZE) return;
        frozen->heap.blocks[block].flags |= RP_BLOCK_DEAD;
        continuation = rp_read64(continuation + DISPATCH_NEXT);
    }
}

/// Returns the record of the first access that a thread has not ended; 0 if there is none.
static uintptr_t first_access(const rp_frozen_copy *frozen, uintptr_t descriptor) {
    int64_t offset = frozen->request->facts.accesses_offset;
    uintptr_t variable = descriptor + (uintptr_t)offset;
    return offset != 0 && rp_is_readable(frozen, variable, sizeof(uintptr_t)) ? rp_read64(variable) : 0;
}

/// Returns where the used part of a stack begins if the stack pointer is not known, because the thread is running. A
/// search leaves such a stack out, because most of its words are stale. A search for leaks takes all of it, because an
/// object that the thread may be using is not leaked.
static uintptr_t start_of_unknown_stack(rp_frozen_copy *frozen, uintptr_t start, uintptr_t end) {
    if (!frozen->request->leaks) return end;
    return rp_next_touched_page(frozen, (start + RP_PAGE - 1) & ~(uintptr_t)(RP_PAGE - 1), end);
}

/// Adds the used part of a thread's stack. If the thread waits in a known function of the C library, the frame of that
/// function is left out.
static void add_used_stack(rp_frozen_copy *frozen, rp_thread_part stack, bool waits) {
    uintptr_t start = stack.range.start;
    if (waits) {
        const rp_thread *thread = frozen->request->threads + stack.thread;
        stack.range.start = rp_end_of_epoll_frame(frozen, thread, stack.range);
    }
    skip_part(frozen, start, stack.range.start, stack.thread);
    stack.node = RP_NODE_ROOT_STACK;
    add_part(frozen, stack);
}

/// Adds the parts of the thread with a descriptor, and returns the end of the thread's memory. The stack begins at
/// `start` or above.
static uintptr_t add_thread(
    rp_frozen_copy *frozen, const rp_mapping *mapping, uintptr_t start, uintptr_t descriptor) {
    const rp_request *request = frozen->request;
    uintptr_t end = (descriptor + DESCRIPTOR_SIZE + RP_PAGE - 1) & ~(uintptr_t)(RP_PAGE - 1);
    if (end > mapping->end) end = mapping->end;
    uintptr_t variables = start;
    if (descriptor - start > request->facts.thread_local_size) {
        variables = descriptor - request->facts.thread_local_size;
    }
    int32_t id = UNKNOWN_ID;
    if (request->facts.thread_id_offset) id = (int32_t)rp_read32(descriptor + request->facts.thread_id_offset);
    bool is_own = id == request->own_thread_id;
    if (id == ENDED || id == JOINED || (is_own && !rp_needs_tracer(frozen))) {
        // The thread has ended and its stack waits for the next thread, or it is the tracer's own thread.
        skip_part(frozen, start, end, RP_UNKNOWN_THREAD);
        return end;
    }
    skip_dispatch_cache(frozen, descriptor);
    uint32_t thread = rp_thread_with_id(frozen, id);
    rp_range words = {descriptor, descriptor + DESCRIPTOR_SIZE};
    bool is_of_tracer = id != request->process_id && rp_names_code_of_tracer(frozen, words);
    if (id != request->process_id) {
        uintptr_t pointer = thread == RP_UNKNOWN_THREAD ? 0 : request->threads[thread].stack_pointer;
        if (is_own) pointer = frozen->own_stack;
        bool is_known = pointer >= start && pointer < variables;
        uintptr_t used = is_known ? pointer : start_of_unknown_stack(frozen, start, variables);
        skip_part(frozen, start, used, thread);
        rp_thread_part stack = {
            .range = {used, variables}, .thread = thread, .is_of_tracer = is_of_tracer, .is_own = is_own,
        };
        add_used_stack(frozen, stack, is_known && !is_own);
    }
    add_part(
        frozen,
        (rp_thread_part){
            .range = {variables, end}, .node = RP_NODE_ROOT_THREAD_LOCAL, .thread = thread,
            .is_of_tracer = is_of_tracer, .is_own = is_own, .first_access = first_access(frozen, descriptor),
        });
    return end;
}

static void find_descriptors(rp_frozen_copy *frozen, const rp_mapping *mapping) {
    uintptr_t start = mapping->start;
    uintptr_t page = rp_next_touched_page(frozen, start, mapping->end);
    while (page < mapping->end) {
        const rp_heap_part *part = rp_part_at(frozen, page);
        uintptr_t next = part ? part->end : page + RP_PAGE;
        for (uintptr_t at = page; !part && at < next; at += DESCRIPTOR_ALIGNMENT) {
            if (rp_read64(at) != at || rp_read64(at + DESCRIPTOR_SELF) != at) continue;
            if (mapping->end - at < DESCRIPTOR_SIZE) break;
            start = add_thread(frozen, mapping, start, at);
            if (start > next) next = start;
            break;
        }
        page = rp_next_touched_page(frozen, next, mapping->end);
    }
}

/// Adds the first thread's stack.
static void add_other_stacks(rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->process.mapping_count; index++) {
        const rp_mapping *mapping = frozen->process.mappings + index;
        if (mapping->flags & RP_MAPPING_IS_STACK) {
            uint32_t thread = rp_thread_with_id(frozen, frozen->request->process_id);
            uintptr_t pointer = thread == RP_UNKNOWN_THREAD ? 0 : frozen->request->threads[thread].stack_pointer;
            bool is_known = pointer > mapping->start && pointer < mapping->end;
            uintptr_t used = is_known ? pointer : start_of_unknown_stack(frozen, mapping->start, mapping->end);
            add_used_stack(frozen, (rp_thread_part){.range = {used, mapping->end}, .thread = thread}, is_known);
        }
    }
}

void rp_find_threads(rp_frozen_copy *frozen) {
    rp_reserve_at_most(
        frozen, &frozen->threads.memory, MOST_THREAD_PARTS * sizeof(rp_thread_part), SHARE_OF_THREAD_PARTS);
    frozen->threads.parts = (rp_thread_part *)frozen->threads.memory.start;
    for (uint32_t index = 0; index < frozen->process.mapping_count; index++) {
        const rp_mapping *mapping = frozen->process.mappings + index;
        if ((mapping->flags & ~(uint32_t)RP_MAPPING_EXECUTABLE) == (RP_MAPPING_READABLE | RP_MAPPING_WRITABLE)) {
            find_descriptors(frozen, mapping);
        }
    }
    add_other_stacks(frozen);
}

#endif
