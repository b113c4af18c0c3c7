#ifdef __linux__
#include "frozen_copy.h"
#include "Heap/runtime_layout.h"

// The description of a path's steps for the parent: each block or root, and the reference that leads from it to the
// next block.

enum {
    /// StringObject.swift: bits of the second word, which say whether the text is in the two words themselves, and how
    /// long it is then.
    STRING_IS_SMALL_BIT = 61,
    STRING_IS_FOREIGN_BIT = 60,
    STRING_SMALL_COUNT_SHIFT = 56,
    STRING_SMALL_COUNT_BITS = 0xf,
    STRING_SIZE = 16,
    /// nativeBias: the distance from the address in the second word to the text.
    STRING_BIAS = 32,
};

static const uint64_t string_count_bits = 0x0000ffffffffffffull, string_address_bits = 0x0fffffffffffffffull;

static void copy_text(rp_step *step, const char *text, uint64_t length) {
    if (length > RP_KEY_BYTES) {
        length = RP_KEY_BYTES;
        // Cut between characters: the first byte left out must not continue a character.
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
    }
    memcpy(step->key, text, length);
    step->key_length = (uint8_t)length;
    step->key_kind = RP_KEY_STRING;
}

static void copy_string(const rp_frozen_copy *frozen, rp_step *step, uintptr_t key) {
    uint64_t first = rp_read64(key), second = rp_read64(key + 8);
    if (second >> STRING_IS_SMALL_BIT & 1) {
        copy_text(step, (const char *)key, second >> STRING_SMALL_COUNT_SHIFT & STRING_SMALL_COUNT_BITS);
        return;
    }
    if (second >> STRING_IS_FOREIGN_BIT & 1) return;
    uint64_t length = first & string_count_bits;
    uintptr_t text = (second & string_address_bits) + STRING_BIAS;
    // The cut reads one byte more than it copies.
    size_t needed = length < RP_KEY_BYTES ? length : RP_KEY_BYTES + 1;
    if (rp_is_readable(frozen, text, needed)) copy_text(step, (const char *)text, length);
}

static void copy_number(rp_step *step, uintptr_t key, const rp_layout *layout) {
    uint64_t value = 0;
    memcpy(&value, (const void *)key, layout->size);
    bool is_negative = layout->key_kind == RP_KEY_SIGNED && value >> (layout->size * 8 - 1) & 1;
    if (is_negative && layout->size < sizeof value) value |= ~0ull << layout->size * 8;
    memcpy(step->key, &value, sizeof value);
    step->key_length = sizeof value;
    step->key_kind = layout->key_kind;
}

/// Returns the layout of the value in an existential, such as AnyHashable; NULL if the layout is not that of an
/// existential, or if the value is not in the existential's buffer.
static const rp_layout *layout_inside(rp_frozen_copy *frozen, uintptr_t key, const rp_layout *layout) {
    if (layout->slot_count != 1 || layout->size < RP_EXISTENTIAL_SIZE) return NULL;
    const rp_slot *slot = rp_slots_of(frozen, layout);
    if (slot->kind != RP_SLOT_EXISTENTIAL || slot->offset != 0) return NULL;
    const rp_type *type = rp_value_type(frozen, rp_read64(key + RP_EXISTENTIAL_TYPE));
    return type && !(type->witness_flags & RP_WITNESS_IS_NOT_INLINE) ? type->layout : NULL;
}

static void copy_key(rp_frozen_copy *frozen, rp_step *step, const rp_edge *edge) {
    const rp_layout *layout = edge->key_layout;
    if (!edge->key || !layout) return;
    if (layout->key_kind == RP_KEY_NONE) layout = layout_inside(frozen, edge->key, layout);
    if (!layout) return;
    bool is_number = layout->key_kind == RP_KEY_SIGNED || layout->key_kind == RP_KEY_UNSIGNED;
    if (layout->key_kind == RP_KEY_STRING && layout->size == STRING_SIZE) {
        copy_string(frozen, step, edge->key);
    } else if (is_number && layout->size >= 1 && layout->size <= sizeof(uint64_t)) {
        copy_number(step, edge->key, layout);
    }
}

