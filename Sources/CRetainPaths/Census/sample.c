#ifdef __linux__
#include "frozen_copy.h"

// The blocks of the lines that a request names: the objects of a type.

static bool has_contexts(const rp_request *request) {
    for (uint32_t index = 0; index < request->line_count; index++) {
        const rp_line_key *key = request->lines + index;
        if (key->kind == RP_LINE_OBJECTS && key->node == RP_NODE_CLOSURE) return true;
    }
    return false;
}

static bool is_requested(const rp_request *request, const rp_census_line *line) {
    for (uint32_t index = 0; index < request->line_count; index++) {
        const rp_line_key *key = request->lines + index;
        bool is_same = key->kind == line->kind && key->node == line->node;
        if (is_same && key->metadata == line->metadata && key->detail == line->detail) return true;
    }
    return false;
}

/// Assigns lines to all blocks, and returns for each line whether it is requested.
static bool *requested_lines(rp_frozen_copy *frozen) {
    // Only the contexts of closures need the scan of all blocks that finds their functions.
    if (has_contexts(frozen->request)) rp_find_context_functions(frozen);
    rp_count_blocks(frozen);
    const rp_census *census = frozen->lines.census;
    bool *requested = rp_take(frozen, census->line_count);
    for (uint32_t line = RP_LINE_KINDS; line < census->line_count; line++) {
        requested[line] = is_requested(frozen->request, census->lines + line);
        if (requested[line]) frozen->answer->counts.of_lines += census->lines[line].count;
    }
    return requested;
}

uint32_t rp_sample_lines(rp_frozen_copy *frozen, uint32_t *blocks) {
    frozen->answer->counts.of_lines = 0;
    const bool *requested = requested_lines(frozen);
    uint64_t all = frozen->answer->counts.of_lines, sample = frozen->request->sample;
    if (sample > all) sample = all;
    uint32_t count = 0;
    uint64_t place = 0;
    for (uint32_t index = 0; index < frozen->heap.block_count && count < sample; index++) {
        if (!requested[frozen->lines.line_of[index]]) continue;
        // The block is in the sample if it is the first at or behind the next place of an even distribution.
        if (place * sample >= count * all) blocks[count++] = index;
        place++;
    }
    return count;
}

#endif
