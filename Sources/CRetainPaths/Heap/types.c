#ifdef __linux__
#include "frozen_copy.h"
#include "Heap/runtime_layout.h"

// Which words are addresses of Swift metadata. In a program with much C code, most blocks do not begin with one, and
// random bytes may look like one. Therefore everything to which metadata refers is checked first.

enum {
    MOST_TYPES = 1 << 22,
    SHARE_OF_TYPES = 8,
    FIRST_TABLE_BITS = 14,
    LOWEST_ADDRESS = 0x10000,
    /// More than the instance size of any class.
    LARGEST_INSTANCE = 1 << 24,
    LARGEST_BOX_OFFSET = 256,
    KNOWN_CONTEXTS = 1 << 13,
};

/// The type of a value is entered with this bit set in its address, so that it differs from any address of heap
/// metadata.
enum { VALUE_KEY = 1 };

static bool is_class(const rp_frozen_copy *frozen, uintptr_t metadata) {
    if (!rp_is_readable(frozen, metadata, RP_CLASS_SIZE)) return false;
    uintptr_t descriptor = rp_read64(metadata + RP_CLASS_DESCRIPTOR);
    if (descriptor % 4 || !rp_is_readable(frozen, descriptor, RP_DESCRIPTOR_SIZE)) return false;
    if ((rp_read32(descriptor) & RP_DESCRIPTOR_KIND_BITS) != RP_DESCRIPTOR_KIND_CLASS) return false;
    if (!rp_is_readable(frozen, rp_read64(metadata + RP_METADATA_WITNESSES), RP_WITNESSES_SIZE)) return false;
    uint32_t size = rp_read32(metadata + RP_CLASS_INSTANCE_SIZE);
    return size >= RP_OBJECT_HEADER && size <= LARGEST_INSTANCE;
}

/// Returns the kind of objects with this heap metadata; 0 if the memory is not heap metadata.
static uint8_t node_kind(const rp_frozen_copy *frozen, uintptr_t metadata) {
    if (!rp_is_readable(frozen, metadata - RP_METADATA_BEFORE, RP_METADATA_BEFORE + RP_BOX_SIZE)) return 0;
    if (rp_is_code(frozen, metadata)) return 0;
    uint64_t kind = rp_read64(metadata);
    bool may_be = kind == RP_KIND_CLASS || (kind >= RP_KIND_CONTEXT && kind <= RP_KIND_JOB);
    if (!may_be || !rp_is_code(frozen, rp_read64(metadata + RP_METADATA_DESTROY))) return 0;
    switch (kind) {
    case RP_KIND_CLASS: return is_class(frozen, metadata) ? RP_NODE_OBJECT : 0;
    case RP_KIND_CONTEXT: {
        uintptr_t descriptor = rp_read64(metadata + RP_CONTEXT_DESCRIPTOR);
        return descriptor == 0 || rp_is_readable(frozen, descriptor, 12) ? RP_NODE_CLOSURE : 0;
    }
    case RP_KIND_GENERIC_BOX: {
        uint32_t offset = rp_read32(metadata + RP_BOX_OFFSET);
        bool fits = offset >= RP_OBJECT_HEADER && offset <= LARGEST_BOX_OFFSET;
        return fits && rp_is_readable(frozen, rp_read64(metadata + RP_BOX_TYPE), 16) ? RP_NODE_GENERIC_BOX : 0;
    }
    case RP_KIND_ERROR_BOX: return RP_NODE_ERROR_BOX;
    case RP_KIND_TASK:
    case RP_KIND_JOB: return RP_NODE_TASK;
    default: return 0;
    }
}

static bool read_value_type(const rp_frozen_copy *frozen, uintptr_t metadata, rp_type *type) {
    if (!rp_is_readable(frozen, metadata - 8, 24)) return false;
    uint64_t kind = rp_read64(metadata);
    // A class has the kind 0, which any zero word could be.
    if (kind == RP_KIND_CLASS && !is_class(frozen, metadata)) return false;
    if (kind == RP_KIND_CLASS || kind == RP_KIND_FOREIGN_CLASS) {
        type->is_class = true;
        return true;
    }
    if (kind < RP_KIND_FIRST_VALUE || kind > RP_KIND_LAST_VALUE) return false;
    uintptr_t witnesses = rp_read64(metadata + RP_METADATA_WITNESSES);
    if (!rp_is_readable(frozen, witnesses, RP_WITNESSES_SIZE)) return false;
    type->witness_flags = rp_read32(witnesses + RP_WITNESSES_FLAGS);
    return true;
}

static void note_unknown_type(rp_frozen_copy *frozen, uintptr_t metadata) {
    rp_answer *answer = frozen->answer;
    if (answer->unknown_type_count == RP_MAX_UNKNOWN_TYPES) {
        answer->unknown_types_dropped++;
    } else {
        answer->unknown_types[answer->unknown_type_count++] = metadata;
    }
}

static uint32_t slot_of(const rp_frozen_copy *frozen, uintptr_t key) {
    // Fibonacci hashing (Knuth, The Art of Computer Programming, 6.4).
    return (uint32_t)((key >> 3 ^ key << 61) * 0x9E3779B97F4A7C15ull >> (64 - frozen->types.table_bits));
}