bool rp_is_storage(const rp_frozen_copy *frozen, uint32_t block) {
    const rp_layout *layout = frozen->types.list[frozen->heap.blocks[block].type].layout;
    if (!layout) return false;
    return layout->tail == RP_TAIL_ARRAY || layout->tail == RP_TAIL_DICTIONARY || layout->tail == RP_TAIL_SET;
}

void rp_describe_block(const rp_frozen_copy *frozen, uint32_t block, rp_step *step) {
    const rp_block *found = frozen->heap.blocks + block;
    memset(step, 0, sizeof *step);
    step->address = found->address;
    step->size = found->size;
    step->index = -1;
    step->node = RP_NODE_BLOCK;
    step->is_reached = found->flags & RP_BLOCK_REACHED;
    if (found->type) {
        step->metadata = frozen->types.list[found->type].metadata;
        step->node = frozen->types.list[found->type].node;
    } else if (found->size >= sizeof(uint64_t)) {
        step->metadata = rp_read64(found->address);
    }
}

/// Describes the names of an edge, which has them only until its visitor returns.
static void copy_names(rp_step *step, const rp_edge *edge) {
    const rp_outer_name own = {.around = edge->outer, .name = edge->name};
    const rp_outer_name *innermost = edge->name ? &own : edge->outer;
    uint32_t place = 0;
    for (const rp_outer_name *at = innermost; at; at = at->around) place++;
    step->name_count = (uint8_t)(place < RP_MAX_NAMES ? place : RP_MAX_NAMES);
    step->case_names = 0;
    for (const rp_outer_name *at = innermost; at; at = at->around) {
        place--;
        // Of too many names, the innermost is kept, and of the others the outermost.
        uint32_t last = step->name_count - 1u, to = at == innermost ? last : place;
        if (at != innermost && place >= last) continue;
        step->names[to] = at->name;
        if (at->is_case) step->case_names |= (uint16_t)(1u << to);
    }
}

enum { ANY_OFFSET = UINT32_MAX };

/// The best edge that a scan meets: the first precise one, or the first if none is precise.
typedef struct choice {
    uint32_t to, offset;
    bool is_made;
    rp_edge edge;
    /// Receives the names of the edge.
    rp_step *step;
} choice;

static void choose(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    choice *at = context;
    if (edge->to != at->to || (at->offset != ANY_OFFSET && edge->offset != at->offset)) return;
    if (!rp_counts_edge(frozen, edge) || (at->is_made && (at->edge.is_precise || !edge->is_precise))) return;
    at->is_made = true;
    at->edge = *edge;
    copy_names(at->step, edge);
}

static void describe_edge(rp_frozen_copy *frozen, const choice *chosen, rp_step *step) {
    if (!chosen->is_made) return;
    const rp_edge *edge = &chosen->edge;
    step->edge = edge->kind;
    step->is_precise = edge->is_precise;
    step->offset = edge->offset;
    step->code = edge->code;
    step->may_be_async = edge->kind != RP_EDGE_FUNCTION && edge->code && !rp_is_code(frozen, edge->code);
    // The place of an element with a key is chance.
    step->index = edge->key_layout ? -1 : edge->index;
    step->is_in_key = edge->is_in_key;
    step->is_in_existential = edge->is_in_existential;
    step->is_slice = edge->slice.is_known;
    step->slice_start = edge->slice.start;
    step->slice_end = edge->slice.end;
    copy_key(frozen, step, edge);
}

/// Whether a word of a task is its parent, or the first of the tasks that await its result.
static bool is_in_fragments(const rp_frozen_copy *frozen, uint32_t offset) {
    enum { SIZE = RP_TASK_CHILD_FRAGMENT + RP_TASK_GROUP_CHILD_FRAGMENT + sizeof(uintptr_t) };
    uint64_t start = frozen->request->facts.task_size;
    return start != 0 && offset >= start && offset < start + SIZE;
}

