#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The children of tasks: those that `async let` places in the memory of their parent, where they are no blocks, and
// those of groups.

/// The most records and children of a task that are read, in case a list is inconsistent.
enum { MOST_LINKS = 1024 };

bool rp_is_task_at(const rp_frozen_copy *frozen, uintptr_t address) {
    uint64_t size = frozen->request->facts.task_size;
    if (size == 0 || address % sizeof(uintptr_t) != 0) return false;
    if (!rp_is_readable(frozen, address, size + RP_TASK_CHILD_FRAGMENT)) return false;
    uintptr_t metadata = rp_read64(address);
    return rp_is_readable(frozen, metadata, sizeof(uint64_t)) && rp_read64(metadata) == RP_KIND_TASK;
}

typedef void (*child_visitor)(uintptr_t child, void *context);

/// Visits the children that are blocks, or those that are none and have not ended.
static void visit_children(
    const rp_frozen_copy *frozen, uintptr_t task, bool are_blocks, child_visitor visitor, void *context) {
    uint64_t size = frozen->request->facts.task_size;
    uintptr_t record = rp_read64(task + RP_TASK_RECORDS);
    for (uint32_t left = MOST_LINKS; left > 0 && rp_is_readable(frozen, record, RP_RECORD_SIZE); left--) {
        uint64_t kind = rp_read64(record) & RP_RECORD_KIND_BITS;
        bool has_children = kind == RP_RECORD_HAS_CHILDREN || kind == RP_RECORD_IS_GROUP;
        uintptr_t child = has_children ? rp_read64(record + RP_RECORD_FIRST_CHILD) : 0;
        for (uint32_t more = MOST_LINKS; more > 0 && rp_is_task_at(frozen, child); more--) {
            // Each child names its parent, so none is visited for another task.
            if (rp_read64(child + size) != task) break;
            bool has_ended = rp_read32(child + RP_TASK_STATUS) & RP_TASK_IS_COMPLETE;
            bool is_block = rp_block_at(frozen, child) != RP_NO_BLOCK;
            if (is_block ? are_blocks : !are_blocks && !has_ended) visitor(child, context);
            child = rp_read64(child + size + sizeof(uintptr_t));
        }
        record = rp_read64(record + RP_RECORD_NEXT);
    }
}

void rp_visit_inner_children(
    const rp_frozen_copy *frozen, uintptr_t task, void (*visitor)(uintptr_t child, void *context), void *context) {
    visit_children(frozen, task, false, visitor, context);
}

static void report_child(uintptr_t child, void *context) {
    const rp_place *at = context;
    rp_report_edge(at, rp_block_at(at->frozen, child), RP_TASK_RECORDS, 0, RP_EDGE_CONSERVATIVE, 0);
}

void rp_scan_children(rp_place *at) {
    visit_children(at->frozen, at->base, true, report_child, at);
}

#endif
