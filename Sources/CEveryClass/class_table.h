// What the hooks know of each class: whether and how its instances are traced.
#pragma once

#include "class_layout.h"
#include "images.h"

/// How the instances of a class are traced.
typedef enum lt_tracing {
    /// The class has not been looked at.
    LT_UNKNOWN_CLASS = 0,
    /// By a trailer.
    LT_WITH_TRAILER = 1,
    /// By the table of handles: the instance is large, or may be longer than its class says.
    LT_IN_TABLE = 2,
    /// Not at all: a class of the system, of Swift, or of an image without hooks.
    LT_FOREIGN_CLASS = 3,
    /// Not at all: the rules leave the class out.
    LT_LEFT_OUT = 4,
} lt_tracing;

/// The largest instance with a trailer. malloc maps memory of its own for blocks from 128 KiB on, and the words behind
/// an instance without a trailer could then be unmapped; they are read to find out whether there is a trailer.
enum { LT_LARGEST_WITH_TRAILER = 32 * 1024 };

/// An open-addressed table that is read without a lock. A slot is the address of a class with the tracing in its lowest
/// three bits; classes are aligned to 8 bytes. Slots are only ever filled; a table that is too small is replaced.
typedef struct lt_class_table {
    uint32_t mask;
    uint32_t count;
    uintptr_t slots[];
} lt_class_table;

extern lt_class_table *lt_classes;

enum { LT_TRACING_BITS = 7 };

// Fibonacci hashing, as in the table of contexts.
static inline uint32_t lt_slot_of_class(const lt_class *metadata) {
    return (uint32_t)(((uintptr_t)metadata * 0x9E3779B97F4A7C15ull) >> 32);
}

/// Returns how a class is traced, as far as that is known.
static inline __attribute__((always_inline)) lt_tracing lt_known_tracing(const lt_class *metadata) {
    const lt_class_table *table = __atomic_load_n(&lt_classes, __ATOMIC_ACQUIRE);
    for (uint32_t slot = lt_slot_of_class(metadata);; slot++) {
        const uintptr_t word = __atomic_load_n(&table->slots[slot & table->mask], __ATOMIC_RELAXED);
        if ((word & ~(uintptr_t)LT_TRACING_BITS) == (uintptr_t)metadata) return (lt_tracing)(word & LT_TRACING_BITS);
        if (!word) return LT_UNKNOWN_CLASS;
    }
}

/// Looks at a class. Must not be called concurrently; the caller must hold the lock of the hooks.
lt_tracing lt_judge_class(const lt_class *metadata, const lt_images *images);
/// Remembers how a class is traced, under the same lock. If memory is short, the class is looked at again.
void lt_remember_class(const lt_class *metadata, lt_tracing tracing);
/// Forgets all classes, because an image was unloaded, and another one may be loaded at its addresses.
void lt_forget_classes(void);
