#ifdef __linux__
#include "frozen_copy.h"
#include "Heap/runtime_layout.h"

// The blocks of each line, and their bytes. Every byte of a block counts, with malloc's header, so that the sum of all
// lines is what malloc says is in use.

enum { C_BLOCK_FUNCTION = 16 };

/// Returns the metadata of the first object in the storage of an array of references; 0 if there is none. All arrays of
/// references have the same type of storage, which does not name the class.
static uintptr_t first_class(const rp_frozen_copy *frozen, const rp_block *block, const rp_layout *layout) {
    if (!layout || layout->tail != RP_TAIL_ARRAY || block->size < RP_ARRAY_ELEMENTS + sizeof(uintptr_t)) return 0;
    const rp_layout *element = rp_layout_at(frozen, layout->element);
    if (!element || element->size != sizeof(uintptr_t) || rp_read64(block->address + RP_ARRAY_COUNT) == 0) return 0;
    uint32_t first = rp_block_at(frozen, rp_read64(block->address + RP_ARRAY_ELEMENTS) & RP_ADDRESS_BITS);
    if (first == RP_NO_BLOCK || !frozen->heap.blocks[first].type) return 0;
    return frozen->types.list[frozen->heap.blocks[first].type].metadata;
}

static uint32_t line_of_object(rp_frozen_copy *frozen, uint32_t index) {
    const rp_block *block = frozen->heap.blocks + index;
    const rp_type *type = frozen->types.list + block->type;
    uint32_t number = frozen->lines.line_of[index];
    uintptr_t detail = first_class(frozen, block, type->layout);
    if (number & RP_IS_CONTEXT) detail = frozen->lines.functions[number & ~RP_IS_CONTEXT];
    if (type->node == RP_NODE_ERROR_BOX && block->size >= RP_ERROR_VALUE) {
        uintptr_t value = rp_read64(block->address + RP_ERROR_TYPE);
        if (rp_value_type(frozen, value)) detail = value;
    }
    return rp_line_for(frozen, RP_LINE_OBJECTS, type->node, type->metadata, detail);
}

static uint32_t line_of_raw_block(rp_frozen_copy *frozen, const rp_block *block) {
    if (rp_is_slab(frozen, block)) return RP_LINE_TASK_MEMORY;
    uintptr_t first = rp_read64(block->address);
    if (rp_is_c_block(frozen, block)) {
        return rp_line_for(frozen, RP_LINE_BLOCKS, 0, first, rp_read64(block->address + C_BLOCK_FUNCTION));
    }
    if (rp_is_continuation(frozen, block)) return RP_LINE_CONTINUATIONS;
    const rp_mapping *mapping = first % sizeof(uintptr_t) == 0 ? rp_mapping_at(frozen, first) : NULL;
    bool is_in_image = mapping && mapping->flags & RP_MAPPING_OF_FILE && !(mapping->flags & RP_MAPPING_EXECUTABLE);
    return is_in_image ? rp_line_for(frozen, RP_LINE_BLOCKS, 0, first, 0) : RP_LINE_UNKNOWN;
}

static void count(rp_frozen_copy *frozen, uint32_t line, uint64_t blocks, uint64_t bytes) {
    frozen->lines.census->lines[line].count += blocks;
    frozen->lines.census->lines[line].bytes += bytes;
}

void rp_count_blocks(rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        const rp_block *block = frozen->heap.blocks + index;
        uint32_t line = frozen->lines.line_of[index];
        if (!line || line & RP_IS_CONTEXT) {
            line = block->type ? line_of_object(frozen, index) : line_of_raw_block(frozen, block);
            frozen->lines.line_of[index] = line;
        }
        count(frozen, line, 1, rp_bytes_of(block));
    }
    for (uint32_t index = 0; index < frozen->heap.part_count; index++) {
        const rp_heap_part *part = frozen->heap.parts + index;
        if (part->first > part->start) count(frozen, RP_LINE_ALLOCATOR, 1, part->first - part->start);
    }
    count(frozen, RP_LINE_LEFT_OUT, frozen->heap.left_out, frozen->heap.left_out_bytes);
}

#endif
