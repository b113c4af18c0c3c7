// The census: the blocks of the heap, counted by type.
#pragma once

#include <stdint.h>

enum {
    /// Blocks that would need more lines are counted in the first line of their kind.
    RP_MAX_CENSUS_LINES = 1 << 17,
};

/// What the blocks of a line are.
enum rp_line_kind {
    /// Swift objects. `metadata` is the address of their metadata. `detail` is the function of a closure's context, the
    /// type in the box of an error, or the metadata of the first object in the storage of an array; 0 if there is none
    /// or if it is not known.
    RP_LINE_OBJECTS = 1,
    /// Raw blocks that begin with an address in an image, such as objects of libdispatch and C's blocks. `metadata` is
    /// that address; `detail` is the function of one of C's blocks.
    RP_LINE_BLOCKS,
    /// All other raw blocks.
    RP_LINE_UNKNOWN,
    /// Memory in which tasks keep the frames of their functions.
    RP_LINE_TASK_MEMORY,
    /// Calls that libdispatch is to make or keeps for reuse.
    RP_LINE_CONTINUATIONS,
    /// Metadata and witness tables that Swift's runtime has allocated.
    RP_LINE_METADATA,
    /// Reference counts of objects with weak references, in blocks of their own.
    RP_LINE_SIDE_TABLES,
    /// Memory of the tracer; in a program with the agent also the blocks that only the tracer keeps.
    RP_LINE_TRACER,
    /// Free blocks that malloc keeps for the next requests of a thread, or of the same size.
    RP_LINE_FREE,
    /// malloc's own memory at the start of each arena.
    RP_LINE_ALLOCATOR,
    /// Blocks that were counted but not examined, because a list of them would exceed the memory limit.
    RP_LINE_LEFT_OUT,
    RP_LINE_KINDS,
};

typedef struct rp_census_line {
    uintptr_t metadata, detail;
    /// The bytes include malloc's header of each block.
    uint64_t count, bytes;
    /// The bytes that would be freed with the blocks of the line; 0 if they were not computed.
    uint64_t retained;
    /// An `rp_line_kind`.
    uint8_t kind;
    /// For Swift objects, an `rp_node_kind`; else 0.
    uint8_t node;
} rp_census_line;

/// The properties that the blocks of a line share; see `rp_census_line`.
typedef struct rp_line_key {
    uintptr_t metadata, detail;
    uint8_t kind, node;
} rp_line_key;

/// The memory that parent and copy share for a census. The first `RP_LINE_KINDS` lines are the first lines of the
/// kinds, in the order of the kinds; the line at index 0 is not used.
typedef struct rp_census {
    uint32_t line_count;
    /// Whether some blocks were counted in the first line of their kind because no line was left.
    bool is_full;
    rp_census_line lines[RP_MAX_CENSUS_LINES];
} rp_census;

/// Maps a census; returns NULL if there is too little memory. Free it with `rp_free_census`.
rp_census *rp_make_census(void);
void rp_free_census(rp_census *census);
const rp_census_line *rp_census_lines(const rp_census *census);
