#ifdef __linux__
#include "Retained/retained.h"

// The dominator tree by type. Each root is a group. Blocks of the same line that the same group holds are a group. If a
// group above has the line already, the blocks join that group, so that a list or a tree of objects is one group, and
// no path of groups is longer than the number of lines.
//
// The retained size of a line is the sum over its blocks that no other block of the line dominates, as the Eclipse
// Memory Analyzer has it. Otherwise a list would count its last node once for each node.

enum {
    MOST_GROUPS = 1 << 17,
    TABLE_BITS = 18,
    /// A group with the index of a root instead of a line.
    IS_ROOT = 0x80000000u,
    NO_GROUP = UINT32_MAX,
};

typedef struct group {
    uint64_t count, bytes, retained, largest;
    uint32_t parent, key;
} group;

typedef struct grouping {
    rp_frozen_copy *frozen;
    rp_dominators *tree;
    rp_region memory;
    group *groups;
    uint32_t count;
    /// A hash table from a group and a key to the group of the key below it, which may be farther up.
    struct link {
        uint32_t parent, key, group;
    } *links;
    uint32_t link_count;
    /// The children in the dominator tree as lists, and the group of each number.
    uint32_t *first_child, *next_child, *group_of;
    /// For each line, the number of its blocks above the current one.
    uint32_t *above;
} grouping;

static struct link *link_for(grouping *at, uint32_t parent, uint32_t key) {
    const uint32_t mask = (1u << TABLE_BITS) - 1;
    uint64_t hash = ((uint64_t)parent << 32 | key) * 0x9E3779B97F4A7C15ull;
    uint32_t slot = (uint32_t)((hash ^ hash >> 32) * 0x9E3779B97F4A7C15ull >> (64 - TABLE_BITS));
    while (at->links[slot].group && (at->links[slot].parent != parent || at->links[slot].key != key)) {
        slot = (slot + 1) & mask;
    }
    return at->links + slot;
}

/// Returns the group above, or the given group, that has a key; `NO_GROUP` if there is none.
static uint32_t group_above(const grouping *at, uint32_t index, uint32_t key) {
    while (index != 0 && at->groups[index].key != key) index = at->groups[index].parent;
    return index == 0 ? NO_GROUP : index;
}

static uint32_t add_group(grouping *at, uint32_t parent, uint32_t key) {
    rp_grow(at->frozen, &at->memory, (at->count + 1ul) * sizeof(group));
    at->groups[at->count] = (group){.parent = parent, .key = key};
    return at->count++;
}

/// Returns the group of the blocks with a key below a group; `NO_GROUP` if there are too many groups.
static uint32_t group_below(grouping *at, uint32_t parent, uint32_t key) {
    struct link *link = link_for(at, parent, key);
    if (link->group) return link->group;
    uint32_t found = group_above(at, parent, key);
    if (at->link_count == MOST_GROUPS) return NO_GROUP;
    if (found == NO_GROUP) found = add_group(at, parent, key);
    *link = (struct link){parent, key, found};
    at->link_count++;
    return found;
}

static bool is_block(const grouping *at, uint32_t number) {
    return at->tree->vertices[number] < at->frozen->heap.block_count;
}

static uint32_t line_of(const grouping *at, uint32_t number) {
    return at->frozen->lines.line_of[at->tree->vertices[number]];
}

/// Returns the key of a number's group. What only the tracer keeps belongs to the group of the tracer's root.
static uint32_t key_of(const grouping *at, uint32_t number) {
    if (!is_block(at, number)) return IS_ROOT | (at->tree->vertices[number] - at->frozen->heap.block_count);
    uint32_t line = line_of(at, number);
    return line == RP_LINE_TRACER ? IS_ROOT | at->frozen->graph.tracer_root : line;
}

static void enter(grouping *at, uint32_t number) {
    uint32_t key = key_of(at, number), parent = at->group_of[at->tree->dominators[number]];
    uint64_t retained = at->tree->retained[number], own = retained;
    for (uint32_t child = at->first_child[number]; child; child = at->next_child[child]) {
        own -= at->tree->retained[child];
    }
    uint32_t found = group_below(at, parent, key);
    // Without a group of its own, a block counts as a part of the group above, and so do the blocks below it.
    at->group_of[number] = found == NO_GROUP ? parent : found;
    at->groups[at->group_of[number]].retained += own;
    if (!is_block(at, number)) return;
    if (found != NO_GROUP) {
        at->groups[found].count++;
        at->groups[found].bytes += own;
        if (retained > at->groups[found].largest) at->groups[found].largest = retained;
    }
    uint32_t line = line_of(at, number);
    if (at->above[line]++ == 0) at->frozen->lines.census->lines[line].retained += retained;
}

static void leave(grouping *at, uint32_t number) {
    if (number != 1 && is_block(at, number)) at->above[line_of(at, number)]--;
}

