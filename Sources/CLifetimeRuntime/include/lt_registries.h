// Registries, and the contexts and types of which they count instances.
#pragma once

#include "lt_records.h"

typedef struct lt_context {
    const void *metatype;
    const void *file;
    /// The line; with a creation stack, the upper bits hold the hash of the stack.
    uint64_t line_and_stack;
    lt_registry *registry;
    /// The type's index, as in handles.
    uint32_t type;
    /// The context's position in its registry.
    uint32_t position;
    /// The context's index, as in records.
    uint64_t index;
    /// The type's index again, and the offset of its counters in a stripe, as births need them.
    uint64_t wide_type;
    uint64_t count_offset;
} lt_context;

/// An open-addressed table of contexts that is read without a lock, because slots are only ever filled. An empty slot
/// holds a context that matches nothing.
typedef struct lt_context_table {
    uint32_t mask;
    lt_context *slots[];
} lt_context_table;

struct lt_registry {
    lt_context_table *table;
    /// The Swift object to which this belongs, not retained; valid while an instance of the registry is live.
    void *store;
    /// The index at which all instances of the registry are counted, as if it were a type's.
    uint32_t total;
    bool is_scoped;
    bool has_stacks;
    /// Times are not those of the system clock, so only Swift code can read them.
    bool has_own_clock;
    /// The last deaths; NULL if memory was short.
    struct lt_death_ring *deaths;
    /// The object that the holders keep alive, not retained, and the function that releases it after the last holder.
    void *owner;
    void (*release)(void *owner);
    /// The highest id that was assigned or reserved for a stripe; kept apart from the fields that every birth reads.
    uint64_t apart[8];
    uint64_t reserved;
    /// What keeps a scoped registry alive: its live instances and its scopes.
    int64_t holders;
};

/// Returns the registry of all objects that are born outside a scope.
lt_registry *lt_shared_core(void);
/// Counts something that keeps a scoped registry alive, if something else does already; returns whether it was counted.
bool lt_join_holders(lt_registry *registry);
/// Counts something that keeps a scoped registry alive, after a retain of the registry for all of its kind; returns
/// whether it is the only one. Otherwise that retain is one too many.
bool lt_add_holder(lt_registry *registry);
/// Balances either call; returns whether this was the last one, which then releases the registry. Otherwise, the caller
/// must not access the registry afterwards.
bool lt_remove_holder(lt_registry *registry);
/// Assigns an id.
uint64_t lt_give_id(lt_registry *registry);
/// Returns the highest id that was assigned or reserved.
uint64_t lt_last_id(const lt_registry *registry);

/// The registry to which a type index belongs, and the type's position in that registry.
typedef struct lt_type {
    lt_registry *registry;
    uint32_t position;
} lt_type;

lt_type lt_type_at(uint32_t index);

/// The addresses from `start` up to, but not including, `end`.
typedef struct lt_memory {
    uintptr_t start, end;
} lt_memory;

/// Returns the memory of the first part of the table of types, which is not allocated. The table also names freed
/// registries, whose memory may be reused, so its words look like references but are not.
lt_memory lt_memory_of_first_types(void);
/// Lists the memory of the other parts as far as `room` allows; returns their number.
size_t lt_list_types(lt_memory *pieces, size_t room);
/// Lists the memory of contexts, which name such registries as well, as far as `room` allows; returns the number of
/// pieces.
size_t lt_list_contexts(lt_memory *pieces, size_t room);
/// Makes sure that the table of types has a place for an index; returns false if memory is short. The first indices,
/// among them `LT_FIRST_TYPE`, always have one.
bool lt_make_room_for_type(uint32_t index);
/// Assigns an index to a type of a registry. There must be room for it, and nothing may have been counted at the index.
void lt_set_type(uint32_t index, lt_registry *registry, uint32_t position);

lt_context *lt_find_context(
    const lt_registry *registry, const void *metatype, const void *file, uint64_t line_and_stack);
/// Gives a registry an empty table.
void lt_use_empty_table(lt_registry *registry);
void lt_publish_table(lt_registry *registry, lt_context_table *table);
/// Empties a table of `mask + 1` slots before it is published.
void lt_clear_table(lt_context_table *table, uint32_t mask);
void lt_publish_context(lt_context_table *table, lt_context *context);
/// Returns the context with an index that has been published.
lt_context *lt_context_at(uint32_t index);
/// Creates a context at an unused index; returns NULL if memory is short.
lt_context *lt_make_context(uint32_t index, lt_context contents);
