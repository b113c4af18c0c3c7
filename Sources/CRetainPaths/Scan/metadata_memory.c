#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The memory in which the runtime keeps metadata. It holds no objects, but contains stale words of former blocks.

/// Whether a block is one of those from which the runtime takes memory for metadata and witness tables (class
/// MetadataAllocator in Metadata.cpp: new char[16 * 1024]). A large part of such a block in use consists of pointers
/// into the mappings of ELF files. Its unused part still has the contents that malloc left there.
static bool is_metadata_pool(const rp_frozen_copy *frozen, const rp_block *block) {
    enum { POOL_SIZE = 16 * 1024, BLOCK_SIZE = POOL_SIZE + 8, FILE_POINTERS = 256 };
    if (block->size != BLOCK_SIZE || block->type) return false;
    uint32_t count = 0;
    for (uintptr_t at = block->address; at < block->address + POOL_SIZE; at += sizeof(uintptr_t)) {
        const rp_mapping *mapping = rp_mapping_at(frozen, rp_read64(at));
        if (mapping && mapping->flags & RP_MAPPING_OF_FILE) count++;
    }
    return count >= FILE_POINTERS;
}

/// Marks the block that the runtime is currently filling with metadata.
static void skip_current_pool(rp_frozen_copy *frozen) {
    uintptr_t pool = frozen->request->facts.metadata_pool;
    if (!pool || !rp_is_readable(frozen, pool, sizeof(uintptr_t))) return;
    uint32_t block = rp_block_around(frozen, rp_read64(pool));
    if (block != RP_NO_BLOCK && !frozen->heap.blocks[block].type) frozen->heap.blocks[block].flags |= RP_BLOCK_DEAD;
}

void rp_skip_metadata(rp_frozen_copy *frozen) {
    skip_current_pool(frozen);
    for (uint32_t index = 0; index < frozen->heap.block_count; index++) {
        rp_block *block = frozen->heap.blocks + index;
        if (is_metadata_pool(frozen, block)) block->flags |= RP_BLOCK_DEAD;
    }
    for (uint32_t index = 1; index < frozen->types.count; index++) {
        // The lowest bits of the entry distinguish the type of a value from that of an object.
        uint32_t block = rp_block_around(frozen, frozen->types.list[index].metadata & RP_ADDRESS_BITS);
        if (block == RP_NO_BLOCK || frozen->heap.blocks[block].type) continue;
        // A word in a slab that looks like metadata is not metadata.
        if (!rp_is_slab(frozen, frozen->heap.blocks + block)) frozen->heap.blocks[block].flags |= RP_BLOCK_DEAD;
    }
}

#endif
