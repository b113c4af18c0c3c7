// The number of references to each object, the objects that the request names, and the paths to these objects.
#pragma once

#include "Roots/roots.h"

// MARK: Targets

enum { RP_MAX_CANDIDATES = 2 * RP_MAX_HOLDERS };

/// A possible holder of a target.
typedef struct rp_candidate {
    /// The block, or `RP_NO_BLOCK` for a root.
    uint32_t from;
    uint32_t offset;
    /// The part of the block; see `rp_part`.
    uint32_t position;
    rp_root root;
    bool is_precise;
} rp_candidate;

/// The only way up from a target; see long_paths.c.
typedef struct rp_way {
    /// The last block of the way, and the number of blocks from it to the target, with both of them; 0 if the way is
    /// not known.
    uint32_t top, length;
    /// The block of the way at which the beginning of a long path ends; the target itself if the way is short.
    uint32_t head;
    /// Whether the way leads to a root.
    bool is_to_root;
    /// During the walk: the target that the walk has passed before, and the number of steps until then.
    struct rp_target *below;
    uint32_t steps;
} rp_way;

typedef struct rp_target {
    uint32_t block;
    /// The incoming references that were found: precise edges; conservative edges in the heap, and Unmanaged
    /// references; conservative edges from image data; conservative edges from other memory outside the heap.
    uint32_t precise, conservative, from_data, from_elsewhere;
    /// Whether the references in Unmanaged values are counted, and whether the current pass counts them.
    bool is_unmanaged_counted, wants_unmanaged;
    /// Whether the target is leaked by a cycle according to the search so far, which has not followed Unmanaged
    /// references.
    bool is_reconsidered;
    /// Whether an object of the cycle that seems to be at fault has more references than were found.
    bool has_doubtful_cycle;
    rp_way way;
    uint32_t precise_candidates, other_candidates;
    rp_candidate candidates[RP_MAX_CANDIDATES];
} rp_target;

typedef struct rp_targets {
    rp_target *list;
    uint32_t count;
    /// The indices of the targets that were found, sorted by block.
    uint32_t *by_block;
    uint32_t found_count;
} rp_targets;

// targets.c

/// Whether the targets are blocks of lines in a program with the agent. The objects that only the agent keeps are not
/// among them, and are known only after the references are counted: a stale word of the agent would otherwise take a
/// leaked object for the agent's.
bool rp_chooses_targets_late(const rp_frozen_copy *frozen);
/// Finds the objects that the request names.
void rp_find_targets(rp_frozen_copy *frozen);
/// Returns the target that a block is; NULL if it is none.
rp_target *rp_target_of(const rp_frozen_copy *frozen, uint32_t block);

// count.c

/// Counts the references, marks the objects whose references are all explained, and collects the possible holders of
/// the targets.
void rp_count_references(rp_frozen_copy *frozen);
/// Collects the possible holders of targets that were chosen after the references had been counted.
void rp_find_holders(rp_frozen_copy *frozen);
/// Counts the Unmanaged references to each target that has unexplained strong references, once per target. This is
/// known only after all other references are counted.
void rp_count_unmanaged(rp_frozen_copy *frozen);
/// Counts the references in registers that have been read.
void rp_count_registers(rp_frozen_copy *frozen);

// MARK: Paths from the roots

/// More than the largest weight of an edge and the largest distance of a root.
enum { RP_BUCKETS = 64 };

/// The blocks' distances from the roots, and their predecessors on the shortest paths.
typedef struct rp_search {
    uint32_t *distance;
    /// The preceding block, or the index of a root combined with `RP_FROM_ROOT`.
    uint32_t *parent;
    /// The blocks of a bucket are a doubly linked list. The ring of buckets is the queue, because weights are small.
    uint32_t *next, *previous;
    uint32_t buckets[RP_BUCKETS];
    uint32_t queued;
    /// Whether the search also follows references that C code may know without holding the object.
    bool follows_doubtful;
    rp_root *roots;
    uint32_t root_count;
    rp_region root_memory;
    /// The blocks whose distances a search among unreached blocks must reset; reserved by the first such search.
    rp_region visited_memory;
    /// The blocks that all searches among unreached blocks have visited.
    uint64_t visited;
} rp_search;

enum { RP_FROM_ROOT = 0x80000000u, RP_FAR = UINT32_MAX };

// edges.c

/// Returns the weight of an edge, by which it lengthens a path.
uint32_t rp_weight(const rp_frozen_copy *frozen, uint32_t from, const rp_edge *edge);
/// Whether the search follows an edge. It ignores unowned edges, edges to dead blocks, and conservative edges to
/// saturated objects.
bool rp_counts_edge(const rp_frozen_copy *frozen, const rp_edge *edge);

// large_blocks.c

enum { RP_MAX_LARGE_BLOCKS = 256 };

/// A large block, and its references if they are listed.
typedef struct rp_large_block {
    uint32_t block;
    /// How often the references were needed.
    uint32_t uses;
    bool is_tried, has_list;
    /// The state of `rp_totals` when the list was made.
    bool include_unmanaged, wants_all_unmanaged;
    /// See `rp_part`.
    bool is_header_believed;
    /// The references that the search follows, by the block to which they refer; of several to the same block, the
    /// precise ones first, then in the order of the scan. See large_blocks.c for the bits.
    uint64_t *references;
    uint64_t count;
    rp_region memory;
    /// The least weight of the references.
    uint32_t least_weight;
} rp_large_block;

