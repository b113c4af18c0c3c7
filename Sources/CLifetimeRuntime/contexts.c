// Contexts, which births look up by type and creation site without a lock.
#include "contexts.h"
#include <stdlib.h>

// The content of an empty slot; it has no type, so it matches nothing.
static lt_context no_context;
static struct {
    uint32_t mask;
    lt_context *slots[1];
} empty_table = {0, {&no_context}};

// Always has a table, so that births need not check.
struct lt_shared lt_shared = {.registry = {.table = (lt_context_table *)&empty_table}};

void lt_use_empty_table(lt_registry *registry) { lt_publish_table(registry, (lt_context_table *)&empty_table); }

lt_registry *lt_shared_core(void) { return &lt_shared_registry; }
bool lt_join_holders(lt_registry *registry) {
    int64_t holders = LOAD_RELAXED(&registry->holders);
    while (holders)
        if (__atomic_compare_exchange_n(
                &registry->holders, &holders, holders + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return true;
    return false;
}
bool lt_add_holder(lt_registry *registry) {
    return __atomic_fetch_add(&registry->holders, 1, __ATOMIC_RELAXED) == 0;
}
bool lt_remove_holder(lt_registry *registry) {
    // Acquires and releases, so that what other threads did with their instances precedes the registry's destruction.
    return __atomic_fetch_sub(&registry->holders, 1, __ATOMIC_ACQ_REL) == 1;
}
uint64_t lt_give_id(lt_registry *registry) { return __atomic_add_fetch(&registry->reserved, 1, __ATOMIC_RELAXED); }
uint64_t lt_last_id(const lt_registry *registry) { return LOAD_RELAXED(&registry->reserved); }

enum { CHUNK_BITS = 12 };
// The whole table would take 8 MB of the limit on the data segment (ulimit -d), even in a program with one type. So all
// chunks except the first one are allocated when their first type is created.
static lt_type first_types[1 << CHUNK_BITS];
static lt_type *type_chunks[1 << (LT_TYPE_BITS - CHUNK_BITS)] = {first_types};

lt_type lt_type_at(uint32_t index) {
    const lt_type *chunk = LOAD_ACQUIRE(&type_chunks[index >> CHUNK_BITS]);
    // A word that merely looks like a handle may have any index.
    return chunk ? chunk[index & ((1 << CHUNK_BITS) - 1)] : (lt_type){NULL, 0};
}

bool lt_make_room_for_type(uint32_t index) {
    lt_type **chunk = &type_chunks[index >> CHUNK_BITS];
    if (LOAD_ACQUIRE(chunk)) return true;
    lt_type *made = calloc(1 << CHUNK_BITS, sizeof *made), *none = NULL;
    if (!made) return false;
    // Another registry may be creating the same chunk for another index in it.
    if (!__atomic_compare_exchange_n(chunk, &none, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) free(made);
    return true;
}

void lt_set_type(uint32_t index, lt_registry *registry, uint32_t position) {
    LOAD_ACQUIRE(&type_chunks[index >> CHUNK_BITS])[index & ((1 << CHUNK_BITS) - 1)] = (lt_type){registry, position};
}

lt_memory lt_memory_of_first_types(void) {
    return (lt_memory){(uintptr_t)first_types, (uintptr_t)first_types + sizeof first_types};
}

size_t lt_list_types(lt_memory *pieces, size_t room) {
    size_t count = 0;
    for (size_t number = 1; number < sizeof type_chunks / sizeof *type_chunks; number++) {
        uintptr_t chunk = (uintptr_t)LOAD_ACQUIRE(&type_chunks[number]);
        if (!chunk) continue;
        if (count < room) pieces[count] = (lt_memory){chunk, chunk + (sizeof(lt_type) << CHUNK_BITS)};
        count++;
    }
    return count;
}

static lt_context *chunks[1 << (LT_CONTEXT_BITS - CHUNK_BITS)];

size_t lt_list_contexts(lt_memory *pieces, size_t room) {
    size_t count = 0;
    for (size_t number = 0; number < sizeof chunks / sizeof *chunks; number++) {
        uintptr_t chunk = (uintptr_t)LOAD_ACQUIRE(&chunks[number]);
        if (!chunk) continue;
        if (count < room) pieces[count] = (lt_memory){chunk, chunk + (sizeof(lt_context) << CHUNK_BITS)};
        count++;
    }
    return count;
}

lt_context *lt_context_at(uint32_t index) {
    return LOAD_ACQUIRE(&chunks[index >> CHUNK_BITS]) + (index & ((1 << CHUNK_BITS) - 1));
}

lt_context *lt_make_context(uint32_t index, lt_context contents) {
    lt_context **chunk = &chunks[index >> CHUNK_BITS];
    if (!LOAD_ACQUIRE(chunk)) {
        lt_context *made = calloc(1 << CHUNK_BITS, sizeof *made), *none = NULL;
        if (!made) return NULL;
        // Another registry may be creating the same chunk for another index in it.
        if (!__atomic_compare_exchange_n(chunk, &none, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) free(made);
    }
    lt_context *context = lt_context_at(index);
    // A snapshot may be reading this field, through a record of the registry that used the index before.
    STORE_RELEASE(&context->registry, contents.registry);
    context->metatype = contents.metatype;
    context->file = contents.file;
    context->line_and_stack = contents.line_and_stack;
    context->type = contents.type;
    context->index = index;
    context->position = contents.position;
    context->wide_type = contents.type;
    context->count_offset = contents.type * sizeof(lt_count);
    return context;
}

void lt_publish_table(lt_registry *registry, lt_context_table *table) { STORE_RELEASE(&registry->table, table); }

void lt_clear_table(lt_context_table *table, uint32_t mask) {
    table->mask = mask;
    for (uint32_t slot = 0; slot <= mask; slot++) table->slots[slot] = &no_context;
}

void lt_publish_context(lt_context_table *table, lt_context *context) {
    uint32_t slot = context_hash(context->metatype, context->file, context->line_and_stack);
    while (table->slots[slot & table->mask] != &no_context) slot++;
    STORE_RELEASE(&table->slots[slot & table->mask], context);
}

lt_context *lt_find_context(
    const lt_registry *registry, const void *metatype, const void *file, uint64_t line_and_stack
) {
    return find_context(registry, metatype, file, line_and_stack);
}
