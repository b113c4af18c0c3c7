#ifdef __linux__
#include "Heap/malloc_layout.h"
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The references in a value, by its layout.

enum {
    /// The deepest nesting of enums and existentials that is scanned; types rarely nest deeper.
    DEEPEST = 16,
    /// The largest enum with several payloads that is scanned, which happens in a copy of its value.
    LARGEST_ENUM = 1024,
};

/// Scans an Unmanaged. It may merely refer to an object, or stand for a manual retain. It is believed to retain the
/// object only if the object has more strong references than were found otherwise. A search for leaks wants it in any
/// case.
static void scan_unmanaged(const rp_place *at, uint32_t offset, rp_name_index name) {
    if (!rp_fits(at, offset, sizeof(uintptr_t))) return;
    uint32_t to = rp_block_at(at->frozen, rp_word_at(at, offset) & RP_ADDRESS_BITS);
    if (to == RP_NO_BLOCK || !(at->frozen->totals.wants_all_unmanaged || rp_has_unexplained(at->frozen, to))) return;
    rp_place unmanaged = *at;
    unmanaged.is_unmanaged = true;
    rp_report_edge(&unmanaged, to, offset, name, RP_EDGE_CONSERVATIVE, 0);
}

/// Scans the contents of a slot. Its name, and that of the enum's case, are names around those of the contents.
static void scan_inside(
    const rp_place *at, rp_name_index name, rp_name_index case_name, const rp_layout *layout, uint32_t offset,
    uint32_t size) {
    rp_place inside = *at;
    rp_outer_name property = {.around = inside.outer, .name = name};
    if (name) inside.outer = &property;
    rp_outer_name in_case = {.around = inside.outer, .name = case_name, .is_case = true};
    if (case_name) inside.outer = &in_case;
    if (inside.end - offset > size) inside.end = offset + size;
    inside.depth++;
    if (inside.depth <= DEEPEST) rp_scan_value(&inside, layout, offset);
}

static void scan_existential(const rp_place *at, const rp_slot *slot, uint32_t offset) {
    if (!rp_fits(at, offset, RP_EXISTENTIAL_SIZE)) return;
    const rp_type *type = rp_value_type(at->frozen, rp_word_at(at, offset + RP_EXISTENTIAL_TYPE));
    if (!type) return;
    if (type->is_class) {
        rp_place inside = *at;
        inside.is_in_existential = true;
        rp_scan_strong(&inside, offset, slot->name, RP_EDGE_STRONG, 0);
    } else if (type->witness_flags & RP_WITNESS_IS_NOT_INLINE) {
        rp_scan_strong(at, offset, slot->name, RP_EDGE_EXISTENTIAL_BOX, 0);
    } else if (type->layout) {
        scan_inside(at, slot->name, 0, type->layout, offset, RP_EXISTENTIAL_BUFFER);
    } else {
        rp_scan_words(at, offset, RP_EXISTENTIAL_BUFFER, slot->name);
    }
}

/// Scans a slice. The index in the storage is that in the slice only if the slice's elements begin where those of the
/// storage do, counted from index 0.
static void scan_slice(const rp_place *at, uint32_t offset, rp_name_index name) {
    if (!rp_fits(at, offset, RP_SLICE_SIZE)) return;
    rp_place slice = *at;
    uintptr_t storage = rp_word_at(at, offset) & RP_ADDRESS_BITS;
    uintptr_t first = rp_word_at(at, offset + RP_SLICE_FIRST_ELEMENT);
    slice.slice = (rp_slice){
        .is_known = first == storage + RP_ARRAY_ELEMENTS,
        .start = (int64_t)rp_word_at(at, offset + RP_SLICE_START),
        .end = (int64_t)(rp_word_at(at, offset + RP_SLICE_END_AND_FLAG) >> 1),
    };
    rp_scan_strong(&slice, offset, name, RP_EDGE_STRONG, 0);
}

/// Scans a value for which the runtime has allocated memory outside a variable.
static void scan_outlined(const rp_place *at, const rp_slot *slot, uint32_t offset) {
    const rp_layout *layout = rp_layout_at(at->frozen, slot->layout);
    if (!layout || !rp_fits(at, offset, sizeof(uintptr_t)) || at->depth == DEEPEST) return;
    uint32_t block = rp_block_at(at->frozen, rp_word_at(at, offset));
    if (block == RP_NO_BLOCK) return;
    const rp_block *value = at->frozen->heap.blocks + block;
    if (value->type || value->size < layout->size) return;
    rp_place inside = *at;
    inside.base = value->address;
    inside.end = layout->size;
    inside.is_outlined = true;
    inside.outlined_at = offset;
    inside.depth++;
    rp_scan_value(&inside, layout, 0);
}