/// Chooses the best edge from a block, or that of a possible holder. Scans a large block only where the edge is listed.
static void choose_in_block(rp_frozen_copy *frozen, uint32_t from, const rp_candidate *candidate, choice *chosen) {
    const rp_large_block *large = rp_large_block_of(frozen, from);
    rp_part part;
    if (large && rp_find_part(large, chosen->to, &part)) {
        if (candidate) part.position = candidate->position;
        rp_scan_part(frozen, from, &part, choose, chosen);
    }
    if (!chosen->is_made) rp_scan_block(frozen, from, choose, chosen);
}

static void describe_edge_in(
    rp_frozen_copy *frozen, uint32_t from, uint32_t to, const rp_candidate *candidate, rp_step *step) {
    choice chosen = {.to = to, .offset = candidate ? candidate->offset : ANY_OFFSET, .step = step};
    choose_in_block(frozen, from, candidate, &chosen);
    // The memory of frames contains stale functions of earlier calls. The word behind such a function may no longer be
    // its context.
    bool is_context = frozen->types.list[frozen->heap.blocks[to].type].node == RP_NODE_CLOSURE;
    if (!is_context && rp_is_in_frames(frozen, from, chosen.edge.offset)) chosen.edge.code = 0;
    describe_edge(frozen, &chosen, step);
    step->is_awaited = step->node == RP_NODE_TASK && is_in_fragments(frozen, step->offset);
    if (step->node != RP_NODE_TASK || !chosen.is_made) return;
    if (!chosen.edge.is_precise && chosen.edge.offset >= rp_offset_of_frames(frozen, from)) {
        rp_describe_functions(frozen, from, frozen->heap.blocks[from].address + chosen.edge.offset, step);
    } else if (chosen.edge.kind != RP_EDGE_FUNCTION) {
        rp_describe_waiting_function(frozen, from, step);
    }
}

void rp_describe_edge(rp_frozen_copy *frozen, uint32_t from, uint32_t to, rp_step *step) {
    describe_edge_in(frozen, from, to, NULL, step);
}

void rp_describe_candidate(rp_frozen_copy *frozen, const rp_candidate *candidate, uint32_t to, rp_step *step) {
    describe_edge_in(frozen, candidate->from, to, candidate, step);
}

/// Whether a variable may be unowned: precise edges and image data account for more strong references than the object
/// has, or layouts declare fewer unowned references than it has.
static bool is_contested(const rp_frozen_copy *frozen, uint32_t block) {
    const rp_block *object = frozen->heap.blocks + block;
    if (!frozen->totals.are_complete || !object->type) return false;
    rp_reference_counts counts = rp_counts_of(frozen, object->address);
    uint32_t precise = frozen->totals.precise[block], unowned = frozen->totals.unowned[block];
    if (counts.strong == 0 || precise >= counts.strong) return false;
    // Conservative edges from elsewhere prove nothing.
    bool are_too_many = frozen->totals.in_variables[block] > counts.strong - precise;
    return are_too_many || (unowned < UINT8_MAX && counts.unowned > unowned);
}

/// Whether it is unknown if a word of image data owns an object. A word that no symbol describes may be `unowned` or
/// `Unmanaged`, like a property of a struct of which only a part is known, and a variable of C may not have retained
/// the object. Such words refer to instances of the program's classes, not to collections, closures or boxes.
static bool is_unknown_variable(const rp_frozen_copy *frozen, const rp_root *root, uint32_t to) {
    const rp_request *request = frozen->request;
    if (rp_is_in(request->named, request->named_count, root->address)) return false;
    const rp_type *type = frozen->types.list + frozen->heap.blocks[to].type;
    return type->node == RP_NODE_OBJECT && (!type->layout || type->layout->tail == RP_TAIL_NONE);
}

