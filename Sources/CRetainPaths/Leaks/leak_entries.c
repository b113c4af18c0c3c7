#ifdef __linux__
#include "Leaks/leaks.h"

// The entries of the leaks. `RP_BLOCK_REACHED_FREELY` marks the blocks that belong to a leak already.

bool rp_is_claimed(const rp_frozen_copy *frozen, uint32_t block) {
    const uint8_t claimed = RP_BLOCK_REACHED | RP_BLOCK_DEAD | RP_BLOCK_REACHED_FREELY;
    return frozen->heap.blocks[block].flags & claimed;
}

static void claim(rp_frozen_copy *frozen, uint32_t block, rp_worklist *members) {
    if (rp_is_claimed(frozen, block)) return;
    frozen->heap.blocks[block].flags |= RP_BLOCK_REACHED_FREELY;
    members->blocks[members->count++] = block;
}

static void claim_edge(rp_frozen_copy *frozen, const rp_edge *edge, void *context) {
    if (rp_counts_edge(frozen, edge)) claim(frozen, edge->to, context);
}

/// Claims a block and everything that it holds, directly or not.
static rp_worklist members_of(rp_frozen_copy *frozen, uint32_t block) {
    // The queue of the search is empty, so its links can serve as the list.
    rp_worklist members = {.blocks = frozen->search.next};
    claim(frozen, block, &members);
    for (uint32_t index = 0; index < members.count; index++) {
        rp_scan_block(frozen, members.blocks[index], claim_edge, &members);
    }
    return members;
}

/// Whether a block is an instance of a class, and no storage of a collection.
static bool is_instance(const rp_frozen_copy *frozen, uint32_t block) {
    const rp_type *type = frozen->types.list + frozen->heap.blocks[block].type;
    return type->node == RP_NODE_OBJECT && (!type->layout || type->layout->tail == RP_TAIL_NONE);
}

typedef struct candidate {
    uint32_t block;
    bool is_instance;
    uint32_t count;
    uintptr_t metadata;
} candidate;

static bool is_better(const candidate *new, const candidate *known) {
    if (known->block == RP_NO_BLOCK) return true;
    if (new->is_instance != known->is_instance) return new->is_instance;
    if (new->count != known->count) return new->count < known->count;
    return new->metadata != known->metadata ? new->metadata < known->metadata : new->block < known->block;
}

/// Whether a member of a leak is an object on its cycle.
static bool is_on_cycle(const rp_leak_writing *at, uint32_t block, uint32_t component) {
    return at->writing.frozen->heap.blocks[block].type && at->graph.components[block] == component;
}

/// Returns the object at which the path round a cycle begins: an instance of the rarest class of the cycle. A document
/// with a hundred pages that refer to it is found at the document, in every run of the program.
static uint32_t representative(rp_leak_writing *at, const rp_worklist *members, uint32_t component) {
    const rp_frozen_copy *frozen = at->writing.frozen;
    for (uint32_t index = 0; index < members->count; index++) {
        uint32_t block = members->blocks[index], type = frozen->heap.blocks[block].type;
        if (is_on_cycle(at, block, component) && type < at->type_capacity) at->type_counts[type]++;
    }
    candidate best = {.block = RP_NO_BLOCK};
    for (uint32_t index = 0; index < members->count; index++) {
        uint32_t block = members->blocks[index], type = frozen->heap.blocks[block].type;
        if (!is_on_cycle(at, block, component)) continue;
        candidate new = {
            block, is_instance(frozen, block), type < at->type_capacity ? at->type_counts[type] : UINT32_MAX,
            frozen->types.list[type].metadata,
        };
        if (is_better(&new, &best)) best = new;
    }
    for (uint32_t index = 0; index < members->count; index++) {
        uint32_t type = frozen->heap.blocks[members->blocks[index]].type;
        if (type < at->type_capacity) at->type_counts[type] = 0;
    }
    return best.block;
}

static uint64_t mixed(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
    return hash ^ hash >> 32;
}

static uint64_t hash_of_step(rp_frozen_copy *frozen, uint32_t from, uint32_t to) {
    rp_step step;
    rp_describe_block(frozen, from, &step);
    // The first word of memory without a type differs from block to block.
    uint64_t hash = mixed(step.node, frozen->heap.blocks[from].type ? step.metadata : 0);
    if (to == RP_NO_BLOCK) return hash;
    rp_describe_edge(frozen, from, to, &step);
    for (uint32_t index = 0; index < step.name_count; index++) {
        // Leaks that differ only in a case inside a property are the same, as in fingerprints.
        if (index == 0 || !(step.case_names >> index & 1)) hash = mixed(hash, step.names[index]);
    }
    return mixed(hash, step.code);
}

static uint32_t found_references(const rp_leak_writing *at, uint32_t block) {
    return at->graph.first[block + 1] - at->graph.first[block];
}

/// Returns a hash of the type of an over-retained object and of its numbers of references, which its entry tells.
/// Larger numbers are not told apart, so that objects with very different numbers do not fill the list.
static uint64_t shape_of_over_retained(rp_leak_writing *at, uint32_t block) {
    enum { MOST_TOLD_APART = 8 };
    rp_frozen_copy *frozen = at->writing.frozen;
    uint64_t strong = rp_counts_of(frozen, frozen->heap.blocks[block].address).strong;
    uint64_t found = found_references(at, block);
    if (strong > MOST_TOLD_APART) strong = MOST_TOLD_APART;
    if (found > MOST_TOLD_APART) found = MOST_TOLD_APART;
    return mixed(hash_of_step(frozen, block, RP_NO_BLOCK), strong << 32 | found);
}

