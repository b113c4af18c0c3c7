#define _GNU_SOURCE

#include "CRetainPaths.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// One mapping contains everything, in this order: the struct below, layouts, slots, the table, names. All of it
// therefore lies between the address of `rp_layouts` and the end of its names. Pages that are never written to cost no
// memory. A page without access on either side keeps the kernel from merging the mapping with a neighbor, which might
// be one of malloc's arenas.

enum {
    NAME_CACHE_BITS = 13,
    // Tables are at most half full.
    TABLE_SPARE_BITS = 1,
    HIGHEST_BITS = 30,
};

typedef struct store {
    rp_layouts layouts;
    // For each hash, the last name with that hash. Names that compete for an entry are stored more than once.
    rp_name_index name_cache[1 << NAME_CACHE_BITS];
} store;

static size_t rounded(size_t size, size_t unit) {
    return (size + unit - 1) & ~(unit - 1);
}

static void *map_between_guards(size_t size) {
    long page = sysconf(_SC_PAGESIZE);
    if (page <= 0) return NULL;
    size = rounded(size, (size_t)page);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    char *start = mmap(NULL, size + 2 * (size_t)page, PROT_NONE, flags, -1, 0);
    if (start == MAP_FAILED) return NULL;
    if (mprotect(start + page, size, PROT_READ | PROT_WRITE) != 0) {
        munmap(start, size + 2 * (size_t)page);
        return NULL;
    }
    return start + page;
}

rp_layouts *rp_make_layouts(uint32_t layout_limit, uint32_t slot_limit, uint32_t name_limit) {
    uint32_t bits = TABLE_SPARE_BITS;
    while (bits < HIGHEST_BITS && (1u << (bits - TABLE_SPARE_BITS)) < layout_limit) bits++;
    if (layout_limit < 2 || slot_limit < 2 || name_limit < 2 || (1u << (bits - TABLE_SPARE_BITS)) < layout_limit) {
        return NULL;
    }

    const size_t unit = 64;
    size_t layouts_at = rounded(sizeof(store), unit);
    size_t slots_at = rounded(layouts_at + layout_limit * sizeof(rp_layout), unit);
    size_t table_at = rounded(slots_at + slot_limit * sizeof(rp_slot), unit);
    size_t names_at = rounded(table_at + ((size_t)1 << bits) * sizeof(uint32_t), unit);
    char *start = map_between_guards(names_at + name_limit);
    if (!start) return NULL;

    rp_layouts *made = &((store *)start)->layouts;
    made->layouts = (rp_layout *)(start + layouts_at);
    made->slots = (rp_slot *)(start + slots_at);
    made->table = (uint32_t *)(start + table_at);
    made->names = start + names_at;
    made->layout_limit = layout_limit;
    made->slot_limit = slot_limit;
    made->name_limit = name_limit;
    made->table_bits = bits;
    // Index 0 means none, and the empty name is at index 0.
    made->layout_count = 1;
    made->slot_count = 1;
    made->name_bytes = 1;
    return made;
}

static size_t table_index(const rp_layouts *layouts, uintptr_t key) {
    // Fibonacci hashing (Knuth, The Art of Computer Programming, 6.4). Metadata is aligned to 8 bytes, so its lowest
    // bits carry no information.
    return (size_t)((uint64_t)(key >> 3 ^ key << 61) * 0x9E3779B97F4A7C15ull >> (64 - layouts->table_bits));
}

rp_layout_index rp_find_layout(const rp_layouts *layouts, uintptr_t key) {
    if (!key) return 0;
    size_t mask = ((size_t)1 << layouts->table_bits) - 1;
    // The table is never full, so the search ends.
    for (size_t at = table_index(layouts, key);; at = (at + 1) & mask) {
        uint32_t found = layouts->table[at];
        if (!found || layouts->layouts[found].key == key) return found;
    }
}

rp_layout_index rp_add_layout(rp_layouts *layouts, uintptr_t key) {
    if (layouts->layout_count >= layouts->layout_limit) {
        layouts->dropped++;
        return 0;
    }
    rp_layout_index index = layouts->layout_count++;
    layouts->layouts[index] = (rp_layout){.key = key};
    if (key) {
        size_t mask = ((size_t)1 << layouts->table_bits) - 1;
        size_t at = table_index(layouts, key);
        while (layouts->table[at]) at = (at + 1) & mask;
        layouts->table[at] = index;
    }
    return index;
}

bool rp_set_slots(rp_layouts *layouts, rp_layout_index layout, const rp_slot *slots, uint32_t count) {
    if (layout == 0 || layout >= layouts->layout_count || layouts->layouts[layout].slot_count) return false;
    if (count > layouts->slot_limit - layouts->slot_count) {
        layouts->dropped++;
        return false;
    }
    if (count) memcpy(layouts->slots + layouts->slot_count, slots, count * sizeof *slots);
    layouts->layouts[layout].first_slot = layouts->slot_count;
    layouts->layouts[layout].slot_count = count;
    layouts->slot_count += count;
    return true;
}

rp_name_index rp_add_name(rp_layouts *layouts, const char *name, size_t length) {
    if (length == 0) return 0;
    // FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/)
    uint64_t hash = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)name[i]) * 0x100000001b3ull;
    rp_name_index *cached = &((store *)layouts)->name_cache[(hash ^ hash >> 32) & ((1 << NAME_CACHE_BITS) - 1)];
    const char *known = layouts->names + *cached;
    if (*cached && strncmp(known, name, length) == 0 && !known[length]) return *cached;

    if (length >= layouts->name_limit - layouts->name_bytes) {
        layouts->dropped++;
        return 0;
    }
    rp_name_index index = layouts->name_bytes;
    memcpy(layouts->names + index, name, length);
    layouts->names[index + length] = 0;
    layouts->name_bytes += (uint32_t)length + 1;
    *cached = index;
    return index;
}

uintptr_t rp_context_key(const void *metadata, const uintptr_t *bindings, uint32_t count) {
    uint64_t hash = (uint64_t)(uintptr_t)metadata * 0x9E3779B97F4A7C15ull;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ bindings[i]) * 0xff51afd7ed558ccdull;
        hash ^= hash >> 32;
    }
    // The key is odd, so it is neither 0 nor the address of metadata, which is aligned.
    return (uintptr_t)(hash | 1);
}
