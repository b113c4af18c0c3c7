// The last deaths of a registry.
#pragma once

#include "lt_registries.h"

/// A death, in the units of records.
typedef struct lt_death_entry {
    uint64_t id;
    /// The type's position in the registry.
    uint64_t type;
    uint64_t born_at;
    uint64_t died_at;
} lt_death_entry;

/// Gives a new registry a ring for its last deaths. If memory is short, the registry forgets all deaths.
void lt_make_death_ring(lt_registry *registry, size_t limit);
/// Frees the ring of a registry that nothing uses any more.
void lt_free_death_ring(lt_registry *registry);
/// Returns the memory of the ring, whose numbers may look like references; empty if there is none.
lt_memory lt_memory_of_deaths(const lt_registry *registry);
/// Remembers a death. The thread must have a stripe.
void lt_remember_death(const lt_registry *registry, lt_death_entry death);
/// Returns the number of remembered deaths.
size_t lt_death_count(const lt_registry *registry);
/// Copies the last remembered deaths, oldest first, as far as there is room; returns how many they are, and sets the
/// number of all earlier deaths. Never waits.
size_t lt_copy_deaths(const lt_registry *registry, lt_death_entry *output, size_t room, uint64_t *forgotten);
/// Finds the last death of an instance; returns false if it is not remembered.
bool lt_find_death(const lt_registry *registry, uint64_t id, lt_death_entry *found);