/// Clears the words behind a lock, which are stale, in the copy of the lock's block. They could otherwise refer to new
/// objects, because threads that wait for the lock lead to the block. A larger block contains more than the lock.
static void clear_behind_lock(const rp_place *at, const rp_slot *slot, uint32_t offset) {
    if (!rp_fits(at, offset, sizeof(uintptr_t))) return;
    uint32_t block = rp_block_at(at->frozen, rp_word_at(at, offset));
    if (block == RP_NO_BLOCK) return;
    const rp_block *lock = at->frozen->heap.blocks + block;
    uint32_t largest = rp_malloc_size(slot->length) + RP_CHUNK_ALIGNMENT;
    if (lock->type || lock->size < slot->length || lock->size > largest) return;
    uint32_t end = rp_aligned(slot->length, sizeof(uintptr_t));
    for (; end + sizeof(uintptr_t) <= lock->size; end += sizeof(uintptr_t)) rp_clear_word(lock->address + end);
}

typedef uint32_t (*enum_tag_witness)(const void *value, const void *metadata);
typedef void (*project_witness)(void *value, const void *metadata);

static void scan_enum(const rp_place *at, rp_name_index name, const rp_layout *layout, uint32_t offset) {
    if (!rp_fits(at, offset, layout->size)) return;
    uintptr_t witnesses = rp_read64(layout->key + RP_METADATA_WITNESSES);
    const void *metadata = (const void *)layout->key;
    enum_tag_witness tag_of = (enum_tag_witness)rp_read64(witnesses + RP_WITNESSES_ENUM_TAG);
    uint32_t tag = tag_of((const void *)(at->base + offset), metadata);
    if (tag >= layout->slot_count) return;
    const rp_slot *slot = rp_slots_of(at->frozen, layout) + tag;
    const rp_layout *payload = rp_layout_at(at->frozen, slot->layout);
    if (!payload) return;
    if (!(layout->flags & RP_LAYOUT_IS_MULTI_PAYLOAD)) {
        scan_inside(at, name, slot->name, payload, offset, layout->size);
        return;
    }
    // The projection clears the tag in the payload, so it works on a copy.
    _Alignas(16) char copy[LARGEST_ENUM];
    if (layout->size > sizeof copy) {
        rp_scan_words(at, offset, layout->size, name ? name : slot->name);
        return;
    }
    memcpy(copy, (const void *)(at->base + offset), layout->size);
    ((project_witness)rp_read64(witnesses + RP_WITNESSES_PROJECT))(copy, metadata);
    rp_place in_copy = *at;
    in_copy.base = (uintptr_t)copy - offset;
    scan_inside(&in_copy, name, slot->name, payload, offset, layout->size);
}

static void scan_slot(rp_place *at, const rp_slot *slot, uint32_t start) {
    uint32_t offset = start + slot->offset;
    if (offset >= at->end) return;
    switch (slot->kind) {
    case RP_SLOT_STRONG: rp_scan_strong(at, offset, slot->name, RP_EDGE_STRONG, 0); break;
    case RP_SLOT_FUNCTION:
        if (rp_fits(at, offset, 2 * sizeof(uintptr_t))) {
            rp_scan_strong(at, offset + sizeof(uintptr_t), slot->name, RP_EDGE_FUNCTION, rp_word_at(at, offset));
        }
        break;
    case RP_SLOT_PLAIN: rp_scan_plain(at, slot, offset); break;
    case RP_SLOT_UNOWNED: rp_scan_strong(at, offset, slot->name, RP_EDGE_UNOWNED, 0); break;
    case RP_SLOT_UNMANAGED: scan_unmanaged(at, offset, slot->name); break;
    case RP_SLOT_EXISTENTIAL: scan_existential(at, slot, offset); break;
    case RP_SLOT_ENUM: {
        const rp_layout *layout = rp_layout_at(at->frozen, slot->layout);
        if (layout && at->depth < DEEPEST) scan_enum(at, slot->name, layout, offset);
        break;
    }
    case RP_SLOT_CONSERVATIVE: rp_scan_words(at, offset, slot->length, slot->name); break;
    case RP_SLOT_SLICE: scan_slice(at, offset, slot->name); break;
    case RP_SLOT_OUTLINED: scan_outlined(at, slot, offset); break;
    case RP_SLOT_LOCK: clear_behind_lock(at, slot, offset); break;
    case RP_SLOT_MUTEX: rp_note_mutex(at, offset); break;
    default: break;
    }
}

void rp_scan_value(rp_place *at, const rp_layout *layout, uint32_t offset) {
    if (layout->kind == RP_LAYOUT_ENUM) {
        scan_enum(at, 0, layout, offset);
        return;
    }
    const rp_slot *slots = rp_slots_of(at->frozen, layout);
    for (uint32_t index = 0; index < layout->slot_count; index++) scan_slot(at, slots + index, offset);
}

#endif
