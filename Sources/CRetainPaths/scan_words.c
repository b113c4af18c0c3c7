#ifdef __linux__
#include "runtime_layout.h"
#include "scan.h"

// The references in single words of memory.

void rp_tell(
    const rp_place *at, uint32_t to, uint32_t offset, rp_name_index name, uint8_t kind, uintptr_t code) {
    rp_edge edge = {
        .to = to,
        .offset = offset,
        // If the innermost property has no name, the edge has only the name of the outer property.
        .name = name ? name : at->outer_name,
        .outer_name = name ? at->outer_name : 0,
        .index = at->index,
        .code = code,
        .key = at->key,
        .key_layout = at->key_layout,
        .kind = at->is_guess && kind != RP_EDGE_UNOWNED ? RP_EDGE_CONSERVATIVE : kind,
        .is_precise = kind != RP_EDGE_CONSERVATIVE && kind != RP_EDGE_UNOWNED && !at->is_guess,
        .is_in_key = at->is_in_key,
        .is_by_hand = at->is_by_hand,
        .is_in_tail = at->is_in_tail,
    };
    at->visitor(at->snapshot, &edge, at->context);
}

void rp_scan_strong(
    const rp_place *at, uint32_t offset, rp_name_index name, uint8_t kind, uintptr_t code) {
    if (!rp_fits(at, offset, sizeof(uintptr_t))) return;
    uint64_t word = rp_word_at(at, offset);
    if (word & RP_IMMORTAL_BIT || !(word & RP_ADDRESS_BITS)) return;
    uint32_t to = rp_block_at(at->snapshot, word & RP_ADDRESS_BITS);
    if (to != RP_NO_BLOCK) rp_tell(at, to, offset, name, kind, code);
}

/// Plain data never holds an object, but only pointers in plain data lead to memory that C code has allocated.
void rp_scan_plain(const rp_place *at, const rp_slot *slot, uint32_t offset) {
    uint32_t end = slot->length < at->end - offset ? offset + slot->length : at->end;
    for (; offset + sizeof(uintptr_t) <= end; offset += sizeof(uintptr_t)) {
        uintptr_t word = rp_word_at(at, offset);
        if (word < at->snapshot->heap_start || word >= at->snapshot->heap_end) continue;
        uint32_t to = rp_block_around(at->snapshot, word);
        if (to == RP_NO_BLOCK || !rp_may_lead_to(at->snapshot, word, at->snapshot->blocks + to)) continue;
        uint32_t type = at->snapshot->blocks[to].type;
        bool is_raw = !type || at->snapshot->types[type].node == RP_NODE_TASK;
        if (is_raw) rp_tell(at, to, offset, slot->name, RP_EDGE_RAW, 0);
    }
}

uint32_t rp_look_like_reference(const rp_snapshot *snapshot, uintptr_t word) {
    uintptr_t address = word;
    if (address >= snapshot->heap_end) address &= RP_ADDRESS_BITS;
    if (address < snapshot->heap_start || address >= snapshot->heap_end) return RP_NO_BLOCK;
    uint32_t block = rp_block_at(snapshot, address);
    if (block == RP_NO_BLOCK) block = rp_block_around(snapshot, address);
    if (block == RP_NO_BLOCK || !rp_may_lead_to(snapshot, address, snapshot->blocks + block)) return RP_NO_BLOCK;
    // Any address inside a raw block may be a reference to it. A reference to an object is the object's start address,
    // possibly with marks in its lowest bits.
    const rp_block *found = snapshot->blocks + block;
    return !found->type || (address & RP_ADDRESS_BITS) == found->address ? block : RP_NO_BLOCK;
}

void rp_scan_words(const rp_place *at, uint32_t offset, uint32_t length, rp_name_index name) {
    uint32_t end = length != 0 && length < at->end - offset ? offset + length : at->end;
    uintptr_t before = 0;
    for (offset = (offset + 7) & ~7u; offset + sizeof(uintptr_t) <= end; offset += sizeof(uintptr_t)) {
        uintptr_t word = rp_word_at(at, offset);
        uint32_t to = rp_look_like_reference(at->snapshot, word);
        // A function's code precedes its context.
        if (to != RP_NO_BLOCK) {
            rp_tell(at, to, offset, name, RP_EDGE_CONSERVATIVE, rp_may_be_function(at->snapshot, before) ? before : 0);
        }
        before = word;
    }
}

#endif