static void enter(rp_frozen_copy *frozen, uint32_t type) {
    uint32_t mask = (1u << frozen->types.table_bits) - 1;
    uint32_t slot = slot_of(frozen, frozen->types.list[type].metadata);
    while (frozen->types.table[slot]) slot = (slot + 1) & mask;
    frozen->types.table[slot] = type;
}

static uint32_t find(const rp_frozen_copy *frozen, uintptr_t key) {
    uint32_t mask = (1u << frozen->types.table_bits) - 1;
    uint32_t slot = slot_of(frozen, key);
    for (;; slot = (slot + 1) & mask) {
        uint32_t type = frozen->types.table[slot];
        if (type == 0 || frozen->types.list[type].metadata == key) return type;
    }
}

static uint32_t add(rp_frozen_copy *frozen, uintptr_t key, rp_type type) {
    if (frozen->types.count == MOST_TYPES) return 0;
    if (frozen->types.count >= 1u << (frozen->types.table_bits - 1)) {
        // The old table stays allocated. All old tables together are smaller than the new one.
        frozen->types.table_bits++;
        frozen->types.table = rp_take(frozen, sizeof(uint32_t) << frozen->types.table_bits);
        for (uint32_t index = 1; index < frozen->types.count; index++) enter(frozen, index);
    }
    rp_grow(frozen, &frozen->types.memory, ((size_t)frozen->types.count + 1) * sizeof(rp_type));
    uintptr_t metadata = key & ~(uintptr_t)VALUE_KEY;
    rp_layout_index layout = rp_find_layout(frozen->request->layouts, metadata);
    type.metadata = key;
    type.layout = rp_layout_at(frozen, layout);
    uint32_t index = frozen->types.count++;
    frozen->types.list[index] = type;
    enter(frozen, index);
    if (!layout && !type.is_class) note_unknown_type(frozen, metadata);
    return index;
}

void rp_prepare_types(rp_frozen_copy *frozen) {
    rp_reserve_at_most(frozen, &frozen->types.memory, MOST_TYPES * sizeof(rp_type), SHARE_OF_TYPES);
    frozen->types.list = (rp_type *)frozen->types.memory.start;
    rp_grow(frozen, &frozen->types.memory, sizeof(rp_type));
    frozen->types.count = 1;
    frozen->types.table_bits = FIRST_TABLE_BITS;
    frozen->types.table = rp_take(frozen, sizeof(uint32_t) << FIRST_TABLE_BITS);
    frozen->types.known_contexts = rp_take(frozen, KNOWN_CONTEXTS * sizeof(uint64_t));
}

static bool may_be_metadata(uintptr_t word) {
    return word % sizeof(uintptr_t) == 0 && word >= LOWEST_ADDRESS && (word & RP_ADDRESS_BITS) == word;
}

uint32_t rp_heap_type(rp_frozen_copy *frozen, uintptr_t word) {
    if (!may_be_metadata(word)) return 0;
    uint32_t known = find(frozen, word);
    if (known) return known;
    uint8_t node = node_kind(frozen, word);
    if (!node) return 0;
    uint32_t size = node == RP_NODE_OBJECT ? rp_read32(word + RP_CLASS_INSTANCE_SIZE) : RP_OBJECT_HEADER;
    return add(frozen, word, (rp_type){.node = node, .instance_size = size});
}

const rp_type *rp_value_type(rp_frozen_copy *frozen, uintptr_t metadata) {
    if (!may_be_metadata(metadata)) return NULL;
    uint32_t known = find(frozen, metadata | VALUE_KEY);
    if (!known) {
        rp_type type = {0};
        if (!read_value_type(frozen, metadata, &type)) return NULL;
        known = add(frozen, metadata | VALUE_KEY, type);
    }
    return known ? frozen->types.list + known : NULL;
}

static void note_unknown_context(
    rp_frozen_copy *frozen, uintptr_t metadata, uintptr_t key, const uintptr_t *bindings, uint32_t count) {
    rp_answer *answer = frozen->answer;
    // If the table is full, or two keys share a place, a context is at worst reported twice.
    uint64_t *known = frozen->types.known_contexts + key * 0x9E3779B97F4A7C15ull % KNOWN_CONTEXTS;
    if (*known == key) return;
    *known = key;
    if (answer->unknown_context_count == RP_MAX_UNKNOWN_CONTEXTS) {
        answer->unknown_contexts_dropped++;
        return;
    }
    rp_unknown_context *context = answer->unknown_contexts + answer->unknown_context_count++;
    context->metadata = metadata;
    context->key = key;
    context->count = count;
    memcpy(context->bindings, bindings, count * sizeof *bindings);
}

const rp_layout *rp_context_layout(
    rp_frozen_copy *frozen, const rp_type *type, uintptr_t address, uint32_t size) {
    uint32_t count = type->layout->binding_count;
    uint32_t offset = rp_read32(type->metadata + RP_CONTEXT_CAPTURES);
    if (count > RP_MAX_BINDINGS || offset > size || count * sizeof(uintptr_t) > size - offset) return NULL;
    uintptr_t bindings[RP_MAX_BINDINGS];
    memcpy(bindings, (const void *)(address + offset), count * sizeof *bindings);
    uintptr_t key = rp_context_key((const void *)type->metadata, bindings, count);
    rp_layout_index layout = rp_find_layout(frozen->request->layouts, key);
    if (!layout) note_unknown_context(frozen, type->metadata, key, bindings, count);
    return rp_layout_at(frozen, layout);
}

#endif
