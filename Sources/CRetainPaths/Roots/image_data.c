#ifdef __linux__
#include "Heap/malloc_layout.h"
#include "Heap/runtime_layout.h"
#include "Roots/visit.h"

// The data of images: global and static variables, and static objects.

bool rp_is_in(const rp_range *ranges, uint32_t count, uintptr_t address) {
    rp_range_cursor at = rp_ranges_from(ranges, count, address);
    return rp_next_range_at(&at, address) != NULL;
}

static bool is_pending(const rp_request *request, uintptr_t address) {
    // A linear search is enough for the few ranges.
    for (uint32_t index = 0; index < request->pending_count; index++) {
        rp_range range = request->pending[index].range;
        if (address >= range.start && address < range.end) return true;
    }
    return false;
}

/// Whether a word of an image's data is among those that this visit covers, and may be a reference at all.
///
/// The addresses must rise from call to call.
static bool is_wanted(rp_visit *at, uintptr_t address) {
    const rp_request *request = at->frozen->request;
    // The variables of the tracer are excluded from paths, but they hold what the tracer uses.
    if (!rp_visits_tracer(at->frozen) && rp_next_range_at(&at->excluded, address)) return false;
    if (is_pending(request, address)) return false;
    bool is_of_system = at->image_is_of_system || rp_next_range_at(&at->system, address);
    return is_of_system == at->wants_system;
}

static rp_root plain_root(const rp_visit *at) {
    return (rp_root){
        .node = RP_NODE_ROOT_DATA, .is_of_system = at->wants_system, .is_of_tracer = at->image_is_of_tracer};
}

static void visit_edge_of_static_object(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    rp_visit *at = context;
    at->root.address = at->root.object + edge->offset;
    at->visitor(frozen, &at->root, edge, at->context);
}

/// Whether the second word of a possible object's header is that of an object in an image's data.
static bool is_static_header(uint64_t reference_counts) {
    bool is_immortal = (reference_counts & RP_COUNTS_IMMORTAL_BITS) == RP_COUNTS_IMMORTAL_BITS;
    if (is_immortal && (reference_counts & RP_COUNTS_SIDE_TABLE) == RP_COUNTS_USE_SLOW) return true;
    return (reference_counts & RP_COUNTS_STATIC_MASK) == RP_COUNTS_STATIC
        && !(reference_counts & RP_COUNTS_DEINITIALIZING)
        && rp_strong_extra_bits(reference_counts) < RP_MOST_STATIC_COUNTS;
}

/// Returns the size of the static object whose header is at an address; 0 if there is no such object.
static uint32_t static_object_size(rp_frozen_copy *frozen, uintptr_t address, uintptr_t end, uint32_t *type_index) {
    uintptr_t metadata = rp_read64(address);
    if (end - address < RP_OBJECT_HEADER || !is_static_header(rp_read64(address + RP_OBJECT_COUNTS))) return 0;
    *type_index = rp_heap_type(frozen, metadata);
    if (!*type_index) return 0;
    const rp_type *type = frozen->types.list + *type_index;
    const rp_layout *layout = type->layout;
    if (type->node != RP_NODE_OBJECT || !layout || type->instance_size > end - address) return 0;
    uint64_t size = type->instance_size;
    const rp_layout *element = rp_layout_at(frozen, layout->element);
    if (layout->tail == RP_TAIL_ARRAY && element) {
        uint64_t count = rp_read64(address + RP_ARRAY_COUNT);
        uint64_t alignment = element->alignment > 1 ? element->alignment : 1;
        if (count > (end - address) / (element->stride ? element->stride : 1)) return 0;
        size = (RP_ARRAY_ELEMENTS + alignment - 1) / alignment * alignment + count * element->stride;
    }
    return size <= end - address && size <= UINT32_MAX ? (uint32_t)size : 0;
}

static void visit_static_object(rp_visit *at, uintptr_t address, uint32_t size, uint32_t type) {
    rp_frozen_copy *frozen = at->frozen;
    at->root.object = address;
    at->root.object_size = size;
    at->root.type = type;
    at->root.node = RP_NODE_STATIC_OBJECT;
    frozen->answer->counts.static_objects++;
    rp_scan_object(frozen, address, size, frozen->types.list + type, visit_edge_of_static_object, at);
    at->root = plain_root(at);
}

static void begin_at(rp_visit *at, uintptr_t address) {
    const rp_request *request = at->frozen->request;
    at->variables = rp_ranges_from(request->variables, request->variable_count, address);
    at->excluded = rp_ranges_from(request->excluded, request->excluded_count, address);
    at->system = rp_ranges_from(request->system, request->system_count, address);
}

static void note_unknown_variable(rp_frozen_copy *frozen, const rp_range *variable) {
    rp_answer *answer = frozen->answer;
    uint32_t count = answer->unknown_variable_count;
    // Variables are visited in the order of their addresses, and all of them are visited while references are counted.
    bool is_noted = count > 0 && answer->unknown_variables[count - 1].start == variable->start;
    if (frozen->totals.are_complete || is_noted) return;
    if (count == RP_MAX_UNKNOWN_VARIABLES) {
        answer->unknown_variables_dropped++;
    } else {
        answer->unknown_variables[answer->unknown_variable_count++] = *variable;
    }
}

