// The blocks of the heap, and their types.
#pragma once

#include "Process/process.h"

// MARK: Blocks

/// Properties of a block that the search learns.
enum rp_block_flags {
    /// The search skips the block: it is free, a side table, an object whose deinit runs, memory of the tracer,
    /// metadata, or cached by libdispatch.
    RP_BLOCK_DEAD = 1,
    RP_BLOCK_REACHED = 2,
    /// Precise edges account for all strong references to the object, so conservative edges to it are dropped.
    RP_BLOCK_SATURATED = 4,
    RP_BLOCK_TARGET = 8,
    /// A root reaches the block without going through a target.
    RP_BLOCK_REACHED_FREELY = 16,
    /// A requesting task, a task that awaits one, or memory of their frames.
    RP_BLOCK_REQUESTING = 32,
    /// The block is on a cycle.
    RP_BLOCK_CYCLIC = 64,
    RP_BLOCK_DEINITIALIZING = 128,
};

typedef struct rp_block {
    uintptr_t address;
    uint32_t size;
    /// An index into `rp_types.list`; 0 for a raw block.
    uint32_t type : 24;
    uint32_t flags : 8;
} rp_block;

/// Memory from which malloc hands out blocks.
typedef struct rp_heap_part {
    uintptr_t start, end;
    /// The first chunk.
    uintptr_t first;
    /// The chunk at which the walk ends; 0 for a mapped block, which is a part of its own.
    uintptr_t top;
    bool is_mapped_block;
    /// The part's first bit in `rp_heap.starts`.
    uint64_t first_bit;
} rp_heap_part;

enum { RP_NO_BLOCK = UINT32_MAX };

enum { RP_SAMPLES = 5 };

/// Blocks that the program freed right before it was copied. The addresses are inverted bit by bit, so that they do not
/// look like references.
typedef struct rp_samples {
    uintptr_t inverted[RP_SAMPLES];
} rp_samples;

typedef struct rp_heap {
    rp_heap_part *parts;
    uint32_t part_count;
    uintptr_t start, end;
    uintptr_t main_arena;
    /// malloc's mark of cached free blocks; 0 if there are none, if the mark is unknown, or if all of them are marked
    /// as dead.
    uintptr_t cache_mark;
    rp_region block_memory;
    rp_block *blocks;
    uint32_t block_count;
    /// Whether blocks are not listed because the copy is a preview.
    bool is_preview;
    /// The blocks that a census counts but does not list, because the list would exceed the memory limit.
    uint64_t left_out, left_out_bytes;
    /// One bit for each 16 bytes of the heap, set where a block starts; and the number of set bits before each word of
    /// bits.
    uint64_t *starts;
    uint32_t *ranks;
    uint64_t bit_count;
} rp_heap;

// heap_parts.c

/// Finds malloc's arenas and mapped blocks.
void rp_find_heap_parts(rp_frozen_copy *frozen);
/// Returns the arena after this one; malloc's arenas form a ring. Returns 0 if the link is not valid.
uintptr_t rp_next_arena(const rp_frozen_copy *frozen, uintptr_t arena);

// heap_walk.c

/// Lists all blocks in use, in the order of their addresses.
void rp_walk_heap(rp_frozen_copy *frozen);

// cached_blocks.c

/// Allocates and frees blocks of several sizes. Call it in the program, on the thread that copies the process, with no
/// other call of malloc in between.
void rp_free_samples(rp_samples *samples);
/// Learns malloc's mark of cached blocks from the contents of the samples, and marks the blocks in the caches' lists as
/// dead. Call it after all blocks are listed.
void rp_learn_cache_mark(rp_frozen_copy *frozen);
/// Marks the blocks that contain the caches' lists as dead. They hold no objects, but contain stale words behind the
/// lists.
void rp_skip_caches(rp_frozen_copy *frozen);
/// Whether a block that is listed as used is free and cached for a thread.
bool rp_is_cached(const rp_frozen_copy *frozen, const rp_block *block);

