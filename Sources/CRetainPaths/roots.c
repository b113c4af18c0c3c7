#ifdef __linux__
#include "malloc_layout.h"
#include "runtime_layout.h"
#include "snapshot.h"

// References from outside the heap: global and static variables, thread-local variables, other mapped memory, stacks.

typedef struct visit {
    rp_snapshot *snapshot;
    rp_root_visitor visitor;
    void *context;
    rp_root root;
    /// Whether the visit covers variables of the system, and whether the current image is a library of the system.
    bool wants_system, image_is_of_system;
    /// The first of `rp_request.variables` that does not end before the current word.
    uint32_t variable;
} visit;

void rp_prepare_roots(rp_snapshot *snapshot) {
    const rp_request *request = snapshot->request;
    for (uint32_t index = 0; index < request->image_data_count; index++) {
        rp_range data = request->image_data[index].range;
        // The last page belongs to the image as a whole: zero-initialized variables begin within the last page of the
        // file's data.
        data.end = (data.end + RP_PAGE - 1) & ~(uintptr_t)(RP_PAGE - 1);
        rp_claim(snapshot, data);
    }
    for (uint32_t index = 0; index < request->own_memory_count; index++) {
        rp_claim(snapshot, request->own_memory[index]);
    }
    for (uint32_t index = 0; index < snapshot->part_count; index++) {
        rp_claim(snapshot, (rp_range){snapshot->parts[index].start, snapshot->parts[index].end});
    }
}

static bool is_in(const rp_range *ranges, uint32_t count, uintptr_t address) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ranges[middle].end <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && ranges[low].start <= address;
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
static bool is_wanted(const visit *at, uintptr_t address) {
    const rp_request *request = at->snapshot->request;
    if (is_in(request->excluded, request->excluded_count, address)) return false;
    if (is_pending(request, address)) return false;
    bool is_of_system = at->image_is_of_system || is_in(request->system, request->system_count, address);
    return is_of_system == at->wants_system;
}

static void visit_word(visit *at, uintptr_t address, uintptr_t word, uintptr_t before) {
    uint32_t to = rp_look_like_reference(at->snapshot, word);
    if (to == RP_NO_BLOCK) return;
    rp_edge edge = {.to = to, .index = -1, .kind = RP_EDGE_CONSERVATIVE};
    // A function's code precedes its context.
    if (rp_may_be_function(at->snapshot, before)) edge.code = before;
    at->root.address = address;
    at->visitor(at->snapshot, &at->root, &edge, at->context);
}

static void visit_words(visit *at, uintptr_t start, uintptr_t end) {
    uintptr_t before = 0;
    for (uintptr_t address = (start + 7) & ~(uintptr_t)7; address + sizeof(uintptr_t) <= end;
         address += sizeof(uintptr_t)) {
        uintptr_t word = rp_read64(address);
        if (word >= at->snapshot->heap_start) visit_word(at, address, word, before);
        before = word;
    }
}

static void visit_edge_of_static_object(rp_snapshot *snapshot, const rp_edge *edge, void *context) {
    visit *at = context;
    at->root.address = at->root.object + edge->offset;
    at->visitor(snapshot, &at->root, edge, at->context);
}

/// Returns the size of the static object whose header is at an address; 0 if there is no such object.
static uint32_t static_object_size(rp_snapshot *snapshot, uintptr_t address, uintptr_t end, uint32_t *type_index) {
    uintptr_t metadata = rp_read64(address);
    if (end - address < RP_OBJECT_HEADER || !rp_is_static_header(rp_read64(address + RP_OBJECT_COUNTS))) return 0;
    *type_index = rp_heap_type(snapshot, metadata);
    if (!*type_index) return 0;
    const rp_type *type = snapshot->types + *type_index;
    const rp_layout *layout = type->layout;
    if (type->node != RP_NODE_OBJECT || !layout || type->instance_size > end - address) return 0;
    uint64_t size = type->instance_size;
    const rp_layout *element = rp_layout_at(snapshot, layout->element);
    if (layout->tail == RP_TAIL_ARRAY && element) {
        uint64_t count = rp_read64(address + RP_ARRAY_COUNT);
        uint64_t alignment = element->alignment > 1 ? element->alignment : 1;
        if (count > (end - address) / (element->stride ? element->stride : 1)) return 0;
        size = (RP_ARRAY_ELEMENTS + alignment - 1) / alignment * alignment + count * element->stride;
    }
    return size <= end - address && size <= UINT32_MAX ? (uint32_t)size : 0;
}

static void visit_static_object(visit *at, uintptr_t address, uint32_t size, uint32_t type) {
    rp_snapshot *snapshot = at->snapshot;
    at->root.object = address;
    at->root.object_size = size;
    at->root.type = type;
    at->root.node = RP_NODE_STATIC_OBJECT;
    snapshot->answer->counts.static_objects++;
    rp_scan_object(snapshot, address, size, snapshot->types + type, visit_edge_of_static_object, at);
    at->root = (rp_root){.node = RP_NODE_ROOT_DATA, .is_of_system = at->wants_system};
}

