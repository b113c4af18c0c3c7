#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The elements of a ManagedBuffer. Only the program knows which places are in use, but the header usually says how many
// elements there are, and in a ring also which place is the first. Names can mislead: a header that the contents
// contradict is not believed. Then the contents of a place are believed if they can be an element, but are not certain.

enum { DEEPEST_CLASS = 64 };

typedef struct elements {
    const rp_layout *layout;
    uint32_t start;
    uint64_t places;
    /// The places in use; `is_known` tells whether the header states them.
    uint64_t first, count, ring;
    bool is_known;
} elements;

static uint32_t offset_of(const elements *all, uint64_t place) {
    return all->start + (uint32_t)(place * all->layout->stride);
}

static bool is_instance(const rp_frozen_copy *frozen, uint32_t block, uintptr_t class) {
    const rp_type *type = frozen->types.list + frozen->heap.blocks[block].type;
    if (!frozen->heap.blocks[block].type || type->node != RP_NODE_OBJECT) return false;
    uintptr_t metadata = type->metadata;
    for (uint32_t depth = 0; metadata && depth < DEEPEST_CLASS; depth++) {
        if (metadata == class) return true;
        if (!rp_is_readable(frozen, metadata + RP_CLASS_SUPERCLASS, sizeof(uintptr_t))) return false;
        metadata = rp_read64(metadata + RP_CLASS_SUPERCLASS);
    }
    return false;
}

/// Whether a word is nil or a reference to an instance of the elements' class. Instances in an image's data are not
/// recognized.
static bool may_be_element(const rp_place *at, uintptr_t class, uint32_t offset) {
    uintptr_t word = rp_word_at(at, offset) & RP_ADDRESS_BITS;
    if (word == 0) return true;
    uint32_t block = rp_block_at(at->frozen, word);
    return block != RP_NO_BLOCK && is_instance(at->frozen, block, class);
}

/// Finds the first place in use; returns false if the header does not tell which one it is.
static bool find_first(const rp_place *at, const rp_layout *layout, elements *all) {
    all->first = layout->start_offset ? rp_word_at(at, layout->start_offset) : 0;
    if (!(layout->flags & RP_LAYOUT_HAS_HEAD)) return true;
    if (!layout->tail_offset || !rp_fits(at, layout->tail_offset, sizeof(uint64_t))) return false;
    uint64_t head = all->first, tail = rp_word_at(at, layout->tail_offset);
    if (all->ring == 0 || all->count > all->ring || head >= all->ring || tail >= all->ring) return false;
    bool is_head_first = (head + all->count) % all->ring == tail;
    bool is_tail_first = (tail + all->count) % all->ring == head;
    if (!is_head_first) all->first = tail;
    // A ring that is half full may be read either way.
    return head == tail || is_head_first != is_tail_first;
}

/// Whether the contents of a place agree with a header that says that the place is in use. A nil that is no value of
/// the elements' type shows that the header means something else.
static bool confirms_header(const rp_place *at, const rp_layout *layout, uint32_t offset) {
    bool is_nil = (rp_word_at(at, offset) & RP_ADDRESS_BITS) == 0;
    return is_nil ? layout->has_optional_elements : may_be_element(at, layout->element_class, offset);
}

static void read_header(const rp_place *at, const rp_layout *layout, elements *all) {
    if (!layout->count_offset || !rp_fits(at, layout->count_offset, sizeof(uint64_t))) return;
    all->count = rp_word_at(at, layout->count_offset);
    all->ring = layout->capacity_offset ? rp_word_at(at, layout->capacity_offset) : all->places;
    bool has_first = find_first(at, layout, all);
    bool fits = all->ring <= all->places && all->count <= all->ring && (all->first < all->ring || all->first == 0);
    bool is_named = layout->flags & RP_LAYOUT_NAMES_COUNT;
    all->is_known = has_first && fits && (is_named || layout->element_class);
    if (at->part && at->part->position != RP_WHOLE_BLOCK) {
        all->is_known &= at->part->is_header_believed;
        return;
    }
    for (uint64_t index = 0; all->is_known && layout->element_class && index < all->count; index++) {
        uint32_t offset = offset_of(all, (all->first + index) % all->ring);
        all->is_known = confirms_header(at, layout, offset);
    }
    if (at->part) at->part->is_header_believed = all->is_known;
}

void rp_scan_managed(rp_place *at, const rp_layout *layout) {
    const rp_layout *element = rp_layout_at(at->frozen, layout->element);
    if (!element) {
        rp_scan_last_words(at, layout->size);
        return;
    }
    if (layout->flags & RP_LAYOUT_HAS_OTHER_ELEMENTS) {
        rp_scan_last_words(at, rp_aligned(layout->size, element->alignment));
        return;
    }
    if (element->stride == 0 || element->slot_count + (element->kind == RP_LAYOUT_ENUM) == 0) return;
    elements all = {.layout = element, .start = rp_aligned(layout->size, element->alignment)};
    if (all.start >= at->end) return;
    all.places = (at->end - all.start) / element->stride;
    if (all.places == 0) return;
    read_header(at, layout, &all);
    at->is_guess = !all.is_known;
    uint64_t index = 0, end = all.is_known ? all.count : all.places;
    rp_restrict(at, &index, &end);
    for (; index < end; index++) {
        uint32_t offset = offset_of(&all, all.is_known ? (all.first + index) % all.ring : index);
        if (!all.is_known && layout->element_class && !may_be_element(at, layout->element_class, offset)) continue;
        at->index = (int64_t)index;
        at->position = (uint32_t)index + 1;
        rp_scan_value(at, element, offset);
    }
}

#endif
