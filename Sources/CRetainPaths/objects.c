#ifdef __linux__
#include "runtime_layout.h"
#include "scan.h"

// Which blocks are objects, and which of the objects are alive.

bool rp_is_static_header(uint64_t reference_counts) {
    bool is_immortal = (reference_counts & RP_COUNTS_IMMORTAL_BITS) == RP_COUNTS_IMMORTAL_BITS;
    if (is_immortal && (reference_counts & RP_COUNTS_SIDE_TABLE) == RP_COUNTS_USE_SLOW) return true;
    return (reference_counts & RP_COUNTS_STATIC_MASK) == RP_COUNTS_STATIC
        && !(reference_counts & RP_COUNTS_DEINITIALIZING)
        && rp_strong_extra_bits(reference_counts) < RP_MOST_STATIC_COUNTS;
}

/// Whether the word behind a possible address of metadata can be the reference counts of an object.
static bool are_counts(const rp_snapshot *snapshot, uintptr_t object, uint64_t bits) {
    if ((bits & RP_COUNTS_SIDE_TABLE) == RP_COUNTS_SIDE_TABLE) {
        uintptr_t table = rp_side_table_of(bits);
        return rp_is_readable(snapshot, table, RP_SIDE_TABLE_SIZE) && rp_read64(table) == object;
    }
    return bits & RP_COUNTS_USE_SLOW || (bits & RP_COUNTS_PURE && rp_unowned_bits(bits) > 0);
}

rp_reference_counts rp_counts_of(const rp_snapshot *snapshot, uintptr_t object) {
    rp_reference_counts counts = {.side_table = RP_NO_BLOCK};
    uint64_t bits = rp_read64(object + RP_OBJECT_COUNTS);
    if ((bits & RP_COUNTS_SIDE_TABLE) == RP_COUNTS_SIDE_TABLE) {
        uintptr_t table = rp_side_table_of(bits);
        if (!rp_is_readable(snapshot, table, RP_SIDE_TABLE_SIZE)) return counts;
        counts.side_table = rp_block_at(snapshot, table);
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
static void pass_over_own_blocks(rp_snapshot *snapshot) {
    const rp_request *request = snapshot->request;
    for (uint32_t index = 0; index < request->own_block_count; index++) {
        uint32_t block = rp_block_around(snapshot, request->own_blocks[index].start);
        if (block != RP_NO_BLOCK) snapshot->blocks[block].flags |= RP_BLOCK_DEAD;
    }
}

void rp_classify_blocks(rp_snapshot *snapshot) {
    rp_prepare_types(snapshot);
    pass_over_own_blocks(snapshot);
    rp_counts *counts = &snapshot->answer->counts;
    for (uint32_t index = 0; index < snapshot->block_count; index++) {
        rp_block *block = snapshot->blocks + index;
        if (block->size < RP_OBJECT_HEADER || block->flags & RP_BLOCK_DEAD) continue;
        if (rp_is_cached(snapshot, block)) {
            block->flags |= RP_BLOCK_DEAD;
            counts->free_blocks++;
            continue;
        }
        uint32_t type = rp_heap_type(snapshot, rp_read64(block->address));
        if (!type || snapshot->types[type].instance_size > block->size) continue;
        uint64_t bits = rp_read64(block->address + RP_OBJECT_COUNTS);
        if (!are_counts(snapshot, block->address, bits)) continue;
        block->type = type;
        counts->objects++;
        if (!(bits & (RP_COUNTS_USE_SLOW | RP_COUNTS_DEINITIALIZING))) continue;
        rp_reference_counts references = rp_counts_of(snapshot, block->address);
        if (references.side_table != RP_NO_BLOCK) {
            // The side table's first word is the address of the object, but the side table does not hold the object.
            snapshot->blocks[references.side_table].flags |= RP_BLOCK_DEAD;
            counts->side_tables++;
        }
        if (references.is_deinitializing) {
            block->flags |= RP_BLOCK_DEAD | RP_BLOCK_DEINITIALIZING;
            counts->deinitializing++;
        }
    }
    counts->blocks = snapshot->block_count - counts->free_blocks;
    counts->types = snapshot->type_count - 1;
    rp_find_asking_tasks(snapshot);
}

/// Whether a block is one of those from which the runtime takes memory for metadata and witness tables (class
/// MetadataAllocator in Metadata.cpp: new char[16 * 1024]). A large part of such a block in use consists of pointers
/// into the mappings of ELF files. Its unused part still has the contents that malloc left there.
static bool is_metadata_pool(const rp_snapshot *snapshot, const rp_block *block) {
    enum { POOL_SIZE = 16 * 1024, BLOCK_SIZE = POOL_SIZE + 8, FILE_POINTERS = 256 };
    if (block->size != BLOCK_SIZE || block->type) return false;
    uint32_t count = 0;
    for (uintptr_t at = block->address; at < block->address + POOL_SIZE; at += sizeof(uintptr_t)) {
        const rp_mapping *mapping = rp_mapping_at(snapshot, rp_read64(at));
        if (mapping && mapping->flags & RP_MAPPING_OF_FILE) count++;
    }
    return count >= FILE_POINTERS;
}

/// Marks the block that the runtime is currently filling with metadata.
static void pass_over_present_pool(rp_snapshot *snapshot) {
    uintptr_t pool = snapshot->request->facts.metadata_pool;
    if (!pool || !rp_is_readable(snapshot, pool, sizeof(uintptr_t))) return;
    uint32_t block = rp_block_around(snapshot, rp_read64(pool));
    if (block != RP_NO_BLOCK && !snapshot->blocks[block].type) snapshot->blocks[block].flags |= RP_BLOCK_DEAD;
}

void rp_pass_over_metadata(rp_snapshot *snapshot) {
    pass_over_present_pool(snapshot);
    for (uint32_t index = 0; index < snapshot->block_count; index++) {
        rp_block *block = snapshot->blocks + index;
        if (is_metadata_pool(snapshot, block)) block->flags |= RP_BLOCK_DEAD;
    }
    for (uint32_t index = 1; index < snapshot->type_count; index++) {
        // The lowest bits of the entry distinguish the type of a value from that of an object.
        uint32_t block = rp_block_around(snapshot, snapshot->types[index].metadata & RP_ADDRESS_BITS);
        if (block == RP_NO_BLOCK || snapshot->blocks[block].type) continue;
        // A word in a slab that looks like metadata is not metadata.
        if (!rp_is_slab(snapshot, snapshot->blocks + block)) snapshot->blocks[block].flags |= RP_BLOCK_DEAD;
    }
}

#endif