// blocks.c

/// Prepares the lookup of blocks by address. Call it after all blocks are listed.
void rp_mark_starts(rp_frozen_copy *frozen);
/// Returns the bytes that a block takes, with malloc's header.
uint64_t rp_bytes_of(const rp_block *block);
const rp_heap_part *rp_part_at(const rp_frozen_copy *frozen, uintptr_t address);
/// Returns the block that starts at an address; `RP_NO_BLOCK` if there is none.
uint32_t rp_block_at(const rp_frozen_copy *frozen, uintptr_t address);
/// Returns the block that contains an address; `RP_NO_BLOCK` if there is none.
uint32_t rp_block_around(const rp_frozen_copy *frozen, uintptr_t address);

// MARK: Types

/// A type that was identified by heap metadata, or by the metadata of a value in an existential.
typedef struct rp_type {
    uintptr_t metadata;
    const rp_layout *layout;
    /// For a class, its instance size; for other heap metadata, the size of an object's header.
    uint32_t instance_size;
    /// For a value: the flags of its value witness table.
    uint32_t witness_flags;
    /// An `rp_node_kind`; 0 for a value.
    uint8_t node;
    /// Whether the metadata of a value is that of a class.
    bool is_class;
} rp_type;

typedef struct rp_types {
    rp_region memory;
    /// The first entry is not used.
    rp_type *list;
    uint32_t count;
    /// A hash table of indices into the list.
    uint32_t *table;
    uint32_t table_bits;
    uint64_t *known_contexts;
} rp_types;

// types.c

void rp_prepare_types(rp_frozen_copy *frozen);
/// Returns the index of the type whose heap metadata has the address `word`; 0 if `word` is not such an address.
uint32_t rp_heap_type(rp_frozen_copy *frozen, uintptr_t word);
/// Returns the type of a value in an existential, by its metadata; NULL if the address is not that of metadata.
const rp_type *rp_value_type(rp_frozen_copy *frozen, uintptr_t metadata);
/// Returns the layout of a generic context with the bindings of this object; NULL if the layout is not known yet.
const rp_layout *rp_context_layout(rp_frozen_copy *frozen, const rp_type *type, uintptr_t address, uint32_t size);

// objects.c

/// Tells objects from raw blocks, and marks blocks that are not alive.
void rp_classify_blocks(rp_frozen_copy *frozen);
typedef struct rp_reference_counts {
    uint32_t strong, unowned, weak;
    bool is_deinitializing;
    /// The block of the side table, or `RP_NO_BLOCK`.
    uint32_t side_table;
} rp_reference_counts;
rp_reference_counts rp_counts_of(const rp_frozen_copy *frozen, uintptr_t object);

// MARK: The number of references to each block

/// One entry for each block. Entries of one byte count up to 255.
typedef struct rp_totals {
    /// The precise references.
    uint32_t *precise;
    /// The references from blocks and image data. Roots elsewhere are left out.
    uint8_t *found;
    /// The same references without those from raw blocks. Those include the frames of tasks, which contain stale words.
    uint8_t *vouched;
    /// The conservative edges from image data of the program or of Swift libraries.
    uint8_t *in_variables;
    /// The unowned references that layouts declare.
    uint8_t *unowned;
    /// In a search for leaks: 1 for an object to which an Unmanaged reference in use, or a global variable of the
    /// program, refers without retaining it.
    uint8_t *unmanaged;
    /// Whether scans report these references, too.
    bool wants_all_unmanaged;
    /// Whether all of these numbers are complete.
    bool are_complete;
    /// Whether an Unmanaged reference is followed even if words in raw memory seem to account for all references.
    bool include_unmanaged;
} rp_totals;

// totals.c

/// Whether an object has more strong references than were found; false before the references are counted.
bool rp_has_unexplained(const rp_frozen_copy *frozen, uint32_t block);