/// Adds the bounds of a slice, if the words of a variable of unknown type are those of one: the storage of an array,
/// the address of its first element, and bounds within the array.
static void describe_slice(const rp_frozen_copy *frozen, uintptr_t address, uint32_t to, rp_step *step) {
    const rp_block *storage = frozen->heap.blocks + to;
    const rp_type *type = frozen->types.list + storage->type;
    if (!type->layout || type->layout->tail != RP_TAIL_ARRAY || !rp_is_readable(frozen, address, RP_SLICE_SIZE)) return;
    uint64_t first = rp_read64(address + RP_SLICE_FIRST_ELEMENT), start = rp_read64(address + RP_SLICE_START);
    uint64_t end = rp_read64(address + RP_SLICE_END_AND_FLAG) >> 1;
    uint64_t count = rp_read64(storage->address + RP_ARRAY_COUNT);
    step->is_slice = first == storage->address + RP_ARRAY_ELEMENTS && start <= end && end <= count;
    step->slice_start = (int64_t)start;
    step->slice_end = (int64_t)end;
}

static void describe_variable(rp_frozen_copy *frozen, const rp_root *root, uint32_t to, rp_step *step) {
    choice chosen = {.to = to, .offset = (uint32_t)(root->address - root->object), .step = step};
    rp_scan_variable(frozen, root->object, root->object_size, root->layout, choose, &chosen);
    describe_edge(frozen, &chosen, step);
    step->address = root->address;
    // The variable may have retained the object manually, or not at all.
    step->is_contested = !step->is_precise && (chosen.edge.is_unmanaged || is_contested(frozen, to));
}

void rp_describe_root(rp_frozen_copy *frozen, const rp_root *root, uint32_t to, rp_step *step) {
    memset(step, 0, sizeof *step);
    step->node = root->node;
    step->index = -1;
    step->thread = root->thread;
    step->is_reached = true;
    if (root->layout) {
        describe_variable(frozen, root, to, step);
        return;
    }
    if (root->object) {
        step->address = root->object;
        step->size = root->object_size;
        step->metadata = frozen->types.list[root->type].metadata;
        choice chosen = {.to = to, .offset = (uint32_t)(root->address - root->object), .step = step};
        rp_scan_object(
            frozen, root->object, root->object_size, frozen->types.list + root->type, choose, &chosen);
        describe_edge(frozen, &chosen, step);
        return;
    }
    if (rp_is_root_of_task(root)) {
        step->edge = RP_EDGE_STRONG;
        step->is_precise = true;
        return;
    }
    step->address = root->address;
    uintptr_t before = rp_read64(root->address - sizeof(uintptr_t));
    bool is_start = (rp_read64(root->address) & RP_ADDRESS_BITS) == frozen->heap.blocks[to].address;
    // A variable with the address of an object holds it. In other memory, the address may be stale.
    bool is_certain = root->node == RP_NODE_ROOT_DATA && is_start && frozen->heap.blocks[to].type;
    step->is_contested = is_certain && (is_contested(frozen, to) || is_unknown_variable(frozen, root, to));
    is_certain &= !step->is_contested;
    step->edge = is_certain ? RP_EDGE_STRONG : RP_EDGE_CONSERVATIVE;
    step->is_precise = is_certain;
    if (is_certain) describe_slice(frozen, root->address, to, step);
    if (root->node == RP_NODE_ROOT_STACK) rp_describe_stack_frames(frozen, root->address, step);
    // On a stack, any function may lie before an object. A closure's context is more likely to have one.
    bool is_context = frozen->types.list[frozen->heap.blocks[to].type].node == RP_NODE_CLOSURE;
    if (root->node == RP_NODE_ROOT_STACK && !is_context) return;
    if (!rp_may_be_function(frozen, before)) return;
    step->code = before;
    step->may_be_async = !rp_is_code(frozen, before);
    if (is_certain && rp_is_code(frozen, before)) step->edge = RP_EDGE_FUNCTION;
}

#endif
