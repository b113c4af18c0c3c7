// The leaks: objects that no root reaches and nobody is using.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    /// Leaks that hold each other in the same way have one entry. Leaks that would need more entries are counted only.
    RP_MAX_LEAKS = 512,
    /// Objects that the first look notes. Further objects count as in use.
    RP_MAX_NOTED_OBJECTS = 1 << 22,
    /// The types of victims that an entry tells, those that are nearest to the cycle.
    RP_MAX_VICTIM_TYPES = 8,
};

/// The search for leaks looks twice, in two copies of the process. A thread that is running may hold an object only in
/// a register, which no copy contains. Such an object is not the same, or is found, in the other copy.
enum rp_look {
    /// Notes the objects that no root reaches.
    RP_LOOK_FIRST = 1,
    /// Considers only objects that all earlier looks have noted, with the same address, type and reference count. Such
    /// a look can be repeated.
    RP_LOOK_SECOND,
};

enum rp_leak_kind {
    /// Objects that hold each other. Layouts confirm every reference to each of them, so nobody else holds them.
    RP_LEAK_CYCLE = 1,
    /// The same, but some references are words that merely look like references, an Unmanaged reference in use or a
    /// global variable refers to one of the objects without retaining it, or a task of the cycle has not ended.
    RP_LEAK_UNCERTAIN_CYCLE,
    /// An object with more references than were found. It was retained too often, or something holds it that the
    /// search does not see.
    RP_LEAK_OVER_RETAINED,
};

/// Instances of a class that only a leak holds, without those of the cycle.
typedef struct rp_victims {
    uintptr_t metadata;
    /// The instances, and those among them that are on other cycles.
    uint64_t count, cyclic;
    /// An `rp_node_kind`.
    uint8_t node;
} rp_victims;

/// Leaks of the same kind in which the same types hold each other through the same properties. The result of the same
/// index in `rp_answer` describes the first of them.
typedef struct rp_leak {
    /// A hash of the types and properties, which does not depend on the object at which the cycle is entered.
    uint64_t shape;
    /// The number of leaks, and the objects and bytes of all of them, with everything that only they hold. The bytes
    /// include malloc's header of each block.
    uint64_t count, objects, bytes;
    /// An `rp_leak_kind`.
    uint8_t kind;
    /// The kind of the object that the result describes, an `rp_node_kind`.
    uint8_t node;
    uint8_t victim_type_count;
    rp_victims victims[RP_MAX_VICTIM_TYPES];
} rp_leak;

/// The memory that parent and copies share for the leaks. The parent sets `look` before each copy.
typedef struct rp_leaks {
    /// An `rp_look`.
    uint32_t look;
    uint32_t count;
    /// The leaks for which no entry was left.
    rp_leak left_out;
    /// How many of them are of the kind `RP_LEAK_CYCLE`.
    uint64_t left_out_cycles;
    rp_leak list[RP_MAX_LEAKS];
    /// The objects that the first look noted, and those for which no entry was left.
    uint32_t noted_count;
    uint64_t not_noted;
    /// In the order of the addresses: the address in the upper 44 bits, and a hash of type and reference count.
    uint64_t noted[RP_MAX_NOTED_OBJECTS];
} rp_leaks;

/// Maps the memory for leaks; returns NULL if there is too little memory. Free it with `rp_free_leaks`.
rp_leaks *rp_make_leaks(void);
void rp_free_leaks(rp_leaks *leaks);
const rp_leak *rp_leak_at(const rp_leaks *leaks, uint32_t index);
/// Returns the first of the `victim_type_count` entries of a leak.
const rp_victims *rp_victims_of(const rp_leak *leak);
