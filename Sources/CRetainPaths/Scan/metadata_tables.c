#ifdef __linux__
#include "Scan/scan.h"

// The runtime's tables of the instances of generic types and conformances (ConcurrentReadableHashMap in
// include/swift/Runtime/Concurrent.h). A table begins with the numbers of its readers and elements, 4 bytes each, and
// the address of its elements. These begin with their capacity, 4 of 8 bytes. malloc does not clear the memory behind
// the last element, and its stale words would seem to hold objects.

enum {
    ELEMENT_COUNT = 4,
    ELEMENTS = 8,
    SMALLEST_TABLE = 16,
    FIRST_ELEMENT = 8,
};

static void clear_behind_elements(const rp_frozen_copy *frozen, uintptr_t table) {
    if (!rp_is_readable(frozen, table, SMALLEST_TABLE)) return;
    uint32_t index = rp_block_at(frozen, rp_read64(table + ELEMENTS));
    if (index == RP_NO_BLOCK) return;
    const rp_block *elements = frozen->heap.blocks + index;
    if (elements->type || elements->size < FIRST_ELEMENT) return;
    uint64_t count = rp_read32(table + ELEMENT_COUNT), capacity = rp_read32(elements->address);
    uint64_t end = FIRST_ELEMENT + count * sizeof(uintptr_t);
    // Another release of the runtime may have other tables.
    if (count > capacity || capacity > (elements->size - FIRST_ELEMENT) / sizeof(uintptr_t)) return;
    for (; end + sizeof(uintptr_t) <= elements->size; end += sizeof(uintptr_t)) rp_clear_word(elements->address + end);
}

void rp_clear_words_of_metadata_tables(rp_frozen_copy *frozen) {
    const rp_request *request = frozen->request;
    for (uint32_t index = 0; index < request->metadata_table_count; index++) {
        rp_range table = request->metadata_tables[index];
        if (table.end - table.start >= SMALLEST_TABLE) clear_behind_elements(frozen, table.start);
    }
}

#endif
