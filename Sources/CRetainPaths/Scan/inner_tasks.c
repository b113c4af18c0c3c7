#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The children that `async let` places in the memory of their parent, where they are no blocks.

/// The most records and children of a task that are read, in case a list is inconsistent.
enum { MOST_LINKS = 1024 };

bool rp_is_task_at(const rp_frozen_copy *frozen, uintptr_t address) {
    uint64_t size = frozen->request->facts.task_size;
    if (size == 0 || address % sizeof(uintptr_t) != 0) return false;
    if (!rp_is_readable(frozen, address, size + RP_TASK_CHILD_FRAGMENT)) return false;
    uintptr_t metadata = rp_read64(address);
    return rp_is_readable(frozen, metadata, sizeof(uint64_t)) && rp_read64(metadata) == RP_KIND_TASK;
}

void rp_visit_inner_children(
    const rp_frozen_copy *frozen, uintptr_t task, void (*visitor)(uintptr_t child, void *context), void *context) {
    uint64_t size = frozen->request->facts.task_size;
    uintptr_t record = rp_read64(task + RP_TASK_RECORDS);
    for (uint32_t left = MOST_LINKS; left > 0 && rp_is_readable(frozen, record, RP_RECORD_SIZE); left--) {
        bool has_children = (rp_read64(record) & RP_RECORD_KIND_BITS) == RP_RECORD_HAS_CHILDREN;
        uintptr_t child = has_children ? rp_read64(record + RP_RECORD_FIRST_CHILD) : 0;
        for (uint32_t more = MOST_LINKS; more > 0 && rp_is_task_at(frozen, child); more--) {
            // Each child names its parent, so none is visited for another task.
            if (rp_read64(child + size) != task) break;
            bool has_ended = rp_read32(child + RP_TASK_STATUS) & RP_TASK_IS_COMPLETE;
            if (rp_block_at(frozen, child) == RP_NO_BLOCK && !has_ended) visitor(child, context);
            child = rp_read64(child + size + sizeof(uintptr_t));
        }
        record = rp_read64(record + RP_RECORD_NEXT);
    }
}

#endif
