#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The references in single words of memory.

void rp_report_edge(
    const rp_place *at, uint32_t to, uint32_t offset, rp_name_index name, uint8_t kind, uintptr_t code) {
    rp_edge edge = {
        .to = to,
        .offset = at->is_outlined ? at->outlined_at : offset,
        .position = at->position,
        .name = name,
        .outer = at->outer,
        .index = at->index,
        .code = code,
        .key = at->key,
        .key_layout = at->key_layout,
        .slice = at->slice,
        .kind = at->is_guess && kind != RP_EDGE_UNOWNED ? RP_EDGE_CONSERVATIVE : kind,
        .is_precise = kind != RP_EDGE_CONSERVATIVE && kind != RP_EDGE_UNOWNED && !at->is_guess,
        .is_in_key = at->is_in_key,
        .is_in_existential = at->is_in_existential,
        .is_unmanaged = at->is_unmanaged,
        .is_in_tail = at->is_in_tail,
    };
    at->visitor(at->frozen, &edge, at->context);
}

void rp_scan_strong(
    const rp_place *at, uint32_t offset, rp_name_index name, uint8_t kind, uintptr_t code) {
    if (!rp_fits(at, offset, sizeof(uintptr_t))) return;
    uint64_t word = rp_word_at(at, offset);
    if (word & RP_IMMORTAL_BIT || !(word & RP_ADDRESS_BITS)) return;
    uint32_t to = rp_block_at(at->frozen, word & RP_ADDRESS_BITS);
    if (to != RP_NO_BLOCK) rp_report_edge(at, to, offset, name, kind, code);
}

/// Plain data never holds an object, but only pointers in plain data lead to memory that C code has allocated.
void rp_scan_plain(const rp_place *at, const rp_slot *slot, uint32_t offset) {
    uint32_t end = slot->length < at->end - offset ? offset + slot->length : at->end;
    for (; offset + sizeof(uintptr_t) <= end; offset += sizeof(uintptr_t)) {
        uintptr_t word = rp_word_at(at, offset);
        if (word < at->frozen->heap.start || word >= at->frozen->heap.end) continue;
        uint32_t to = rp_block_around(at->frozen, word);
        if (to == RP_NO_BLOCK || !rp_may_lead_to(at->frozen, word, at->frozen->heap.blocks + to)) continue;
        uint32_t type = at->frozen->heap.blocks[to].type;
        bool is_raw = !type || at->frozen->types.list[type].node == RP_NODE_TASK;
        if (is_raw) rp_report_edge(at, to, offset, slot->name, RP_EDGE_RAW, 0);
    }
}

/// Whether only the start address of a raw block may be a reference to it, as for an object: one of C's blocks, or a
/// group of libdispatch. Any address inside other raw blocks may be one.
static bool is_referenced_by_start(const rp_frozen_copy *frozen, const rp_block *block) {
    uintptr_t class = rp_read64(block->address);
    if (class == 0) return false;
    return class == frozen->request->heap_block_class || class == frozen->request->facts.dispatch_group_class;
}

uint32_t rp_referenced_block(const rp_frozen_copy *frozen, uintptr_t word) {
    uintptr_t address = word;
    if (address >= frozen->heap.end) address &= RP_ADDRESS_BITS;
    if (address < frozen->heap.start || address >= frozen->heap.end) return RP_NO_BLOCK;
    uint32_t block = rp_block_at(frozen, address);
    if (block == RP_NO_BLOCK) block = rp_block_around(frozen, address);
    if (block == RP_NO_BLOCK || !rp_may_lead_to(frozen, address, frozen->heap.blocks + block)) return RP_NO_BLOCK;
    // A reference to an object is the object's start address, possibly with marks in its lowest bits.
    const rp_block *found = frozen->heap.blocks + block;
    if ((address & RP_ADDRESS_BITS) == found->address) return block;
    return found->type || is_referenced_by_start(frozen, found) ? RP_NO_BLOCK : block;
}

/// Reports a word if it looks like a reference.
static inline void scan_word(
    const rp_place *at, uint32_t offset, uintptr_t word, uintptr_t before, rp_name_index name) {
    uint32_t to = rp_referenced_block(at->frozen, word);
    if (to == RP_NO_BLOCK) return;
    // A function's code precedes its context.
    uintptr_t code = rp_may_be_function(at->frozen, before) ? before : 0;
    rp_report_edge(at, to, offset, name, RP_EDGE_CONSERVATIVE, code);
}

void rp_scan_words(const rp_place *at, uint32_t offset, uint32_t length, rp_name_index name) {
    uint32_t end = length != 0 && length < at->end - offset ? offset + length : at->end;
    uintptr_t before = 0;
    for (offset = (offset + 7) & ~7u; offset + sizeof(uintptr_t) <= end; offset += sizeof(uintptr_t)) {
        uintptr_t word = rp_word_at(at, offset);
        scan_word(at, offset, word, before, name);
        before = word;
    }
}

void rp_scan_last_words(rp_place *at, uint32_t offset) {
    uint64_t start = (offset + sizeof(uintptr_t) - 1) / sizeof(uintptr_t), end = at->end / sizeof(uintptr_t);
    uint64_t number = start;
    rp_restrict(at, &number, &end);
    if (number >= end) return;
    uintptr_t before = number > start ? rp_word_at(at, (uint32_t)((number - 1) * sizeof(uintptr_t))) : 0;
    for (; number < end; number++) {
        offset = (uint32_t)(number * sizeof(uintptr_t));
        uintptr_t word = rp_word_at(at, offset);
        at->position = (uint32_t)number + 1;
        scan_word(at, offset, word, before, 0);
        before = word;
    }
}

#endif
