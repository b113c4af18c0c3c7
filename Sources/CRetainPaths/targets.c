#ifdef __linux__
#include "runtime_layout.h"
#include "snapshot.h"

// The objects that the request names. Each has among its fields a word that no other object has. The words are inverted
// in the request, so that the request does not contain them itself.

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

static words make_table(rp_snapshot *snapshot) {
    words words = {.mask = 1, .smallest = UINT64_MAX};
    while (words.mask < 2 * snapshot->target_count) words.mask = words.mask << 1 | 1;
    words.table = rp_take(snapshot, (words.mask + 1ul) * sizeof(wanted));
    for (uint32_t index = snapshot->request->address_count; index < snapshot->target_count; index++) {
        uint64_t word = ~snapshot->request->targets[index];
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

static void found(rp_snapshot *snapshot, uint32_t target, uint32_t block) {
    snapshot->targets[target].block = block;
    snapshot->blocks[block].flags |= RP_BLOCK_TARGET;
}

static bool is_free(const rp_block *block) {
    return block->flags & RP_BLOCK_DEAD && !block->type;
}

static void look_into(rp_snapshot *snapshot, words *words, uint32_t block) {
    const rp_block *object = snapshot->blocks + block;
    const rp_type *type = snapshot->types + object->type;
    // Traced objects are instances of classes. Other blocks, and the memory behind the fields, may contain stale copies
    // of the word.
    uint32_t end = type->node == RP_NODE_OBJECT ? type->instance_size : 0;
    for (uint32_t offset = RP_OBJECT_HEADER; offset + sizeof(uint64_t) <= end; offset += sizeof(uint64_t)) {
        uint64_t word = rp_read64(object->address + offset);
        if (word < words->smallest || word > words->largest) continue;
        for (uint32_t slot = slot_of(words, word); words->table[slot].word; slot = (slot + 1) & words->mask) {
            if (words->table[slot].word != word) continue;
            uint32_t target = words->table[slot].target;
            if (snapshot->targets[target].block != RP_NO_BLOCK) continue;
            found(snapshot, target, block);
            words->left--;
        }
    }
}

static void sort_by_block(rp_snapshot *snapshot) {
    for (uint32_t index = 0; index < snapshot->target_count; index++) {
        uint32_t block = snapshot->targets[index].block;
        if (block == RP_NO_BLOCK) continue;
        uint32_t place = snapshot->found_target_count++;
        for (; place > 0 && snapshot->targets[snapshot->targets_by_block[place - 1]].block > block; place--) {
            snapshot->targets_by_block[place] = snapshot->targets_by_block[place - 1];
        }
        snapshot->targets_by_block[place] = index;
    }
}

rp_target *rp_target_of(const rp_snapshot *snapshot, uint32_t block) {
    if (!(snapshot->blocks[block].flags & RP_BLOCK_TARGET)) return NULL;
    uint32_t low = 0, high = snapshot->found_target_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (snapshot->targets[snapshot->targets_by_block[middle]].block < block) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return snapshot->targets + snapshot->targets_by_block[low];
}

void rp_find_targets(rp_snapshot *snapshot) {
    snapshot->target_count = snapshot->request->target_count;
    snapshot->targets = rp_take(snapshot, snapshot->target_count * sizeof(rp_target));
    snapshot->targets_by_block = rp_take(snapshot, snapshot->target_count * sizeof(uint32_t));
    for (uint32_t index = 0; index < snapshot->target_count; index++) snapshot->targets[index].block = RP_NO_BLOCK;
    for (uint32_t index = 0; index < snapshot->request->address_count; index++) {
        uint32_t block = rp_block_at(snapshot, ~snapshot->request->targets[index]);
        if (block != RP_NO_BLOCK && !is_free(snapshot->blocks + block)) found(snapshot, index, block);
    }
    words words = make_table(snapshot);
    for (uint32_t block = 0; block < snapshot->block_count && words.left > 0; block++) {
        if (snapshot->blocks[block].type) look_into(snapshot, &words, block);
    }
    sort_by_block(snapshot);
}

#endif
