// The retained sizes: the bytes that would be freed with an object, with the objects of a type, or with a root.
#pragma once

#include "rp_census.h"

#include <stdbool.h>

enum {
    /// The entries of the tree that leaves the frozen copy. The largest groups are listed.
    RP_MAX_RETAINED_GROUPS = 4096,
    /// The `parent` of a group at the top of the tree.
    RP_TOP_OF_TREE = UINT32_MAX,
    /// The objects whose retained bytes can be asked for at once.
    RP_MAX_MEASURED_OBJECTS = 64,
};

/// Root, or objects and other blocks of the same line that the same group holds alone.
typedef struct rp_retained_group {
    /// Of a variable: its address. Of a static object: the address of the object, and its metadata.
    uintptr_t address, metadata;
    /// The blocks of the group, and their own bytes with malloc's headers; 0 for a root. `RP_NODE_ROOT_TRACER` has the
    /// blocks that only the tracer keeps.
    uint64_t count, bytes;
    /// The bytes of the group and of everything below it.
    uint64_t retained;
    /// The most bytes that a single block of the group retains.
    uint64_t largest;
    /// The index of the group above, which precedes its members in the list, or `RP_TOP_OF_TREE`.
    uint32_t parent;
    /// The index of the line in the census; 0 for a root.
    uint32_t line;
    /// Of the root of a thread: an index into `rp_request.threads`, UINT32_MAX if the thread is unknown.
    uint32_t thread;
    /// Of a root: an `rp_node_kind`; `RP_NODE_ROOT_STACK` stands for all memory of the thread. 0 for blocks that are
    /// held by objects whose deinit runs, and for groups of blocks.
    uint8_t node;
} rp_retained_group;

/// An object whose retained bytes are asked for.
typedef struct rp_measured_object {
    /// The address, inverted bit by bit, so that the list does not hold the object.
    uint64_t inverted_address;
    /// The bytes that the object retains; 0 if no root reaches it, or if there is no such object.
    uint64_t bytes;
} rp_measured_object;

enum rp_retained_state {
    RP_RETAINED_MISSING = 0,
    RP_RETAINED_DONE,
    /// The limit of memory did not suffice (`error` is 0), or the system refused memory (`error` is its number).
    RP_RETAINED_OUT_OF_MEMORY,
};

/// The memory that parent and copy share for the retained sizes. The first look at the leaks fills it.
typedef struct rp_retained {
    /// An `rp_retained_state`.
    uint32_t state;
    int32_t error;
    /// Whether the census is complete.
    bool has_lines;
    /// The blocks that roots reach, and their bytes.
    uint64_t count, bytes;
    /// The number of all groups, of which the largest are listed.
    uint64_t all_groups;
    uint32_t group_count;
    rp_retained_group groups[RP_MAX_RETAINED_GROUPS];
    uint32_t measured_count;
    rp_measured_object measured[RP_MAX_MEASURED_OBJECTS];
    /// The lines, with their retained bytes.
    rp_census census;
} rp_retained;

/// Maps the memory for retained sizes; returns NULL if there is too little memory. Free it with `rp_free_retained`.
rp_retained *rp_make_retained(void);
void rp_free_retained(rp_retained *retained);
const rp_retained_group *rp_retained_groups(const rp_retained *retained);
/// Asks for the bytes that an object retains; false if too many are asked for already.
bool rp_measure_object(rp_retained *retained, uint64_t inverted_address);
uint64_t rp_measured_bytes(const rp_retained *retained, uint32_t position);
