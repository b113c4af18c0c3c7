#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The accesses to variables and properties that have begun and not ended. To find conflicts, Swift's runtime lists
// those of each thread, and those of each Task that does not run (stdlib/public/runtime/Exclusivity.cpp). A function
// that modifies a property of an object uses the object. But all references to the object that layouts declare may be
// in places that the function has emptied, which keep the former address.

/// The most accesses of a thread or a task that are read, in case a list is inconsistent.
enum { MOST_ACCESSES = 1024 };

void rp_visit_accesses(
    const rp_frozen_copy *frozen, uintptr_t access, rp_access_visitor visitor, void *context) {
    for (uint32_t left = MOST_ACCESSES; left > 0; left--) {
        if (access % sizeof(uintptr_t) != 0 || !rp_is_readable(frozen, access, RP_ACCESS_SIZE)) return;
        uint32_t block = rp_block_around(frozen, rp_read64(access + RP_ACCESS_TO));
        if (block != RP_NO_BLOCK) visitor(access, block, context);
        access = rp_read64(access + RP_ACCESS_NEXT) & ~(uintptr_t)RP_ACCESS_KIND_BITS;
    }
}

/// Returns the first access of a task; 0 if there is none, or if the task runs: its thread then lists the access.
static uintptr_t first_access_of_task(uintptr_t task) {
    bool is_suspended = !(rp_read32(task + RP_TASK_STATUS) & (RP_TASK_IS_RUNNING | RP_TASK_IS_COMPLETE));
    return is_suspended ? rp_read64(task + RP_TASK_ACCESSES) : 0;
}

typedef struct visiting {
    const rp_frozen_copy *frozen;
    rp_access_visitor visitor;
    void *context;
} visiting;

static void visit_accesses_of_child(uintptr_t child, void *context) {
    const visiting *at = context;
    rp_visit_accesses(at->frozen, first_access_of_task(child), at->visitor, at->context);
}

void rp_visit_accesses_of_task(
    const rp_frozen_copy *frozen, uintptr_t task, rp_access_visitor visitor, void *context) {
    if (!rp_is_task_at(frozen, task)) return;
    rp_visit_accesses(frozen, first_access_of_task(task), visitor, context);
    visiting at = {.frozen = frozen, .visitor = visitor, .context = context};
    rp_visit_inner_children(frozen, task, visit_accesses_of_child, &at);
}

static void report_access(uintptr_t access, uint32_t block, void *context) {
    (void)access;
    rp_report_edge(context, block, RP_TASK_ACCESSES, 0, RP_EDGE_CONSERVATIVE, 0);
}

uint32_t rp_thread_with_id(const rp_frozen_copy *frozen, int32_t id) {
    for (uint32_t index = 0; index < frozen->request->thread_count; index++) {
        if (frozen->request->threads[index].id == id) return index;
    }
    return RP_UNKNOWN_THREAD;
}

void rp_note_mutex(const rp_place *at, uint32_t offset) {
    // FUTEX_TID_MASK (linux/futex.h).
    enum { OWNER_BITS = 0x3fffffff };
    if (!rp_fits(at, offset, sizeof(uint32_t))) return;
    int32_t owner = (int32_t)(rp_read32(at->base + offset) & OWNER_BITS);
    uint32_t block = owner ? rp_block_around(at->frozen, at->base) : RP_NO_BLOCK;
    rp_locked *locked = &at->frozen->locked;
    if (block == RP_NO_BLOCK || locked->count == RP_MAX_LOCKED) return;
    uint32_t thread = rp_thread_with_id(at->frozen, owner);
    if (thread == RP_UNKNOWN_THREAD) return;
    for (uint32_t index = 0; index < locked->count; index++) {
        if (locked->blocks[index] == block) return;
    }
    locked->blocks[locked->count] = block;
    locked->threads[locked->count++] = thread;
}

void rp_scan_accesses(rp_place *at) {
    rp_visit_accesses_of_task(at->frozen, at->base, report_access, at);
}

#endif
