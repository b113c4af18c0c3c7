#ifdef __linux__
#include "frozen_copy.h"
#include "Heap/runtime_layout.h"

// Which blocks are objects, and which of the objects are alive.

/// Whether the word behind a possible address of metadata can be the reference counts of an object.
static bool are_counts(const rp_frozen_copy *frozen, uintptr_t object, uint64_t bits) {
    if ((bits & RP_COUNTS_SIDE_TABLE) == RP_COUNTS_SIDE_TABLE) {
        uintptr_t table = rp_side_table_of(bits);
        return rp_is_readable(frozen, table, RP_SIDE_TABLE_SIZE) && rp_read64(table) == object;
    }
    return bits & RP_COUNTS_USE_SLOW || (bits & RP_COUNTS_PURE && rp_unowned_bits(bits) > 0);
}

rp_reference_counts rp_counts_of(const rp_frozen_copy *frozen, uintptr_t object) {
    rp_reference_counts counts = {.side_table = RP_NO_BLOCK};
    uint64_t bits = rp_read64(object + RP_OBJECT_COUNTS);
    if ((bits & RP_COUNTS_SIDE_TABLE) == RP_COUNTS_SIDE_TABLE) {
        uintptr_t table = rp_side_table_of(bits);
        if (!rp_is_readable(frozen, table, RP_SIDE_TABLE_SIZE)) return counts;
        counts.side_table = rp_block_at(frozen, table);
        uint32_t weak = rp_read32(table + RP_SIDE_TABLE_WEAK);
        // The weak count includes one on behalf of all unowned references together (RefCount.h).
        counts.weak = weak > 0 ? weak - 1 : 0;
        bits = rp_read64(table + RP_SIDE_TABLE_COUNTS);
    } else if (bits & RP_COUNTS_USE_SLOW) {
        return counts;
    }
    counts.strong = rp_strong_extra_bits(bits) + 1;
    uint32_t unowned = rp_unowned_bits(bits);
    // The unowned count includes one for all strong references together.
    counts.unowned = unowned > 0 ? unowned - 1 : 0;
    counts.is_deinitializing = bits & RP_COUNTS_DEINITIALIZING;
    return counts;
}

/// Marks the blocks of the tracer, which are not part of the program.
static void skip_own_blocks(rp_frozen_copy *frozen) {
    const rp_request *request = frozen->request;
    for (uint32_t index = 0; index < request->own_block_count; index++) {
        uint32_t block = rp_block_around(frozen, request->own_blocks[index].start);
        if (block != RP_NO_BLOCK) frozen->heap.blocks[block].flags |= RP_BLOCK_DEAD;
    }
}

void rp_classify_blocks(rp_frozen_copy *frozen) {
    rp_prepare_types(frozen);
    skip_own_blocks(frozen);
    rp_counts *counts = &frozen->answer->counts;
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        rp_block *block = frozen->heap.blocks + index;
        if (block->size < RP_OBJECT_HEADER || block->flags & RP_BLOCK_DEAD) continue;
        if (rp_is_cached(frozen, block)) {
            block->flags |= RP_BLOCK_DEAD;
            counts->free_blocks++;
            continue;
        }
        uint32_t type = rp_heap_type(frozen, rp_read64(block->address));
        if (!type || frozen->types.list[type].instance_size > block->size) continue;
        uint64_t bits = rp_read64(block->address + RP_OBJECT_COUNTS);
        if (!are_counts(frozen, block->address, bits)) continue;
        block->type = type;
        counts->objects++;
        if (!(bits & (RP_COUNTS_USE_SLOW | RP_COUNTS_DEINITIALIZING))) continue;
        rp_reference_counts references = rp_counts_of(frozen, block->address);
        if (references.side_table != RP_NO_BLOCK) {
            // The side table's first word is the address of the object, but the side table does not hold the object.
            frozen->heap.blocks[references.side_table].flags |= RP_BLOCK_DEAD;
            counts->side_tables++;
        }
        if (references.is_deinitializing) {
            block->flags |= RP_BLOCK_DEAD | RP_BLOCK_DEINITIALIZING;
            counts->deinitializing++;
        }
    }
    counts->blocks = frozen->heap.block_count - counts->free_blocks;
    counts->types = frozen->types.count - 1;
}

#endif
