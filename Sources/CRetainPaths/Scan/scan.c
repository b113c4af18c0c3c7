#ifdef __linux__
#include "Heap/malloc_layout.h"
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The references in an object, by the layout of its type. In memory without a layout, every word that looks like a
// reference.

/// The parts of the word at `RP_STRING_CAPACITY` (stdlib/public/core/StringStorage.swift, _CapacityAndFlags).
static const uint64_t string_has_breadcrumbs = 1ull << 63, string_capacity_bits = (1ull << 48) - 1;

static void scan_error(rp_place *at) {
    if (!rp_fits(at, 0, RP_ERROR_VALUE)) return;
    const rp_type *type = rp_value_type(at->frozen, rp_word_at(at, RP_ERROR_TYPE));
    if (!type) return;
    if (type->is_class) {
        rp_scan_strong(at, RP_ERROR_VALUE, 0, RP_EDGE_STRONG, 0);
    } else if (type->layout) {
        rp_scan_value(at, type->layout, rp_aligned(RP_ERROR_VALUE, type->layout->alignment));
    } else {
        rp_scan_words(at, RP_ERROR_VALUE, 0, 0);
    }
}

/// Scans the components of a key path, which contain the arguments of subscripts. The types of the arguments are not
/// known. But keys rarely contain unowned references, and the other words of components are offsets and pointers to
/// code and constants. The memory behind the components is stale.
static void scan_key_path(const rp_place *at, uint32_t offset) {
    if (!rp_fits(at, offset, RP_KEY_PATH_HEADER)) return;
    uint32_t header = rp_read32(at->base + offset), size = header & RP_KEY_PATH_SIZE_BITS;
    if (header & RP_KEY_PATH_IS_TRIVIAL) return;
    rp_place components = *at;
    offset += RP_KEY_PATH_HEADER;
    if (size < at->end - offset) components.end = offset + size;
    for (; rp_fits(&components, offset, sizeof(uintptr_t)); offset += sizeof(uintptr_t)) {
        rp_scan_strong(&components, offset, 0, RP_EDGE_STRONG, 0);
    }
}

/// The offsets of UTF-16 positions in a long string, for which a reference is reserved behind the string's capacity
/// (stdlib/public/core/StringStorage.swift, _breadcrumbsAddress).
static void scan_breadcrumbs(const rp_place *at, const rp_layout *layout) {
    if (!rp_fits(at, RP_STRING_CAPACITY, sizeof(uint64_t))) return;
    uint64_t capacity = rp_word_at(at, RP_STRING_CAPACITY);
    if (!(capacity & string_has_breadcrumbs)) return;
    capacity &= string_capacity_bits;
    if (capacity >= at->end) return;
    rp_scan_strong(at, rp_aligned(layout->size + (uint32_t)capacity, sizeof(uintptr_t)), 0, RP_EDGE_STRONG, 0);
}

static void scan_tail(rp_place *at, const rp_layout *layout) {
    switch (layout->tail) {
    case RP_TAIL_ARRAY: rp_scan_array(at, layout); return;
    case RP_TAIL_DICTIONARY:
    case RP_TAIL_SET: rp_scan_hash_table(at, layout); return;
    case RP_TAIL_BYTES: return;
    case RP_TAIL_STRING: scan_breadcrumbs(at, layout); return;
    case RP_TAIL_KEY_PATH: scan_key_path(at, layout->size); return;
    case RP_TAIL_MANAGED: rp_scan_managed(at, layout); return;
    case RP_TAIL_HASH_NODE: rp_scan_hash_node(at, layout); return;
    default: break;
    }
    if (layout->kind != RP_LAYOUT_CLASS || layout->size >= at->end) return;
    // An object that C has made may have a short tail, so any block larger than usual has a tail. Other blocks may have
    // the rest of a free chunk at their end.
    uint32_t remainder = layout->flags & RP_LAYOUT_MAY_BE_LONGER ? 0 : RP_CHUNK_ALIGNMENT;
    if (at->end > rp_malloc_size(layout->size) + remainder) {
        at->is_in_tail = true;
        rp_scan_last_words(at, layout->size);
    }
}

