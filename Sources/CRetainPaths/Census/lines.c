#ifdef __linux__
#include "frozen_copy.h"

// The lines of a census, by the properties that the blocks of a line share.

enum { TABLE_BITS = 18 };

static_assert((1 << TABLE_BITS) >= 2 * RP_MAX_CENSUS_LINES, "the table must be at most half full");

void rp_prepare_lines(rp_frozen_copy *frozen, rp_census *census) {
    frozen->lines.census = census;
    memset(census->lines, 0, census->line_count * sizeof(rp_census_line));
    census->line_count = RP_LINE_KINDS;
    census->is_full = false;
    for (uint8_t kind = 0; kind < RP_LINE_KINDS; kind++) census->lines[kind].kind = kind;
    frozen->lines.line_of = rp_take(frozen, frozen->heap.block_count * sizeof(uint32_t));
    frozen->lines.table = rp_take(frozen, sizeof(uint32_t) << TABLE_BITS);
}

static uint32_t slot_of(uintptr_t metadata, uintptr_t detail) {
    // Fibonacci hashing (Knuth, The Art of Computer Programming, 6.4).
    uint64_t hash = (uint64_t)metadata * 0x9E3779B97F4A7C15ull;
    hash = (hash ^ hash >> 32 ^ detail) * 0x9E3779B97F4A7C15ull;
    return (uint32_t)(hash >> (64 - TABLE_BITS));
}

uint32_t rp_line_for(rp_frozen_copy *frozen, uint8_t kind, uint8_t node, uintptr_t metadata, uintptr_t detail) {
    rp_census *census = frozen->lines.census;
    const uint32_t mask = (1u << TABLE_BITS) - 1;
    uint32_t slot = slot_of(metadata, detail);
    for (uint32_t index; (index = frozen->lines.table[slot]) != 0; slot = (slot + 1) & mask) {
        const rp_census_line *line = census->lines + index;
        if (line->metadata == metadata && line->detail == detail && line->kind == kind) return index;
    }
    if (census->line_count == RP_MAX_CENSUS_LINES) {
        census->is_full = true;
        return kind;
    }
    uint32_t index = census->line_count++;
    census->lines[index] = (rp_census_line){.metadata = metadata, .detail = detail, .kind = kind, .node = node};
    frozen->lines.table[slot] = index;
    return index;
}

#endif
