// Looks up a context, inline in births.
#pragma once
#include "atomics.h"

/// What all births read, together so that they form one address.
extern struct lt_shared {
    lt_registry registry;
    /// The present as in the second words of records; 0 if births must read the ticks. See birth_clock.h.
    _Alignas(128) uint64_t now;
    uint8_t apart[120];
} lt_shared;

#define lt_shared_registry lt_shared.registry

// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): the upper bits of a product with 2^64 / φ.
static inline __attribute__((always_inline)) uint32_t context_hash(
    const void *metatype, const void *file, uint64_t line_and_stack
) {
    uint64_t key = (uintptr_t)metatype + (uintptr_t)file * 2 + line_and_stack * 8;
    return (uint32_t)((key * 0x9E3779B97F4A7C15ull) >> 36);
}

static inline __attribute__((always_inline)) lt_context *first_context(
    const lt_registry *registry, const void *metatype, const void *file, uint64_t line_and_stack
) {
    const lt_context_table *table = LOAD_ACQUIRE(&registry->table);
    return LOAD_ACQUIRE(&table->slots[context_hash(metatype, file, line_and_stack) & table->mask]);
}

static inline __attribute__((always_inline)) bool is_context_of(
    const lt_context *context, const void *metatype, const void *file, uint64_t line_and_stack
) {
    return context->metatype == metatype && context->file == file && context->line_and_stack == line_and_stack;
}

static inline lt_context *find_context(
    const lt_registry *registry, const void *metatype, const void *file, uint64_t line_and_stack
) {
    const lt_context_table *table = LOAD_ACQUIRE(&registry->table);
    for (uint32_t slot = context_hash(metatype, file, line_and_stack);; slot++) {
        lt_context *context = LOAD_ACQUIRE(&table->slots[slot & table->mask]);
        if (is_context_of(context, metatype, file, line_and_stack)) return context;
        if (UNLIKELY(!context->metatype)) return NULL;
    }
}