/// Visits the tree in depth-first order.
static void visit_tree(grouping *at) {
    uint32_t number = 1;
    while (number) {
        if (number != 1) enter(at, number);
        if (at->first_child[number]) {
            number = at->first_child[number];
            continue;
        }
        while (number && !at->next_child[number]) {
            leave(at, number);
            number = at->tree->dominators[number];
        }
        if (number) {
            leave(at, number);
            number = at->next_child[number];
        }
    }
}

static void list_children(grouping *at) {
    size_t size = (at->tree->count + 1ul) * sizeof(uint32_t);
    memset(at->first_child, 0, size);
    memset(at->next_child, 0, size);
    for (uint32_t number = at->tree->count; number >= 2; number--) {
        uint32_t dominator = at->tree->dominators[number];
        at->next_child[number] = at->first_child[dominator];
        at->first_child[dominator] = number;
    }
}

/// Whether a group comes before another one in the list. A group is never smaller than one below it, and has a smaller
/// index.
static bool is_before(const grouping *at, uint32_t index, uint32_t other) {
    uint64_t retained = at->groups[index].retained, others = at->groups[other].retained;
    return retained != others ? retained > others : index < other;
}

/// Moves an entry down in a heap whose first entry is the last one of the order.
static void sift(const grouping *at, uint32_t *heap, uint32_t count, uint32_t place) {
    for (;;) {
        uint32_t last = place, left = 2 * place + 1, right = left + 1;
        if (left < count && is_before(at, heap[last], heap[left])) last = left;
        if (right < count && is_before(at, heap[last], heap[right])) last = right;
        if (last == place) return;
        uint32_t entry = heap[place];
        heap[place] = heap[last];
        heap[last] = entry;
        place = last;
    }
}

/// Sorts the groups, the largest first (heapsort: Williams, Algorithm 232, 1964), and returns their indices.
static uint32_t *sorted_groups(grouping *at) {
    uint32_t count = at->count - 1;
    uint32_t *order = rp_take(at->frozen, count * sizeof(uint32_t));
    for (uint32_t place = 0; place < count; place++) order[place] = place + 1;
    for (uint32_t place = count / 2; place > 0; place--) sift(at, order, count, place - 1);
    for (uint32_t left = count; left > 1; left--) {
        uint32_t last = order[0];
        order[0] = order[left - 1];
        order[left - 1] = last;
        sift(at, order, left - 1, 0);
    }
    return order;
}

static rp_retained_group described(const grouping *at, uint32_t index) {
    const group *found = at->groups + index;
    rp_retained_group result = {
        .count = found->count, .bytes = found->bytes, .retained = found->retained, .largest = found->largest,
    };
    if (!(found->key & IS_ROOT)) {
        result.line = found->key;
        return result;
    }
    const rp_root *root = at->frozen->graph.roots + (found->key & ~IS_ROOT);
    result.address = root->object ? root->object : root->address;
    if (root->node == RP_NODE_STATIC_OBJECT) result.metadata = at->frozen->types.list[root->type].metadata;
    result.thread = root->thread;
    result.node = root->node;
    return result;
}

static void write_list(grouping *at) {
    rp_retained *result = at->frozen->request->retained;
    uint32_t *order = sorted_groups(at), count = at->count - 1;
    if (count > RP_MAX_RETAINED_GROUPS) count = RP_MAX_RETAINED_GROUPS;
    // The counts of the groups are no longer needed once they are written, so they keep the places in the list.
    for (uint32_t place = 0; place < count; place++) {
        result->groups[place] = described(at, order[place]);
        uint32_t parent = at->groups[order[place]].parent;
        result->groups[place].parent = parent == 0 ? RP_TOP_OF_TREE : (uint32_t)at->groups[parent].count;
        at->groups[order[place]].count = place;
    }
    result->group_count = count;
    result->all_groups = at->count - 1;
}

void rp_write_groups(rp_frozen_copy *frozen, rp_dominators *tree) {
    grouping at = {
        .frozen = frozen,
        .tree = tree,
        .first_child = tree->spare[0],
        .next_child = tree->spare[1],
        .group_of = tree->spare[2],
        .links = rp_take(frozen, sizeof(struct link) << TABLE_BITS),
        .above = rp_take(frozen, frozen->lines.census->line_count * sizeof(uint32_t)),
    };
    rp_reserve(frozen, &at.memory, (MOST_GROUPS + 1ul) * sizeof(group));
    at.groups = (group *)at.memory.start;
    // The group at the index 0 is above all roots.
    add_group(&at, 0, 0);
    list_children(&at);
    at.group_of[1] = 0;
    visit_tree(&at);
    for (uint32_t index = at.count - 1; index > 0; index--) {
        at.groups[at.groups[index].parent].retained += at.groups[index].retained;
    }
    write_list(&at);
}

#endif
