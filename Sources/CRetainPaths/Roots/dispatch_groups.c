#ifdef __linux__
#include "frozen_copy.h"

// The groups of libdispatch (struct dispatch_group_s in src/semaphore_internal.h). Swift's functions refer to a group
// by its DispatchGroup, which owns the group. If instances of DispatchGroup have all references to a group that were
// handed out, only functions of libdispatch have its own address in their frames: while they wait for the group, or run
// its work.

enum {
    /// os_obj_xref_cnt (os/object_private.h): the references that were handed out, less one.
    HANDED_OUT = 12,
    SMALLEST_GROUP = 48,
    /// The class contains the functions of its objects among its first words (struct dispatch_object_vtable_s in
    /// src/object_internal.h).
    CLASS_WORDS = 8,
};

bool rp_is_wrapped_group(const rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *group = frozen->heap.blocks + block;
    uintptr_t class = frozen->request->facts.dispatch_group_class;
    if (!class || group->type || group->size < SMALLEST_GROUP || rp_read64(group->address) != class) return false;
    int32_t count = (int32_t)rp_read32(group->address + HANDED_OUT);
    uint8_t by_objects = frozen->totals.vouched[block];
    return count >= 0 && by_objects < UINT8_MAX && by_objects > count;
}

const rp_mapping *rp_code_of_dispatch(const rp_frozen_copy *frozen) {
    uintptr_t class = frozen->request->facts.dispatch_group_class;
    if (!rp_is_readable(frozen, class, CLASS_WORDS * sizeof(uintptr_t))) return NULL;
    for (uint32_t index = 0; index < CLASS_WORDS; index++) {
        uintptr_t word = rp_read64(class + index * sizeof(uintptr_t));
        if (rp_is_code(frozen, word)) return rp_mapping_at(frozen, word);
    }
    return NULL;
}

bool rp_may_run_dispatch(const rp_frozen_copy *frozen, uintptr_t word) {
    const rp_mapping *code = rp_code_of_dispatch(frozen);
    if (!code) return true;
    for (uint32_t index = 0; index < frozen->threads.part_count; index++) {
        rp_range stack = frozen->threads.parts[index].range;
        if (word < stack.start || word >= stack.end) continue;
        for (uintptr_t at = (stack.start + 7) & ~(uintptr_t)7; at + sizeof(uintptr_t) <= stack.end; at += 8) {
            uintptr_t address = rp_read64(at);
            if (address >= code->start && address < code->end) return true;
        }
        return false;
    }
    return true;
}

#endif