static void scan_object(rp_place *at, const rp_type *type) {
    const rp_layout *layout = type->layout;
    if (type->node == RP_NODE_TASK) {
        rp_scan_task(at);
        rp_scan_slabs_of_task(at);
        return;
    }
    if (layout && layout->flags & RP_LAYOUT_IS_GENERIC) {
        const rp_layout *bound = rp_context_layout(at->frozen, type, at->base, at->end);
        if (bound) layout = bound;
    }
    if (!layout) {
        rp_scan_last_words(at, RP_OBJECT_HEADER);
    } else if (layout->kind == RP_LAYOUT_ERROR_BOX) {
        scan_error(at);
    } else {
        rp_scan_value(at, layout, 0);
        scan_tail(at, layout);
    }
}

static void scan_guarded(rp_place *at, const rp_type *type) {
    rp_frozen_copy *frozen = at->frozen;
    // An object that is being made or destroyed may contain anything. If reading it faults, the rest of the object is
    // skipped.
    frozen->guard.scans++;
    frozen->guard.scanned_type = (uint32_t)(type - frozen->types.list);
    if (setjmp(frozen->guard.after_fault) == 0) {
        frozen->guard.is_on = true;
        scan_object(at, type);
    }
    frozen->guard.is_on = false;
}

void rp_scan_object(
    rp_frozen_copy *frozen, uintptr_t address, uint32_t size, const rp_type *type, rp_visitor visitor, void *context) {
    rp_place at = {
        .frozen = frozen, .visitor = visitor, .context = context, .base = address, .end = size, .index = -1,
    };
    scan_guarded(&at, type);
}

void rp_scan_variable(
    rp_frozen_copy *frozen, uintptr_t address, uint32_t size, const rp_layout *layout, rp_visitor visitor,
    void *context) {
    rp_place at = {
        .frozen = frozen, .visitor = visitor, .context = context, .base = address, .end = size, .index = -1,
    };
    // The variable may be in the middle of a write.
    frozen->guard.scans++;
    frozen->guard.scanned_type = 0;
    if (setjmp(frozen->guard.after_fault) == 0) {
        frozen->guard.is_on = true;
        rp_scan_value(&at, layout, 0);
    }
    frozen->guard.is_on = false;
}

void rp_scan_block(rp_frozen_copy *frozen, uint32_t block, rp_visitor visitor, void *context) {
    rp_scan_part(frozen, block, NULL, visitor, context);
}

void rp_scan_part(rp_frozen_copy *frozen, uint32_t block, rp_part *part, rp_visitor visitor, void *context) {
    const rp_block *found = frozen->heap.blocks + block;
    if (found->flags & RP_BLOCK_DEAD || rp_is_run_of_loop(found)) return;
    rp_place at = {
        .frozen = frozen,
        .visitor = visitor,
        .context = context,
        .base = found->address,
        .part = part,
        .index = -1,
    };
    if (found->type) {
        // The pointer stays valid when a scan adds types, because their memory never moves.
        const rp_type *type = frozen->types.list + found->type;
        at.end = type->node == RP_NODE_TASK ? rp_used_size_of_task(frozen, found) : found->size;
        scan_guarded(&at, type);
        return;
    }
    at.end = rp_used_size(frozen, found);
    if (rp_is_c_block(frozen, found)) {
        rp_scan_c_block(&at);
        return;
    }
    if (rp_is_continuation(frozen, found)) {
        rp_scan_continuation(&at);
        return;
    }
    rp_scan_last_words(&at, 0);
    at.position = 0;
    rp_scan_source_state(&at);
    if (rp_is_slab(frozen, found)) rp_scan_next_slab(&at);
}

#endif