/// Returns the variable that contains an address; NULL if there is none. The addresses must rise from call to call.
static const rp_range *variable_at(visit *at, uintptr_t address) {
    const rp_request *request = at->snapshot->request;
    while (at->variable < request->variable_count && request->variables[at->variable].end <= address) at->variable++;
    if (at->variable == request->variable_count) return NULL;
    const rp_range *found = request->variables + at->variable;
    return found->start <= address ? found : NULL;
}

static void find_first_variable(visit *at, uintptr_t address) {
    const rp_request *request = at->snapshot->request;
    uint32_t low = 0, high = request->variable_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (request->variables[middle].end <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    at->variable = low;
}

static void note_unknown_variable(rp_snapshot *snapshot, const rp_range *variable) {
    rp_answer *answer = snapshot->answer;
    uint32_t count = answer->unknown_variable_count;
    // Variables are visited in the order of their addresses, and all of them are visited while references are counted.
    if (snapshot->is_counted || (count > 0 && answer->unknown_variables[count - 1].start == variable->start)) return;
    if (count == RP_MAX_UNKNOWN_VARIABLES) {
        answer->unknown_variables_dropped++;
    } else {
        answer->unknown_variables[answer->unknown_variable_count++] = *variable;
    }
}

/// Visits a variable by its layout; returns false if its layout is not known.
static bool visit_variable(visit *at, const rp_range *variable) {
    rp_snapshot *snapshot = at->snapshot;
    rp_layout_index index = rp_find_layout(snapshot->request->layouts, rp_variable_key(variable->start));
    const rp_layout *layout = rp_layout_at(snapshot, index);
    if (!layout || layout->kind != RP_LAYOUT_VALUE) return false;
    if (at->image_is_of_system != at->wants_system) return true;
    at->root.object = variable->start;
    at->root.object_size = (uint32_t)(variable->end - variable->start);
    at->root.layout = layout;
    rp_scan_variable(
        snapshot, variable->start, at->root.object_size, layout, visit_edge_of_static_object, at);
    at->root = (rp_root){.node = RP_NODE_ROOT_DATA, .is_of_system = at->wants_system};
    return true;
}

/// Notes a variable without a layout that seems to contain a reference.
static void look_for_layout(visit *at, const rp_range *variable, uintptr_t word) {
    rp_snapshot *snapshot = at->snapshot;
    if (rp_look_like_reference(snapshot, word) == RP_NO_BLOCK) return;
    if (rp_find_layout(snapshot->request->layouts, rp_variable_key(variable->start)) != 0) return;
    note_unknown_variable(snapshot, variable);
}

static void visit_image_data(visit *at, uintptr_t start, uintptr_t end) {
    rp_snapshot *snapshot = at->snapshot;
    find_first_variable(at, start);
    at->root = (rp_root){.node = RP_NODE_ROOT_DATA, .is_of_system = at->wants_system};
    uintptr_t before = 0;
    uintptr_t address = (start + 7) & ~(uintptr_t)7;
    while (address + sizeof(uintptr_t) <= end) {
        uintptr_t word = rp_read64(address);
        uint32_t type = 0;
        const rp_range *variable = variable_at(at, address);
        if (variable && variable->start == address && variable->end <= end && visit_variable(at, variable)) {
            address = (variable->end + 7) & ~(uintptr_t)7;
            before = 0;
            continue;
        }
        uint32_t size = word >= RP_PAGE ? static_object_size(snapshot, address, end, &type) : 0;
        if (size) {
            if (at->image_is_of_system == at->wants_system) visit_static_object(at, address, size, type);
            address += (size + 7) & ~7u;
            before = 0;
            continue;
        }
        if (word >= snapshot->heap_start && is_wanted(at, address)) {
            visit_word(at, address, word, before);
            if (variable) look_for_layout(at, variable, word);
        }
        before = word;
        address += sizeof(uintptr_t);
    }
}

/// Skips malloc's lists of free blocks in the main arena. Their pointers lead to chunk headers, which look like the end
/// of the preceding blocks.
static void visit_around_arena(visit *at, uintptr_t start, uintptr_t end) {
    uintptr_t arena = at->snapshot->main_arena, behind = arena + RP_ARENA_SIZE;
    if (behind <= start || arena >= end) {
        visit_image_data(at, start, end);
        return;
    }
    if (arena > start) visit_image_data(at, start, arena);
    if (behind < end) visit_image_data(at, behind, end);
}

static void visit_data(visit *at, bool wants_system) {
    const rp_request *request = at->snapshot->request;
    const uint32_t needed = RP_MAPPING_READABLE | RP_MAPPING_WRITABLE;
    for (uint32_t index = 0; index < request->image_data_count; index++) {
        const rp_image_data *image = request->image_data + index;
        if (wants_system ? !image->is_of_system && !image->has_system_parts : image->is_of_system) continue;
        rp_range data = image->range;
        at->wants_system = wants_system;
        at->image_is_of_system = image->is_of_system;
        while (data.start < data.end) {
            const rp_mapping *mapping = rp_mapping_at(at->snapshot, data.start);
            uintptr_t end = mapping ? mapping->end : (data.start + RP_PAGE) & ~(uintptr_t)(RP_PAGE - 1);
            if (end > data.end) end = data.end;
            // Relocated data that the loader has made read-only contains no references to the heap.
            if (mapping && (mapping->flags & needed) == needed) visit_around_arena(at, data.start, end);
            data.start = end;
        }
    }
}

static bool is_mapped(const rp_snapshot *snapshot, rp_range range) {
    const uint32_t needed = RP_MAPPING_READABLE | RP_MAPPING_WRITABLE;
    const rp_mapping *mapping = rp_mapping_at(snapshot, range.start);
    return mapping && range.end <= mapping->end && (mapping->flags & needed) == needed;
}

/// Visits the variables of C libraries that list pending work. Other variables of these libraries are visited with
/// those of the system.
static void visit_pending(visit *at) {
    // These roots are farther away than the program's variables, so an object that both hold is reported with the
    // program's variable, even if that path is longer. Work that waits for a timer is reported with the timer, even
    // while it is being handed over.
    enum { FAR = 8, FARTHER = 12 };
    const rp_request *request = at->snapshot->request;
    for (uint32_t index = 0; index < request->pending_count; index++) {
        rp_range range = request->pending[index].range;
        uint8_t distance = request->pending[index].is_in_transit ? FARTHER : FAR;
        at->root = (rp_root){.node = RP_NODE_ROOT_DATA, .is_of_system = true, .distance = distance};
        if (is_mapped(at->snapshot, range)) visit_words(at, range.start, range.end);
    }
}

static void visit_thread_parts(visit *at, uint8_t node) {
    for (uint32_t index = 0; index < at->snapshot->thread_part_count; index++) {
        const rp_thread_part *part = at->snapshot->thread_parts + index;
        if (part->node != node) continue;
        at->root = (rp_root){.node = node, .thread = part->thread};
        visit_words(at, part->range.start, part->range.end);
    }
}

static void visit_anonymous(visit *at) {
    rp_snapshot *snapshot = at->snapshot;
    const uint32_t needed = RP_MAPPING_READABLE | RP_MAPPING_WRITABLE;
    uint32_t cursor = 0;
    at->root = (rp_root){.node = RP_NODE_ROOT_ANONYMOUS};
    for (uint32_t index = 0; index < snapshot->mapping_count; index++) {
        const rp_mapping *mapping = snapshot->mappings + index;
        if ((mapping->flags & ~(uint32_t)RP_MAPPING_EXECUTABLE) != needed) continue;
        rp_range free = {mapping->start, mapping->start};
        for (;;) {
            free = rp_unclaimed_from(snapshot, free.end, mapping->end, &cursor);
            if (free.start >= free.end) break;
            uintptr_t page = rp_next_touched_page(snapshot, free.start & ~(uintptr_t)(RP_PAGE - 1), free.end);
            while (page < free.end) {
                uintptr_t end = page + RP_PAGE;
                visit_words(at, page < free.start ? free.start : page, end < free.end ? end : free.end);
                page = rp_next_touched_page(snapshot, end, free.end);
            }
        }
    }
}

// No memory that the search covers refers to a requesting task, but the task's variables hold objects like variables on
// a stack.
static void visit_task(visit *at, uint32_t index) {
    bool waits = index >= at->snapshot->first_waiting_task;
    at->root = (rp_root){.node = waits ? RP_NODE_ROOT_WAITING_TASK : RP_NODE_ROOT_TASK};
    visit_word(at, 0, at->snapshot->asking_tasks[index], 0);
}

void rp_visit_task(rp_snapshot *snapshot, uint32_t index, rp_root_visitor visitor, void *context) {
    visit at = {.snapshot = snapshot, .visitor = visitor, .context = context};
    visit_task(&at, index);
}

void rp_visit_roots(rp_snapshot *snapshot, uint32_t kinds, rp_root_visitor visitor, void *context) {
    visit at = {.snapshot = snapshot, .visitor = visitor, .context = context};
    if (kinds & RP_ROOTS_DATA) {
        visit_data(&at, false);
        visit_pending(&at);
    }
    if (kinds & RP_ROOTS_SYSTEM) visit_data(&at, true);
    if (kinds & RP_ROOTS_THREADS_AND_ANONYMOUS) {
        visit_thread_parts(&at, RP_NODE_ROOT_THREAD_LOCAL);
        visit_anonymous(&at);
    }
    if (kinds & RP_ROOTS_STACKS) {
        for (uint32_t index = 0; index < snapshot->first_waiting_task; index++) visit_task(&at, index);
        visit_thread_parts(&at, RP_NODE_ROOT_STACK);
    }
    if (kinds & RP_ROOTS_WAITING_TASKS) {
        uint32_t first = snapshot->first_waiting_task;
        for (uint32_t index = first; index < snapshot->asking_task_count; index++) visit_task(&at, index);
    }
}

#endif