typedef struct rp_large_blocks {
    rp_large_block *list;
    uint32_t count;
    /// The bytes of all lists.
    uint64_t used;
} rp_large_blocks;

/// Returns the listed references of a block; NULL if the block is to be scanned as a whole, because it is not large, is
/// rarely needed, or there is no memory for the list.
const rp_large_block *rp_large_block_of(rp_frozen_copy *frozen, uint32_t block);
/// Finds the part of a large block with the best reference to another block: the first precise one, or the first if
/// none is precise. Returns false if there is no reference.
bool rp_find_part(const rp_large_block *large, uint32_t to, rp_part *part);

// search.c

void rp_prepare_search(rp_frozen_copy *frozen);
/// Undoes the marks of blocks that roots reach, and clears the memory of the search, so that another search can begin.
void rp_forget_reached(rp_frozen_copy *frozen);
/// Continues the search from all reached blocks of C along the references that wait until all others are searched.
void rp_search_doubtful(rp_frozen_copy *frozen);
/// Continues the search from all reached blocks and from image data along the Unmanaged references.
void rp_search_unmanaged(rp_frozen_copy *frozen);
/// Reads the registers of the program's threads that wait, and continues the search from them.
void rp_search_registers(rp_frozen_copy *frozen);
/// Extends the search by all roots of some kinds.
void rp_search_from_roots(rp_frozen_copy *frozen, uint32_t kinds);
/// Extends the search by the variables of tasks that await the requesting tasks.
void rp_search_from_awaiting_tasks(rp_frozen_copy *frozen);
/// Offers a path to a block. The search takes the path if it is shorter than the known one.
bool rp_offer(rp_search *search, uint32_t to, uint32_t parent, uint32_t distance);
/// Takes the nearest block out of the queue. No block in the queue may be nearer than `*distance`. Returns
/// `RP_NO_BLOCK` if the queue is empty.
uint32_t rp_take_nearest(rp_search *search, uint32_t *distance);

// freely_reached.c

/// Marks the blocks that roots of some kinds reach without going through a target.
void rp_mark_freely_reached(rp_frozen_copy *frozen, uint32_t kinds);

// MARK: Blocks that no root reaches

// unreached.c

/// The references among blocks that no root reaches.
typedef struct rp_unreached {
    /// For each block, the index of its first source; one more entry at the end.
    uint32_t *first;
    /// The blocks that refer to a block. `RP_IS_CONSERVATIVE` is added if the edge is conservative.
    uint32_t *sources;
    /// For each unreached block, the number of its component: the blocks that hold each other, directly or not. A block
    /// that is not on a cycle is a component of its own.
    uint32_t *components;
} rp_unreached;

enum { RP_IS_CONSERVATIVE = 0x80000000u };

/// Lists the references among unreached blocks, and marks the blocks that are on cycles.
rp_unreached rp_list_unreached(rp_frozen_copy *frozen);

// cycles.c

enum {
    RP_MOST_BLOCKS_OF_A_PATH = 4096,
    /// The blocks at the end of a longer path that are kept.
    RP_END_OF_A_PATH = 16,
};

/// A path along references.
typedef struct rp_path {
    uint32_t blocks[RP_MOST_BLOCKS_OF_A_PATH];
    uint32_t count;
    /// Whether blocks in front of the last `RP_END_OF_A_PATH` were left out.
    bool is_cut;
} rp_path;

/// Finds the shortest cycle through a block, from it round to the block that refers to it. The path is empty if there
/// is no cycle.
void rp_find_cycle(rp_frozen_copy *frozen, uint32_t block, rp_path *path);

/// Whether a block has more strong references than were found, whether none was found, or whether it is a running task.
bool rp_is_unexplained(rp_frozen_copy *frozen, const rp_unreached *unreached, uint32_t block);

/// The end of a search against the direction of the references.
typedef enum rp_source {
    RP_SOURCE_NONE,
    /// A block on a cycle.
    RP_SOURCE_CYCLE,
    /// A block with more strong references than were found, a block to which no reference was found, or a running task.
    RP_SOURCE_UNEXPLAINED,
    /// Another target; only if the search stops at targets.
    RP_SOURCE_TARGET,
} rp_source;

/// Searches for the nearest source of the references that hold a block, and the path from the source to the block. A
/// cycle is preferred to an unexplained block, and an unexplained block to another target. But an unexplained block is
/// preferred to a cycle that is farther away and that holds the block only by way of uncertain references.
rp_source rp_find_source(
    rp_frozen_copy *frozen, const rp_unreached *unreached, uint32_t block, bool stops_at_targets, rp_path *path);

// long_paths.c

/// Writes the path that the search has found, from the block behind the root to the target, and returns the root.
const rp_root *rp_path_from_root(rp_frozen_copy *frozen, rp_target *target, rp_path *path);
/// Does the same as `rp_find_source` for a target, without a stop at other targets.
rp_source rp_find_source_of_target(
    rp_frozen_copy *frozen, const rp_unreached *unreached, rp_target *target, rp_path *path);