/// Returns a hash of the cycle through a block, or of an over-retained object. The hash of a cycle is a sum over the
/// steps, because the cycle may be entered anywhere.
static uint64_t shape_of(rp_leak_writing *at, uint32_t block, uint8_t kind) {
    rp_frozen_copy *frozen = at->writing.frozen;
    if (kind == RP_LEAK_OVER_RETAINED) return mixed(shape_of_over_retained(at, block), kind);
    rp_path *cycle = at->writing.cycle;
    rp_find_cycle(frozen, block, cycle);
    uint64_t sum = 0;
    for (uint32_t index = 0; index < cycle->count; index++) {
        sum += hash_of_step(frozen, cycle->blocks[index], cycle->blocks[(index + 1) % cycle->count]);
    }
    return mixed(sum, kind);
}

static void write_result(rp_leak_writing *at, uint32_t block, uint32_t index) {
    rp_frozen_copy *frozen = at->writing.frozen;
    uint32_t found = found_references(at, block);
    uint32_t precise = frozen->totals.precise[block];
    *at->target = (rp_target){
        .block = block, .precise = precise, .conservative = found > precise ? found - precise : 0,
    };
    at->writing.target = at->target;
    at->writing.result = frozen->answer->results + index;
    memset(at->writing.result, 0, sizeof *at->writing.result);
    rp_write_result(&at->writing);
}

/// The most entries once one of a kind is added. Leaks that may be in use are added first, and leave room for others.
static uint32_t room_for(uint8_t kind) {
    return kind == RP_LEAK_CYCLE ? RP_MAX_LEAKS : RP_MAX_LEAKS / 2;
}

/// Returns the entry for leaks of a shape. If no entry is left, returns that of the leaks that are left out.
static rp_leak *entry_for(rp_leak_writing *at, uint64_t shape, uint8_t kind, uint32_t block) {
    rp_leaks *leaks = at->writing.frozen->request->leaks;
    for (uint32_t index = 0; index < leaks->count; index++) {
        if (leaks->list[index].shape == shape && leaks->list[index].kind == kind) return leaks->list + index;
    }
    if (leaks->count >= room_for(kind)) return &leaks->left_out;
    write_result(at, block, leaks->count);
    leaks->list[leaks->count] = (rp_leak){
        .shape = shape,
        .kind = kind,
        .node = at->writing.frozen->types.list[at->writing.frozen->heap.blocks[block].type].node,
    };
    return leaks->list + leaks->count++;
}

void rp_prepare_leaks(rp_frozen_copy *frozen, rp_leak_writing *at, rp_unreached graph) {
    *at = (rp_leak_writing){
        .writing = {
            .frozen = frozen,
            .unreached = graph,
            .path = rp_take(frozen, sizeof(rp_path)),
            .cycle = rp_take(frozen, sizeof(rp_path)),
        },
        .graph = graph,
        .target = rp_take(frozen, sizeof(rp_target)),
        .type_counts = rp_take(frozen, frozen->types.count * sizeof(uint32_t)),
        .type_capacity = frozen->types.count,
    };
    frozen->request->leaks->count = 0;
    frozen->request->leaks->left_out = (rp_leak){.count = 0};
    frozen->request->leaks->left_out_cycles = 0;
}

static void add_victims(rp_leak *leak, const rp_victims *victims) {
    uint32_t index = 0;
    while (index < leak->victim_type_count && leak->victims[index].metadata != victims->metadata) index++;
    if (index == RP_MAX_VICTIM_TYPES) return;
    if (index < leak->victim_type_count) {
        leak->victims[index].count += victims->count;
        leak->victims[index].cyclic += victims->cyclic;
    } else {
        leak->victims[leak->victim_type_count++] = *victims;
    }
}

/// Returns the sums of one leak: all members count, and the instances that are not on the cycle are victims. The
/// members nearest to the cycle come first.
static rp_leak sums_of(const rp_leak_writing *at, const rp_worklist *members, uint32_t component) {
    const rp_frozen_copy *frozen = at->writing.frozen;
    rp_leak sums = {.count = 1};
    for (uint32_t index = 0; index < members->count; index++) {
        const rp_block *member = frozen->heap.blocks + members->blocks[index];
        const rp_type *type = frozen->types.list + member->type;
        sums.objects += member->type != 0;
        sums.bytes += rp_bytes_of(member);
        bool is_victim = member->type && !is_on_cycle(at, members->blocks[index], component);
        if (!is_victim || !is_instance(frozen, members->blocks[index])) continue;
        bool is_cyclic = member->flags & RP_BLOCK_CYCLIC;
        add_victims(
            &sums,
            &(rp_victims){.metadata = type->metadata, .count = 1, .cyclic = is_cyclic, .node = type->node});
    }
    return sums;
}

static void add_sums(rp_leak *entry, const rp_leak *sums) {
    entry->count += sums->count;
    entry->objects += sums->objects;
    entry->bytes += sums->bytes;
    for (uint32_t index = 0; index < sums->victim_type_count; index++) add_victims(entry, sums->victims + index);
}

void rp_add_leak(rp_leak_writing *at, uint32_t block, uint8_t kind) {
    rp_frozen_copy *frozen = at->writing.frozen;
    uint32_t component = at->graph.components[block];
    rp_worklist members = members_of(frozen, block);
    // The search for the path round the cycle takes the memory of the members.
    rp_leak sums = sums_of(at, &members, component);
    uint32_t object = kind == RP_LEAK_OVER_RETAINED ? block : representative(at, &members, component);
    rp_leak *entry = entry_for(at, shape_of(at, object, kind), kind, object);
    if (entry == &frozen->request->leaks->left_out && kind == RP_LEAK_CYCLE) {
        frozen->request->leaks->left_out_cycles++;
    }
    add_sums(entry, &sums);
}

#endif
