#ifdef __linux__
#include "frozen_copy.h"
#include "Heap/runtime_layout.h"

#include <CLifetimeRuntime.h>

// The objects that the request names. Each has a word that no other object has, among its fields, in a trailer behind
// them, or in the table of handles. The words are inverted in the request, so that the request does not contain them
// itself. Or the request names lines of a census, and the targets are blocks of these lines.

typedef struct wanted {
    uint64_t word;
    uint32_t target;
} wanted;

typedef struct words {
    wanted *table;
    uint32_t mask, left;
    uint64_t smallest, largest;
} words;

static uint32_t slot_of(const words *words, uint64_t word) {
    return (uint32_t)(word * 0x9E3779B97F4A7C15ull >> 32) & words->mask;
}

static words make_table(rp_frozen_copy *frozen) {
    words words = {.mask = 1, .smallest = UINT64_MAX};
    while (words.mask < 2 * frozen->targets.count) words.mask = words.mask << 1 | 1;
    words.table = rp_take(frozen, (words.mask + 1ul) * sizeof(wanted));
    for (uint32_t index = frozen->request->address_count; index < frozen->targets.count; index++) {
        uint64_t word = ~frozen->request->targets[index];
        if (word == 0) continue;
        uint32_t slot = slot_of(&words, word);
        while (words.table[slot].word) slot = (slot + 1) & words.mask;
        words.table[slot] = (wanted){word, index};
        words.left++;
        if (word < words.smallest) words.smallest = word;
        if (word > words.largest) words.largest = word;
    }
    return words;
}

static void found(rp_frozen_copy *frozen, uint32_t target, uint32_t block) {
    frozen->targets.list[target].block = block;
    frozen->heap.blocks[block].flags |= RP_BLOCK_TARGET;
}

static bool is_free(const rp_block *block) {
    return block->flags & RP_BLOCK_DEAD && !block->type;
}

/// A dead object that unowned references keep in memory still contains its word, which the next object may have, too.
/// A live object is therefore preferred.
static void compare(rp_frozen_copy *frozen, words *words, uint64_t word, uint32_t block) {
    if (word < words->smallest || word > words->largest) return;
    for (uint32_t slot = slot_of(words, word); words->table[slot].word; slot = (slot + 1) & words->mask) {
        if (words->table[slot].word != word) continue;
        uint32_t target = words->table[slot].target;
        rp_block *blocks = frozen->heap.blocks;
        uint32_t known = frozen->targets.list[target].block;
        bool is_dead = blocks[block].flags & RP_BLOCK_DEAD;
        if (known != RP_NO_BLOCK && (is_dead || !(blocks[known].flags & RP_BLOCK_DEAD))) continue;
        if (known != RP_NO_BLOCK) blocks[known].flags &= (uint8_t)~RP_BLOCK_TARGET;
        found(frozen, target, block);
        if (!is_dead) words->left--;
    }
}

static void look_into(rp_frozen_copy *frozen, words *words, uint32_t block) {
    const rp_block *object = frozen->heap.blocks + block;
    const rp_type *type = frozen->types.list + object->type;
    // Traced objects are instances of classes. Other blocks, and the memory behind the fields, may contain stale copies
    // of the word. A trailer depends on the address of its object, which tells it from a copy.
    uint32_t end = type->node == RP_NODE_OBJECT ? type->instance_size : 0;
    for (uint32_t offset = RP_OBJECT_HEADER; offset + sizeof(uint64_t) <= end; offset += sizeof(uint64_t)) {
        compare(frozen, words, rp_read64(object->address + offset), block);
    }
    uint64_t place = lt_trailer_offset(end);
    if (!end || place + sizeof(lt_trailer) > object->size) return;
    compare(frozen, words, lt_handle_in(rp_read64(object->address + place), object->address), block);
}

typedef struct table_visit {
    rp_frozen_copy *frozen;
    words *words;
} table_visit;

static void compare_entry(void *context, uintptr_t object, lt_handle handle) {
    const table_visit *visit = context;
    const uint32_t block = rp_block_at(visit->frozen, object);
    if (block != RP_NO_BLOCK && !is_free(visit->frozen->heap.blocks + block)) {
        compare(visit->frozen, visit->words, handle, block);
    }
}

static void sort_by_block(rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->targets.count; index++) {
        uint32_t block = frozen->targets.list[index].block;
        if (block == RP_NO_BLOCK) continue;
        uint32_t place = frozen->targets.found_count++;
        for (; place > 0 && frozen->targets.list[frozen->targets.by_block[place - 1]].block > block; place--) {
            frozen->targets.by_block[place] = frozen->targets.by_block[place - 1];
        }
        frozen->targets.by_block[place] = index;
    }
}

rp_target *rp_target_of(const rp_frozen_copy *frozen, uint32_t block) {
    if (!(frozen->heap.blocks[block].flags & RP_BLOCK_TARGET)) return NULL;
    uint32_t low = 0, high = frozen->targets.found_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (frozen->targets.list[frozen->targets.by_block[middle]].block < block) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return frozen->targets.list + frozen->targets.by_block[low];
}

static void make_list(rp_frozen_copy *frozen, uint32_t count) {
    frozen->targets.count = count;
    frozen->targets.list = rp_take(frozen, frozen->targets.count * sizeof(rp_target));
    frozen->targets.by_block = rp_take(frozen, frozen->targets.count * sizeof(uint32_t));
    for (uint32_t index = 0; index < frozen->targets.count; index++) frozen->targets.list[index].block = RP_NO_BLOCK;
}

static void find_blocks_of_lines(rp_frozen_copy *frozen) {
    uint32_t *blocks = rp_take(frozen, frozen->request->sample * sizeof(uint32_t));
    make_list(frozen, rp_sample_lines(frozen, blocks));
    for (uint32_t index = 0; index < frozen->targets.count; index++) found(frozen, index, blocks[index]);
    sort_by_block(frozen);
}

bool rp_chooses_targets_late(const rp_frozen_copy *frozen) {
    return frozen->request->line_count > 0 && rp_has_agent(frozen);
}

void rp_find_targets(rp_frozen_copy *frozen) {
    if (frozen->request->line_count > 0) {
        find_blocks_of_lines(frozen);
        return;
    }
    make_list(frozen, frozen->request->target_count);
    for (uint32_t index = 0; index < frozen->request->address_count; index++) {
        uint32_t block = rp_block_at(frozen, ~frozen->request->targets[index]);
        if (block != RP_NO_BLOCK && !is_free(frozen->heap.blocks + block)) found(frozen, index, block);
    }
    words words = make_table(frozen);
    if (words.left > 0) lt_visit_handles(compare_entry, &(table_visit){frozen, &words});
    for (uint32_t block = 0; block < frozen->heap.block_count && words.left > 0; block++) {
        if (frozen->heap.blocks[block].type) look_into(frozen, &words, block);
    }
    sort_by_block(frozen);
}

#endif
