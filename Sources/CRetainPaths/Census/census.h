// The blocks of the heap by type.
#pragma once

#include "Roots/roots.h"

typedef struct rp_line_table {
    /// The memory for the lines.
    rp_census *census;
    /// For each block, the index of its line in `rp_census.lines`, or the number of its context combined with
    /// `RP_IS_CONTEXT`; 0 while neither is known.
    uint32_t *line_of;
    /// A hash table of indices into `rp_census.lines`; 0 is a free entry.
    uint32_t *table;
    /// The functions of the contexts of closures, by the number of the context; 0 for an unknown one.
    uintptr_t *functions;
} rp_line_table;

enum { RP_IS_CONTEXT = 0x80000000u };

// lines.c

/// Makes the table of lines and clears the census, which receives the lines.
void rp_prepare_lines(rp_frozen_copy *frozen, rp_census *census);
/// Returns the line for the blocks with these properties, and adds it if it is new.
uint32_t rp_line_for(rp_frozen_copy *frozen, uint8_t kind, uint8_t node, uintptr_t metadata, uintptr_t detail);

// known_blocks.c

/// Assigns lines to blocks that the search skips: free blocks, and memory of the tracer and of the runtimes. Finds
/// threads on the way.
void rp_settle_known_blocks(rp_frozen_copy *frozen);
/// Assigns the line of metadata to blocks in which the runtime keeps metadata, as far as types are known.
void rp_settle_metadata(rp_frozen_copy *frozen);

// context_functions.c

/// Numbers the contexts of closures, and makes room for their functions.
void rp_number_contexts(rp_frozen_copy *frozen);
/// Stores the function of a closure if a reference leads to the context of the closure.
void rp_note_function(rp_frozen_copy *frozen, const rp_edge *edge);
/// Finds the functions of closures' contexts to which blocks refer that no root has reached. The search from the roots
/// has noted the others.
void rp_find_functions_of_unreached(rp_frozen_copy *frozen);
/// Finds the functions of closures' contexts. Scans all blocks and the variables of the program.
void rp_find_context_functions(rp_frozen_copy *frozen);

// sample.c

/// Assigns every block to its line, and lists blocks of the requested lines: all, or an evenly spread sample. `blocks`
/// must have room for `rp_request.sample` entries. Returns the number of listed blocks.
uint32_t rp_sample_lines(rp_frozen_copy *frozen, uint32_t *blocks);

// census.c

/// Counts all blocks in their lines, and stores the line of each block.
void rp_count_blocks(rp_frozen_copy *frozen);
