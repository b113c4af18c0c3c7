#ifdef __linux__
#include "Roots/visit.h"

// References from outside the heap: pending work of C libraries, thread-local variables, stacks, registers, tasks, and
// other mapped memory. The variables of images are in image_data.c.

void rp_prepare_roots(rp_frozen_copy *frozen) {
    const rp_request *request = frozen->request;
    for (uint32_t index = 0; index < request->image_data_count; index++) {
        rp_range data = request->image_data[index].range;
        // The last page belongs to the image as a whole: zero-initialized variables begin within the last page of the
        // file's data.
        data.end = (data.end + RP_PAGE - 1) & ~(uintptr_t)(RP_PAGE - 1);
        rp_claim(frozen, data);
    }
    for (uint32_t index = 0; index < request->own_memory_count; index++) {
        rp_claim(frozen, request->own_memory[index]);
    }
    for (uint32_t index = 0; index < frozen->heap.part_count; index++) {
        rp_claim(frozen, (rp_range){frozen->heap.parts[index].start, frozen->heap.parts[index].end});
    }
}

static void visit_reference(rp_visit *at, uintptr_t address, uint32_t to, uintptr_t before) {
    rp_edge edge = {.to = to, .index = -1, .kind = RP_EDGE_CONSERVATIVE};
    // A function's code precedes its context.
    if (rp_may_be_function(at->frozen, before)) edge.code = before;
    at->root.address = address;
    at->visitor(at->frozen, &at->root, &edge, at->context);
}

void rp_visit_word(rp_visit *at, uintptr_t address, uintptr_t word, uintptr_t before) {
    uint32_t to = rp_referenced_block(at->frozen, word);
    if (to != RP_NO_BLOCK) visit_reference(at, address, to, before);
}

static void visit_words(rp_visit *at, uintptr_t start, uintptr_t end) {
    uintptr_t before = 0;
    for (uintptr_t address = (start + 7) & ~(uintptr_t)7; address + sizeof(uintptr_t) <= end;
         address += sizeof(uintptr_t)) {
        uintptr_t word = rp_read64(address);
        if (word >= at->frozen->heap.start) rp_visit_word(at, address, word, before);
        before = word;
    }
}

static bool is_mapped(const rp_frozen_copy *frozen, rp_range range) {
    const uint32_t needed = RP_MAPPING_READABLE | RP_MAPPING_WRITABLE;
    const rp_mapping *mapping = rp_mapping_at(frozen, range.start);
    return mapping && range.end <= mapping->end && (mapping->flags & needed) == needed;
}

/// Visits the variables of C libraries that list pending work. Other variables of these libraries are visited with
/// those of the system.
static void visit_pending(rp_visit *at) {
    // These roots are farther away than the program's variables, so an object that both hold is reported with the
    // program's variable, even if that path is longer. Work that waits for a timer is reported with the timer, even
    // while it is being handed over.
    enum { FAR = 8, FARTHER = 12 };
    const rp_request *request = at->frozen->request;
    for (uint32_t index = 0; index < request->pending_count; index++) {
        rp_range range = request->pending[index].range;
        uint8_t distance = request->pending[index].is_in_transit ? FARTHER : FAR;
        at->root = (rp_root){.node = RP_NODE_ROOT_DATA, .is_of_system = true, .distance = distance};
        if (is_mapped(at->frozen, range)) visit_words(at, range.start, range.end);
    }
}

/// Visits a stack. Below the first frame of Swift's functions are those of C functions, in whose memory stale words are
/// more frequent, and registers that these functions have saved.
static void visit_stack(rp_visit *at, rp_range stack) {
    uintptr_t first = rp_first_frame(at->frozen, stack);
    at->root.distance = 1;
    visit_words(at, stack.start, first ? first : stack.end);
    at->root.distance = 0;
    if (first) visit_words(at, first, stack.end);
}

static void visit_thread_parts(rp_visit *at, uint8_t node) {
    for (uint32_t index = 0; index < at->frozen->threads.part_count; index++) {
        const rp_thread_part *part = at->frozen->threads.parts + index;
        if (part->node != node || (part->is_own && !rp_visits_tracer(at->frozen))) continue;
        at->root = (rp_root){.node = node, .thread = part->thread, .is_of_tracer = part->is_of_tracer};
        if (node == RP_NODE_ROOT_STACK) {
            visit_stack(at, part->range);
        } else {
            visit_words(at, part->range.start, part->range.end);
        }
    }
}

static void visit_access(uintptr_t access, uint32_t block, void *context) {
    visit_reference(context, access, block, 0);
}

/// Visits the objects whose properties functions are accessing, and those with a mutex that a thread has locked.
static void visit_accesses(rp_visit *at) {
    for (uint32_t index = 0; index < at->frozen->threads.part_count; index++) {
        const rp_thread_part *part = at->frozen->threads.parts + index;
        if (!part->first_access || (part->is_own && !rp_visits_tracer(at->frozen))) continue;
        at->root =
            (rp_root){.node = RP_NODE_ROOT_STACK, .thread = part->thread, .is_of_tracer = part->is_of_tracer};
        rp_visit_accesses(at->frozen, part->first_access, visit_access, at);
    }
    for (uint32_t index = 0; index < at->frozen->locked.count; index++) {
        at->root = (rp_root){.node = RP_NODE_ROOT_STACK, .thread = at->frozen->locked.threads[index]};
        visit_reference(at, 0, at->frozen->locked.blocks[index], 0);
    }
}