/// Visits the object in a variable that the compiler laid out as an object; returns false if the class's layout is not
/// known. If the program reads the object's properties only in place, nothing ever writes its header.
static bool visit_object_without_header(rp_visit *at, const rp_range *variable, const rp_layout *layout) {
    rp_frozen_copy *frozen = at->frozen;
    uintptr_t object = variable->start + RP_STATIC_OBJECT_FLAG;
    if (rp_read64(object) || rp_read64(object + RP_OBJECT_COUNTS)) return false;
    uint32_t type = rp_heap_type(frozen, layout->object_class);
    if (!type || !frozen->types.list[type].layout) return false;
    if (at->image_is_of_system != at->wants_system) return true;
    visit_static_object(at, object, (uint32_t)(variable->end - object), type);
    return true;
}

/// Visits a variable by its layout; returns false if its layout is not known.
static bool visit_variable(rp_visit *at, const rp_range *variable) {
    rp_frozen_copy *frozen = at->frozen;
    rp_layout_index index = rp_find_layout(frozen->request->layouts, rp_variable_key(variable->start));
    const rp_layout *layout = rp_layout_at(frozen, index);
    if (layout && layout->kind == RP_LAYOUT_STATIC_OBJECT) return visit_object_without_header(at, variable, layout);
    if (!layout || layout->kind != RP_LAYOUT_VALUE) return false;
    if (at->image_is_of_system != at->wants_system) return true;
    at->root.object = variable->start;
    at->root.object_size = (uint32_t)(variable->end - variable->start);
    at->root.layout = layout;
    rp_scan_variable(
        frozen, variable->start, at->root.object_size, layout, visit_edge_of_static_object, at);
    at->root = plain_root(at);
    return true;
}

/// Notes a variable without a layout that seems to contain a reference.
static void look_for_layout(rp_visit *at, const rp_range *variable, uintptr_t word) {
    rp_frozen_copy *frozen = at->frozen;
    // A preview does not list all blocks.
    bool is_reference = frozen->heap.is_preview ? rp_part_at(frozen, word) != NULL
                                                : rp_referenced_block(frozen, word) != RP_NO_BLOCK;
    if (!is_reference) return;
    if (rp_find_layout(frozen->request->layouts, rp_variable_key(variable->start)) != 0) return;
    note_unknown_variable(frozen, variable);
}

static void visit_image_data(rp_visit *at, uintptr_t start, uintptr_t end) {
    rp_frozen_copy *frozen = at->frozen;
    begin_at(at, start);
    at->root = plain_root(at);
    uintptr_t before = 0;
    uintptr_t address = (start + 7) & ~(uintptr_t)7;
    // No variable contains an address below this one.
    uintptr_t next_variable = 0;
    while (address + sizeof(uintptr_t) <= end) {
        uintptr_t word = rp_read64(address);
        const rp_range *variable = NULL;
        if (address >= next_variable) {
            variable = rp_next_range_at(&at->variables, address);
            next_variable = rp_next_start(&at->variables);
            if (variable && variable->start == address && variable->end <= end && visit_variable(at, variable)) {
                address = (variable->end + 7) & ~(uintptr_t)7;
                before = 0;
                continue;
            }
        }
        // A word as small as this is neither a reference nor the address of metadata.
        if (word < RP_PAGE) {
            before = word;
            address += sizeof(uintptr_t);
            continue;
        }
        uint32_t type = 0;
        uint32_t size = static_object_size(frozen, address, end, &type);
        if (size) {
            if (at->image_is_of_system == at->wants_system) visit_static_object(at, address, size, type);
            address += (size + 7) & ~7u;
            before = 0;
            continue;
        }
        if (word >= frozen->heap.start && is_wanted(at, address)) {
            rp_visit_word(at, address, word, before);
            if (variable) look_for_layout(at, variable, word);
        }
        before = word;
        address += sizeof(uintptr_t);
    }
}

/// Skips malloc's lists of free blocks in the main arena. Their pointers lead to chunk headers, which look like the end
/// of the preceding blocks.
static void visit_around_arena(rp_visit *at, uintptr_t start, uintptr_t end) {
    uintptr_t arena = at->frozen->heap.main_arena, behind = arena + RP_ARENA_SIZE;
    if (behind <= start || arena >= end) {
        visit_image_data(at, start, end);
        return;
    }
    if (arena > start) visit_image_data(at, start, arena);
    if (behind < end) visit_image_data(at, behind, end);
}

void rp_visit_data(rp_visit *at, bool wants_system) {
    const rp_request *request = at->frozen->request;
    const uint32_t needed = RP_MAPPING_READABLE | RP_MAPPING_WRITABLE;
    for (uint32_t index = 0; index < request->image_data_count; index++) {
        const rp_image_data *image = request->image_data + index;
        if (wants_system ? !image->is_of_system && !image->has_system_parts : image->is_of_system) continue;
        rp_range data = image->range;
        at->wants_system = wants_system;
        at->image_is_of_system = image->is_of_system;
        at->image_is_of_tracer = image->is_of_tracer;
        while (data.start < data.end) {
            const rp_mapping *mapping = rp_mapping_at(at->frozen, data.start);
            uintptr_t end = mapping ? mapping->end : (data.start + RP_PAGE) & ~(uintptr_t)(RP_PAGE - 1);
            if (end > data.end) end = data.end;
            // Relocated data that the loader has made read-only contains no references to the heap.
            if (mapping && (mapping->flags & needed) == needed) visit_around_arena(at, data.start, end);
            data.start = end;
        }
    }
}

#endif
