#ifdef __linux__
#include "Scan/scan.h"

// The runtime's tables of the instances of generic types and conformances (ConcurrentReadableHashMap in
// include/swift/Runtime/Concurrent.h). A table begins with the numbers of its readers and elements, 4 bytes each, and
// the address of its elements. These begin with their capacity, 4 of 8 bytes. malloc does not clear the memory behind
// the last element, and its stale words would seem to hold objects.
//
// The same applies to the state of a type that the runtime initializes at its first use. The variable of such a type
// (SingletonMetadataInitialization in swift/ABI/Metadata.h) contains the metadata and the address of the state, in
// memory of 24 bytes of which the state takes 16: a number and, again, the metadata.

enum {
    ELEMENT_COUNT = 4,
    ELEMENTS = 8,
    SMALLEST_TABLE = 16,
    FIRST_ELEMENT = 8,
    METADATA_IN_STATE = 8,
    STATE_SIZE = 16,
};

static void clear_from(const rp_block *block, uint64_t offset) {
    for (; offset + sizeof(uintptr_t) <= block->size; offset += sizeof(uintptr_t)) {
        rp_clear_word(block->address + offset);
    }
}

/// Whether a block is the state of the type whose variable is at an address.
static bool is_state(const rp_block *block, uintptr_t variable) {
    uintptr_t metadata = rp_read64(variable);
    return metadata && block->size >= STATE_SIZE && rp_read64(block->address + METADATA_IN_STATE) == metadata;
}

static void clear_behind_elements(const rp_frozen_copy *frozen, uintptr_t table) {
    if (!rp_is_readable(frozen, table, SMALLEST_TABLE)) return;
    uint32_t index = rp_block_at(frozen, rp_read64(table + ELEMENTS));
    if (index == RP_NO_BLOCK) return;
    const rp_block *elements = frozen->heap.blocks + index;
    if (elements->type || elements->size < FIRST_ELEMENT) return;
    if (is_state(elements, table)) {
        clear_from(elements, STATE_SIZE);
        return;
    }
    uint64_t count = rp_read32(table + ELEMENT_COUNT), capacity = rp_read32(elements->address);
    uint64_t end = FIRST_ELEMENT + count * sizeof(uintptr_t);
    // Another release of the runtime may have other tables.
    if (count > capacity || capacity > (elements->size - FIRST_ELEMENT) / sizeof(uintptr_t)) return;
    clear_from(elements, end);
}

void rp_clear_words_of_metadata_tables(rp_frozen_copy *frozen) {
    const rp_request *request = frozen->request;
    for (uint32_t index = 0; index < request->metadata_table_count; index++) {
        rp_range table = request->metadata_tables[index];
        if (table.end - table.start >= SMALLEST_TABLE) clear_behind_elements(frozen, table.start);
    }
}

#endif