void rp_visit_all_accesses(const rp_frozen_copy *frozen, rp_access_visitor visitor, void *context) {
    for (uint32_t index = 0; index < frozen->threads.part_count; index++) {
        rp_visit_accesses(frozen, frozen->threads.parts[index].first_access, visitor, context);
    }
    for (uint32_t index = 0; index < frozen->locked.count; index++) {
        visitor(0, frozen->locked.blocks[index], context);
    }
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        const rp_block *block = frozen->heap.blocks + index;
        bool is_task = frozen->types.list[block->type].node == RP_NODE_TASK && !(block->flags & RP_BLOCK_DEAD);
        if (is_task) rp_visit_accesses_of_task(frozen, block->address, visitor, context);
    }
}

/// Returns the block to which a register refers. Optimised code may keep the address of a property instead of that of
/// the object.
static uint32_t block_of_register(const rp_frozen_copy *frozen, uintptr_t word) {
    uint32_t block = rp_referenced_block(frozen, word);
    return block != RP_NO_BLOCK ? block : rp_block_around(frozen, word);
}

/// Visits the registers that refer to objects with more references than were found. Other words in registers are stale,
/// or belong to functions that know the object without holding it.
static void visit_registers(rp_visit *at) {
    const rp_threads *threads = &at->frozen->threads;
    for (uint32_t index = 0; index < threads->register_count; index++) {
        const rp_thread_registers *registers = threads->registers + index;
        const rp_thread_part *part = threads->parts + registers->part;
        at->root =
            (rp_root){.node = RP_NODE_ROOT_STACK, .thread = part->thread, .is_of_tracer = part->is_of_tracer};
        for (uint32_t place = 0; place < RP_KEPT_REGISTERS; place++) {
            uint32_t to = block_of_register(at->frozen, registers->words[place]);
            bool may_hold = to != RP_NO_BLOCK && rp_has_unexplained(at->frozen, to);
            if (may_hold) visit_reference(at, (uintptr_t)(registers->words + place), to, 0);
        }
    }
}

static void visit_anonymous(rp_visit *at) {
    rp_frozen_copy *frozen = at->frozen;
    const uint32_t needed = RP_MAPPING_READABLE | RP_MAPPING_WRITABLE;
    uint32_t cursor = 0;
    at->root = (rp_root){.node = RP_NODE_ROOT_ANONYMOUS};
    for (uint32_t index = 0; index < frozen->process.mapping_count; index++) {
        const rp_mapping *mapping = frozen->process.mappings + index;
        if ((mapping->flags & ~(uint32_t)RP_MAPPING_EXECUTABLE) != needed) continue;
        rp_range free = {mapping->start, mapping->start};
        for (;;) {
            free = rp_unclaimed_from(frozen, free.end, mapping->end, &cursor);
            if (free.start >= free.end) break;
            uintptr_t page = rp_next_touched_page(frozen, free.start & ~(uintptr_t)(RP_PAGE - 1), free.end);
            while (page < free.end) {
                uintptr_t end = page + RP_PAGE;
                visit_words(at, page < free.start ? free.start : page, end < free.end ? end : free.end);
                page = rp_next_touched_page(frozen, end, free.end);
            }
        }
    }
}

// No memory that the search covers refers to a requesting task, but the task's variables hold objects like variables on
// a stack.
static void visit_task(rp_visit *at, uint32_t index) {
    bool waits = index >= at->frozen->tasks.first_awaiting;
    // The program knows nothing of an agent, so all requests are the agent's own.
    at->root = (rp_root){
        .node = waits ? RP_NODE_ROOT_AWAITING_TASK : RP_NODE_ROOT_TASK, .is_of_tracer = rp_has_agent(at->frozen)};
    rp_visit_word(at, 0, at->frozen->tasks.addresses[index], 0);
}

void rp_visit_task(rp_frozen_copy *frozen, uint32_t index, rp_root_visitor visitor, void *context) {
    rp_visit at = {.frozen = frozen, .visitor = visitor, .context = context};
    visit_task(&at, index);
}

void rp_visit_roots(rp_frozen_copy *frozen, uint32_t kinds, rp_root_visitor visitor, void *context) {
    rp_visit at = {.frozen = frozen, .visitor = visitor, .context = context};
    // These come first, because finding them takes the links of the search, whose queue is empty only now.
    if (kinds & RP_ROOTS_RUNNING_BLOCKS) rp_visit_running_blocks(&at);
    if (kinds & RP_ROOTS_DATA) {
        rp_visit_data(&at, false);
        visit_pending(&at);
    }
    if (kinds & RP_ROOTS_SYSTEM) rp_visit_data(&at, true);
    if (kinds & RP_ROOTS_THREADS_AND_ANONYMOUS) {
        visit_thread_parts(&at, RP_NODE_ROOT_THREAD_LOCAL);
        visit_anonymous(&at);
    }
    if (kinds & RP_ROOTS_REGISTERS) visit_registers(&at);
    if (kinds & RP_ROOTS_STACKS) {
        for (uint32_t index = 0; index < frozen->tasks.first_awaiting; index++) visit_task(&at, index);
        visit_thread_parts(&at, RP_NODE_ROOT_STACK);
        visit_accesses(&at);
    }
    if (kinds & RP_ROOTS_AWAITING_TASKS) {
        uint32_t first = frozen->tasks.first_awaiting;
        for (uint32_t index = first; index < frozen->tasks.count; index++) visit_task(&at, index);
    }
}

#endif
